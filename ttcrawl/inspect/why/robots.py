"""The decisions of a robots.txt about URLs: the line that decides, as in a crawl; and `ttcrawl try robots`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ttcrawl.errors import UsageError
from ttcrawl.web.robots import MAX_BYTES, Rules, decoded, parse, sitemaps
from ttcrawl.web.robots.lines import LINE_END
from ttcrawl.web.url import canonical


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsLine:
    """`number` is the line number from 1, as in an editor; 0 if no line decided, and then `text` is the reason."""

    allowed: bool
    number: int
    text: str  # the line without surrounding white space
    agent: str  # of the group: our name in lower case, "*", or "" if no group applies

    def __str__(self) -> str:
        if not self.number:
            return self.text
        return f"{self.text} (line {self.number}, group of {self.agent})"


NO_GROUP = RobotsLine(allowed=True, number=0, text="no group is for this agent", agent="")
ITSELF = RobotsLine(allowed=True, number=0, text="robots.txt itself may always be read", agent="")

_compiled = lru_cache(maxsize=4)(parse)


def robots_line(text: str, agent: str, url: str, dialect: str = "rfc9309") -> RobotsLine:
    """The line of a robots.txt that decides about `url` for `agent`; arguments as in `ttcrawl.web.robots.parse`."""
    rules: Rules = _compiled(text, agent, dialect)
    decision = rules.decide(url)
    if decision.itself:
        return ITSELF
    if decision.line:
        return _line_at(text, decision.line, decision.allowed, rules.agent)
    if not rules.agent:
        return NO_GROUP
    return RobotsLine(allowed=True, number=0, text=f"no rule of the group of {rules.agent} matches", agent=rules.agent)


def _line_at(text: str, line: int, allowed: bool, agent: str) -> RobotsLine:
    decisive = LINE_END.split(text)[line - 1]
    return RobotsLine(allowed=allowed, number=line, text=decisive.strip("\ufeff").strip(), agent=agent)


# -- ttcrawl try robots -----------------------------------------------------------------------------------------------

#: The host of a path; rules ignore it.
ANY_HOST = "http://host.invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """What a robots.txt says; each URL as it was written."""

    urls: tuple[tuple[str, RobotsLine], ...]
    delay: float | None  # seconds
    sitemaps: tuple[str, ...]

    @property
    def all_allowed(self) -> bool:
        return all(each.allowed for _, each in self.urls)

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each URL, then one for the delay and each sitemap."""
        delay = () if self.delay is None else (f"Crawl-delay: {self.delay:g} s",)
        return (*(_line(*each) for each in self.urls), *delay, *(f"Sitemap: {each}" for each in self.sitemaps))


def _line(url: str, decision: RobotsLine) -> str:
    if not decision.number:
        return f"{url}: allowed, {decision}"
    return f"{url}: {'allowed' if decision.allowed else 'forbidden'}, by {decision}"


def text_of_robots(name: str) -> str:
    """A file, or standard input for "-": the first 500 KiB, up to the end of a line. Replaces bytes that are not UTF-8.

    Raises UsageError.
    """
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(name, "rb") as file:
                data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        cause = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{name}: {cause}; name a readable robots.txt, or - for standard input") from error
    return decoded(data)


def judge(text: str, urls: Sequence[str], agent: str, dialect: str) -> Verdicts:
    """Raises UsageError for text that is neither an http(s) URL nor a path."""
    decisions = tuple((url, robots_line(text, agent, _canonical(url), dialect)) for url in urls)
    return Verdicts(urls=decisions, delay=parse(text, agent, dialect).delay, sitemaps=tuple(sitemaps(text)))


def _canonical(text: str) -> str:
    url = canonical(ANY_HOST + text if text.startswith("/") else text, ftp=True)
    if url is None:
        raise UsageError(f"{text!r} is neither an http or https URL nor a path: write https://example.org/x or /x")
    return url
