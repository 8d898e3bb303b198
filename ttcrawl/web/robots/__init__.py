"""robots.txt text -> rules. Pure.

Two readings: RFC 9309 (longest match, merged groups) and the first-match one of 1996 with the wildcards of 2008, for
comparison with crawlers that read it so. A text is read once, for one agent, into rules that are compiled: what a URL
costs does not follow from the number of rules, as far as that is possible, and is bounded for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeAlias

from ttcrawl.web.robots.first import first
from ttcrawl.web.robots.lines import MAX_BYTES, decoded, directives
from ttcrawl.web.robots.longest import longest
from ttcrawl.web.robots.verdict import Decision

__all__ = ["MAX_BYTES", "Compiling", "Rules", "compiling", "decoded", "finished", "parse", "reader", "sitemaps"]


class Rules(Protocol):
    """What is asked of a robots.txt."""

    @property
    def delay(self) -> float | None:
        """Crawl-delay, seconds."""

    @property
    def agent(self) -> str:
        """Whose group it is: our name in lower case, "*", or "" where no group is for us."""

    @property
    def size(self) -> int:
        """Bytes of memory, about."""

    @property
    def cost(self) -> int:
        """The most that deciding about one URL takes, in units of about 10 µs."""

    def allows(self, url: str) -> bool: ...

    def decide(self, url: str) -> Decision: ...


#: Rules while they are compiled: each step takes about a millisecond, the last one returns them.
Compiling: TypeAlias = "Iterator[Rules | None]"


def compiling(text: str, agent: str, reading: str = "rfc9309") -> Compiling:
    """Steps towards the rules for `agent` (a product token) in the text of a robots.txt, which may be anything: each
    gives None but the last one, which gives the rules. Raises nothing. `reading` is "rfc9309" or "1996"."""
    return first(text, agent) if reading == "1996" else longest(text, agent)


def finished(steps: Compiling) -> Rules:
    """All steps at once."""
    return next(rules for rules in steps if rules is not None)


def parse(text: str, agent: str, reading: str = "rfc9309") -> Rules:
    """The rules for `agent` (a product token) in the text of a robots.txt, which may be anything; never raises.

    >>> parse("User-agent: ttcrawl/0.1\\nDisallow: /private", "ttcrawl").allows("http://a.test/private/x")
    False
    """
    return finished(compiling(text, agent, reading))


def reader(agent: str, reading: str = "rfc9309") -> Callable[[str], Compiling]:
    """A function from the text of a robots.txt to the steps that compile it."""
    return lambda text: compiling(text, agent, reading)


def sitemaps(text: str) -> tuple[str, ...]:
    """The values of its Sitemap lines, whatever group they stand in (https://www.sitemaps.org/protocol.html)."""
    return tuple(value for _, field, value in directives(text) if field == "sitemap" and value)
