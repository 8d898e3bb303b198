"""The seeds of a crawl and their redirects, as table `crawl` has them. In each function, `about` is that table.

Only an import finds seeds while it runs. Each commit stores the redirects that are new. A million seeds may have half
as many, so they are stored in parts, and only the last one is written again.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping

from ttcrawl.web.scope.redirects import Redirect

#: The seeds are one row, which is written anew when there are this many times more of them.
GROWTH = 1.25

#: The name in table `crawl` of the first part of the redirects of seeds that leave the hosts of the seeds: a JSON list.
#: The names of further parts have a number behind it.
REDIRECTS = "seed_redirects"

#: Redirects of a part.
PART = 1_000


def seeds_of(about: Mapping[str, str]) -> tuple[str, ...]:
    """The canonical URLs of the seeds; an imported crawl may have none.

    >>> seeds_of({"seeds": "http://a.test/\\nhttp://b.test/"}), seeds_of({"seeds": ""})
    (('http://a.test/', 'http://b.test/'), ())
    """
    return tuple(filter(None, about.get("seeds", "").split("\n")))


class StoredSeeds:
    """The seeds of a crawl in which more are found."""

    def __init__(self, about: Mapping[str, str]) -> None:
        self._urls = dict.fromkeys(seeds_of(about))
        self._stored = len(self._urls)

    def add(self, url: str) -> None:
        self._urls[url] = None

    def row(self, *, last: bool) -> dict[str, str]:
        """The row of all, name -> value; nothing if there are no new ones, or few and this is not the `last` commit.

        With a row in each commit, bytes would grow by the square of the number of seeds.
        """
        if len(self._urls) <= self._stored * (1.0 if last else GROWTH):
            return {}
        self._stored = len(self._urls)
        return {"seeds": "\n".join(self._urls)}


def part_name(number: int) -> str:
    """The name of a part in table `crawl`.

    >>> part_name(0), part_name(1)
    ('seed_redirects', 'seed_redirects 1')
    """
    return f"{REDIRECTS} {number}" if number else REDIRECTS


def parts_of(about: Mapping[str, str]) -> Iterator[list[Redirect]]:
    """The stored redirects by part, in the order in which they were found."""
    for number in itertools.count():
        text = about.get(part_name(number))
        if text is None:
            return
        yield [(source, target) for source, target in json.loads(text)]


def redirects_of(about: Mapping[str, str]) -> tuple[Redirect, ...]:
    """The stored redirects, in the order in which they were found."""
    return tuple(itertools.chain.from_iterable(parts_of(about)))


class StoredRedirects:
    """The redirects of a crawl, and which rows of table `crawl` they change."""

    def __init__(self, about: Mapping[str, str], most: int = PART) -> None:
        """`most`: redirects of a part."""
        parts = list(parts_of(about)) or [[]]
        self._all = set(itertools.chain.from_iterable(parts))
        self._number, self._last = len(parts) - 1, parts[-1]
        self._most = most
        self._changed: dict[int, list[Redirect]] = {}

    def add(self, redirect: Redirect) -> None:
        if redirect in self._all:
            return
        self._all.add(redirect)
        if len(self._last) >= self._most:
            self._number, self._last = self._number + 1, []
        self._last.append(redirect)
        self._changed[self._number] = self._last

    def take_changed(self) -> dict[str, str]:
        """The rows that have changed since the last call, name -> value."""
        changed, self._changed = self._changed, {}
        return {part_name(number): json.dumps(part) for number, part in changed.items()}
