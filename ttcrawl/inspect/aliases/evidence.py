"""The evidence that two origins are one server, and whether it is sufficient. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.report.laws.wilson import wilson
from ttcrawl.web.scope.redirects import bare

#: Equal contents that are needed, each counted once for all its URLs. Empty pages, the default page of a server, one
#: error page for all URLs, or the shell of an application under every path are thus not enough.
LEAST = 5

#: The lower end of the interval must exceed this. For unrelated names, 16 of 16 equal contents suffice, or 47 of 50.
#: For names that differ only in www., port or scheme, which mostly are one server, 5 of 5 suffice, or 10 of 13.
UNRELATED, NAMESAKES = 0.8, 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Scheme and host; `id` tells them apart in the tables, `site` is the row of the host."""

    id: int
    name: str
    site: int
    address: str
    seeds: int  # number of the crawl's seeds on this origin
    pages: int  # fetched pages that can be compared
    moved: int  # URLs that redirect


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """URLs that were fetched under both origins, and their contents."""

    urls: int = 0
    same: int = 0  # of these, equal in any way:
    by_bytes: int = 0
    by_text: int = 0
    near: int = 0
    contents: int = 0  # distinct contents
    same_contents: int = 0
    example: int = 0  # a URL under the first origin that is equal under the second; 0: none


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirected:
    """How many responses of one origin are redirects to the same path of another."""

    answered: int
    moved: int
    example: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A share, and its 95 % confidence interval."""

    share: float
    low: float
    high: float


def interval(count: int, of: int) -> Interval:
    low, high = wilson(count, of)
    return Interval(share=count / of if of else 0.0, low=low, high=high)


def lowest_share(one: Origin, other: Origin) -> float:
    """The limit that the lower end of an interval must exceed for these two origins."""
    names = (bare(each.name.partition("//")[2]) for each in (one, other))
    return UNRELATED if len({*names}) > 1 else NAMESAKES


def are_one_server(one: Origin, other: Origin, contents: Compared) -> bool:
    """Whether their contents show that they are one server."""
    enough = contents.same_contents >= LEAST
    return enough and interval(contents.same_contents, contents.contents).low > lowest_share(one, other)


def are_two_servers(one: Origin, other: Origin, contents: Compared) -> bool:
    """Whether their contents show that they are two servers, even if both share contents with a third origin."""
    return interval(contents.same_contents, contents.contents).high < lowest_share(one, other)


def redirects(redirected: Redirected) -> bool:
    """Whether one origin redirects to the other. Redirects are explicit, so they only need to exclude chance."""
    return redirected.moved >= LEAST and interval(redirected.moved, redirected.answered).low > NAMESAKES
