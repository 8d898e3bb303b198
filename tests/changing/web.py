"""The pages of the site, and when each of them changes."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TypeAlias

from tests.support.web.site import Answer, page

#: (host, path)
Key: TypeAlias = tuple[str, str]

#: Mean seconds from one change of a page to the next, in intervals between two visits. 0: it never changes.
PERIODS = (0, 0.4, 1.5, 3, 6, 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """`at`: seconds after the beginning; the page then shows this version."""

    at: float
    key: Key
    version: int


def keys(hosts: int, pages: int) -> list[Key]:
    """All pages but the first one of each host, which has links to the others."""
    return [(f"h{host}.test", f"/{number}") for host in range(hosts) for number in range(1, pages)]


def first(hosts: int, pages: int) -> dict[Key, Answer]:
    """The site before any change."""
    links = page(*(f"/{number}" for number in range(1, pages)))
    site = {(f"h{host}.test", "/"): Answer(body=links) for host in range(hosts)}
    return site | {key: answer(key, 0) for key in keys(hosts, pages)}


def answer(key: Key, version: int) -> Answer:
    """A version of a page. A third of the pages have no validator."""
    text = " ".join(f"word{version}x{number}" for number in range(80))
    body = page(title=f"version {version}", content=f"<main><p>{key[1]} of {key[0]}: {text}</p></main>")
    if int(key[1][1:]) % 3 == 0:
        return Answer(body=body)
    return Answer(body=body, headers=(("ETag", f'"{version}"'),), conditional=True)


def changes(hosts: int, pages: int, interval: float, seconds: float, rng: random.Random) -> list[Change]:
    """All changes in so many seconds, by time: a Poisson process for each page."""
    found = []
    for number, key in enumerate(keys(hosts, pages)):
        period = interval * PERIODS[number % len(PERIODS)]
        at, version = rng.expovariate(1 / period) if period else seconds, 1
        while at < seconds:
            found.append(Change(at=at, key=key, version=version))
            at, version = at + rng.expovariate(1 / period), version + 1
    return sorted(found, key=lambda each: each.at)
