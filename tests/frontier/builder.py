"""The frontier of a crawl, with what a test gives it and, for all else, what does nothing."""

from ttcrawl.config import Frontier as FrontierSettings
from ttcrawl.config import Politeness
from ttcrawl.frontier.frontier import Frontier


def frontier(
    settings=None,
    *,
    load=lambda site, limit: [],
    forget=lambda host: None,
    addresses=lambda host: ("192.0.2.1",),
    most_turns=16,
    rulebook=None,
    **politeness,
):
    """`politeness` are keys of that section of the configuration; the others are arguments of Frontier."""
    return Frontier(
        Politeness(**politeness),
        settings or FrontierSettings(),
        load,
        forget,
        addresses,
        own_delay=lambda host: None,
        most_turns=most_turns,
        rulebook=rulebook,
    )
