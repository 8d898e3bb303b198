"""Turns as the crawl process takes them: refusals are processed on the way."""

from ttcrawl.frontier.turn import Refusal


def take(frontier, now, refuse):
    """The next turn that is due, or None; `refuse` is given every refusal before it."""
    while isinstance(taken := frontier.take(now), Refusal):
        refuse(taken)
    return taken
