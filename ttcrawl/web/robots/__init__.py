"""robots.txt text -> rules. Pure.

Two interpretations: RFC 9309 (longest match, merged groups), and first match as in 1996 with the wildcards of 2008, for
comparison with crawlers that use it. A text is compiled once, for one agent. The cost per URL is bounded, and as far as
possible independent of the number of rules.
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
    """The compiled rules of a robots.txt."""

    @property
    def delay(self) -> float | None:
        """Crawl-delay, seconds."""

    @property
    def agent(self) -> str:
        """The agent of the chosen group: our name in lower case, "*", or "" if no group applies to us."""

    @property
    def size(self) -> int:
        """Approximate bytes of memory."""

    @property
    def cost(self) -> int:
        """Maximum time of a decision about one URL, in units of about 10 µs."""

    def allows(self, url: str) -> bool: ...

    def decide(self, url: str) -> Decision: ...


#: Compiles rules step by step: each step takes about a millisecond, the last one returns them.
Compiling: TypeAlias = "Iterator[Rules | None]"


def compiling(text: str, agent: str, reading: str = "rfc9309") -> Compiling:
    """Steps that compile the rules for `agent` (a product token) in the text of a robots.txt. Each step yields None,
    the last one the rules. Accepts any text and never raises. `reading` is "rfc9309" or "1996"."""
    return first(text, agent) if reading == "1996" else longest(text, agent)


def finished(steps: Compiling) -> Rules:
    """Run all steps at once."""
    return next(rules for rules in steps if rules is not None)


def parse(text: str, agent: str, reading: str = "rfc9309") -> Rules:
    """The rules for `agent` (a product token) in the text of a robots.txt; accepts any text and never raises.

    >>> parse("User-agent: ttcrawl/0.1\\nDisallow: /private", "ttcrawl").allows("http://a.test/private/x")
    False
    """
    return finished(compiling(text, agent, reading))


def reader(agent: str, reading: str = "rfc9309") -> Callable[[str], Compiling]:
    """A function from the text of a robots.txt to the steps that compile it."""
    return lambda text: compiling(text, agent, reading)


def sitemaps(text: str) -> tuple[str, ...]:
    """The values of its Sitemap lines in any group (https://www.sitemaps.org/protocol.html)."""
    return tuple(value for _, field, value in directives(text) if field == "sitemap" and value)
