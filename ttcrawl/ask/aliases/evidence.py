"""What was seen of two origins together, and whether it is enough to call them one. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.ask.laws.wilson import wilson
from ttcrawl.web.url import split_port

#: Contents that have to be the same, each counted once however many URLs show it: so empty pages, the default page of
#: a server, one page for every error, or the shell that an application serves under every path are not enough.
LEAST = 5

#: What the lower end of the interval has to pass. Of hosts whose names have nothing in common 16 contents of 16 do, or
#: 47 of 50; of names that differ in www., port or scheme alone, which mostly are one server, 5 of 5, or 10 of 13.
STRANGERS, NAMESAKES = 0.8, 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Scheme and host; `id` tells them apart in the tables, `site` is the row of the host."""

    id: int
    name: str
    site: int
    address: str
    seeds: int  # of the crawl that are its
    pages: int  # that were fetched and can be compared
    moved: int  # URLs that redirect


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """URLs that were fetched under both origins, and the contents that they show."""

    urls: int = 0
    same: int = 0  # of them, in whatever way:
    by_bytes: int = 0
    by_text: int = 0
    near: int = 0
    contents: int = 0  # different ones, counted once
    same_contents: int = 0
    example: int = 0  # a URL under the first origin that is the same under the second; 0: there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirected:
    """Of what one origin answered, how much is a redirect to the same path of another."""

    answered: int
    moved: int
    example: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A share of so many, and where it lies with a confidence of 95 %."""

    share: float
    low: float
    high: float


def interval(part: int, of: int) -> Interval:
    low, high = wilson(part, of)
    return Interval(share=part / of if of else 0.0, low=low, high=high)


def needed(one: Origin, other: Origin) -> float:
    """What the lower end of an interval has to pass between these two."""
    return NAMESAKES if _bare(one.name) == _bare(other.name) else STRANGERS


def the_same(one: Origin, other: Origin, found: Compared) -> bool:
    """Their contents say that they are one server."""
    enough = found.same_contents >= LEAST
    return enough and interval(found.same_contents, found.contents).low > needed(one, other)


def different(one: Origin, other: Origin, found: Compared) -> bool:
    """Their contents say that they are not, whatever a third origin has in common with both."""
    return interval(found.same_contents, found.contents).high < needed(one, other)


def redirects(found: Redirected) -> bool:
    """One says that it is the other: that is its own word, and needs no more than not to be chance."""
    return found.moved >= LEAST and interval(found.moved, found.answered).low > NAMESAKES


def _bare(name: str) -> str:
    return split_port(name.partition("//")[2])[0].removeprefix("www.")
