"""The policies by name. A policy decides which URL of a host is next, and which host of those that are due."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from urllib.parse import urlsplit

import xxhash
from msgspec import Struct

from ttcrawl.frontier.host import Host
from ttcrawl.lab.candidates import Candidate, Score
from ttcrawl.lab.preference import larger_first


class Policy(Struct, frozen=True, kw_only=True):
    """`score`: None: the order is the one of [frontier] priority. `rank`: None: next is the host of the best URL by the
    score, and without a score the host that is due for the longest time."""

    name: str
    about: str
    score: Score | None = None
    changes: bool = False  # scores change after a URL was discovered
    by_depth: bool = False  # scores depend on the depth of URLs
    computed: Collection[str] = ()  # attributes of candidates that they depend on, and that are computed now and then
    rank: Callable[[Host], int] | None = None
    settings: Mapping[str, str] = {}  # of config.ini, by SECTION.KEY


def directories(candidate: Candidate) -> float:
    """Fewer directories first."""
    return -urlsplit(candidate.url).path.count("/")


def _listed(candidate: Candidate) -> float:
    return candidate.listed - min(candidate.depth, 1000) / 1000


def shuffled(seed: int) -> Score:
    """Return a score from 0 to 1 that is random, and the same for a URL whenever it is asked for."""
    return lambda candidate: xxhash.xxh3_64_intdigest(candidate.url.encode(), seed) / 2**64


def _in_links(candidate: Candidate) -> float:
    return candidate.in_links


def _pagerank(candidate: Candidate) -> float:
    return candidate.pagerank


def _rank_mass(candidate: Candidate) -> float:
    return candidate.rank_mass * 1e9  # scores differ by steps of 1e-9: far from the seeds, masses are smaller


def _cash(candidate: Candidate) -> float:
    return candidate.cash


def _promised(candidate: Candidate) -> float:
    return candidate.promised


_DEPTH, _FIRST = {"frontier.priority": "depth"}, {"frontier.priority": "first"}

#: The name of the policy whose scores depend on the seed of a trial.
RANDOM = "random"

POLICIES = {
    each.name: each
    for each in (
        Policy(name="breadth", about="breadth first, as the crawl does it by default", settings=_DEPTH),
        Policy(name="first", about="in the order of discovery", settings=_FIRST),
        Policy(name="directory", about="fewer directories first", score=directories),
        Policy(
            name=RANDOM,
            about="at random: what any order gives",
            score=shuffled(0),
        ),
        Policy(
            name="in-links",
            about="most links from pages read so far first (Cho, Garcia-Molina and Page, 1998)",
            score=_in_links,
            changes=True,
        ),
        Policy(
            name="pagerank",
            about="highest PageRank of what was read so far first (Cho, Garcia-Molina and Page, 1998)",
            score=_pagerank,
            changes=True,
            computed=("pagerank",),
        ),
        Policy(
            name="rank-mass",
            about="largest lower bound of the PageRank from the seeds first (Cho and Schonfeld, 2007)",
            score=_rank_mass,
            changes=True,
            computed=("rank_mass",),
        ),
        Policy(
            name="opic",
            about="most cash first (OPIC: Abiteboul, Preda and Cobena, 2003; as Baeza-Yates and others, 2005)",
            score=_cash,
            changes=True,
        ),
        Policy(
            name="relevant",
            about="links of relevant pages first (focused crawling: Chakrabarti, van den Berg and Dom, 1999)",
            score=_promised,
            changes=True,
        ),
        Policy(
            name="topic",
            about="[frontier] priority = topic: words at links and relevant pages, as the crawl does it",
            settings={"frontier.priority": "topic", "topic.tunnel": "-1"},
        ),
        Policy(name="sitemap", about="what sitemaps and feeds list first", score=_listed, changes=True, by_depth=True),
        Policy(
            name="larger-sites",
            about="the host with the most queued URLs first (Baeza-Yates and others, 2005)",
            rank=larger_first,
            settings=_DEPTH,
        ),
    )
}
