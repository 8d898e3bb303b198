"""Redirects of seeds: how they are stored, and which of their targets count as seeds. Pure.

`http://a.example/` often redirects to `https://www.a.example/`. With [scope] redirected_seeds = strict a target counts
if its host differs from the one before only by `www.`, and by the port if the scheme differs too; with always, any
target counts.

Each commit stores those that are new. A million seeds may have half as many redirects, so they are stored in parts, and
only the last one is written again.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from ttcrawl.web.url import host, split_port

#: A URL, and the target of its redirect. The URL is a seed, or such a target itself.
Redirect: TypeAlias = tuple[str, str]

#: The name in table `crawl` of the first part of the redirects of seeds that leave the hosts of the seeds: a JSON list.
#: The names of further parts have a number behind it.
SETTING = "seed_redirects"

#: Redirects of a part.
PART = 1_000


def part_name(number: int) -> str:
    """The name of a part in table `crawl`.

    >>> part_name(0), part_name(1)
    ('seed_redirects', 'seed_redirects 1')
    """
    return f"{SETTING} {number}" if number else SETTING


def parts_of(about: Mapping[str, str]) -> Iterator[list[Redirect]]:
    """The stored redirects by part, in the order in which they were found; `about`: table `crawl`."""
    for number in itertools.count():
        text = about.get(part_name(number))
        if text is None:
            return
        yield [(source, target) for source, target in json.loads(text)]


def redirects_of(about: Mapping[str, str]) -> tuple[Redirect, ...]:
    """The stored redirects, in the order in which they were found; `about`: table `crawl`."""
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


@lru_cache(maxsize=4096)  # pages link to the same hosts
def bare(name: str) -> str:
    """A host without its port and without `www.`.

    >>> bare("www.a.test:8080"), bare("a.test"), bare("www.test")
    ('a.test', 'a.test', 'www.test')
    """
    name = split_port(name)[0]
    rest = name.removeprefix("www.")
    return rest if "." in rest or rest == "localhost" else name


def other_name(name: str) -> str:
    """A host without port, with `www.` if it has none, and without otherwise; an address, or a name of one label, stays
    as it is.

    >>> [other_name(name) for name in ("www.a.test", "a.test", "10.0.0.1", "::1", "localhost")]
    ['a.test', 'www.a.test', '10.0.0.1', '::1', 'localhost']
    """
    if ":" in name or "." not in name or name.replace(".", "").isdigit():
        return name
    without = bare(name)
    return f"www.{name}" if without == name else without


def counts_strictly(source: str, target: str) -> bool:
    """Whether two URLs differ only by scheme and `www.`, as far as their hosts are concerned.

    >>> counts_strictly("http://a.test/", "https://www.a.test/en/"), counts_strictly("http://a.test/", "http://b.test/")
    (True, False)
    >>> counts_strictly("http://a.test:8080/", "https://a.test:8443/")
    True
    >>> counts_strictly("http://a.test:8080/", "http://a.test:8081/")
    False
    """
    names = host(source), host(target)
    same_port = split_port(names[0])[1] == split_port(names[1])[1]
    other_scheme = source.partition(":")[0] != target.partition(":")[0]
    return bare(names[0]) == bare(names[1]) and (same_port or other_scheme)


def directory(url: str) -> str:
    """The directory of a canonical URL, with its host.

    >>> directory("http://a.test/b/c?d=/e"), directory("http://a.test/b/")
    ('a.test/b/', 'a.test/b/')
    """
    path = url.split("/", 3)[3].partition("?")[0]
    return f"{host(url)}/{path[: path.rfind('/') + 1]}"


def counts(redirected_seeds: str, scope: str, source: str, target: str) -> bool:
    """Whether the target of a redirect counts as a seed, by these two keys of [scope].

    With `directory` and `strict` the directories must be equal: a redirect to the start page brings no other directory.

    >>> counts("strict", "directory", "http://a.test/docs/", "https://www.a.test/docs/index.html")
    True
    >>> counts("strict", "directory", "http://a.test/docs/", "https://www.a.test/")
    False
    """
    if redirected_seeds != "strict":
        return redirected_seeds == "always"
    paths = (directory(url).partition("/")[2] for url in (source, target))
    return counts_strictly(source, target) and (scope != "directory" or next(paths) == next(paths))


def counted(redirected_seeds: str, mode: str, redirects: Iterable[Redirect]) -> list[str]:
    """The targets that count as seeds, of redirects in the order in which they were found."""
    return [target for _, target in counting(redirected_seeds, mode, redirects)]


def counting(redirected_seeds: str, mode: str, redirects: Iterable[Redirect]) -> list[Redirect]:
    """The redirects whose targets count as seeds; [scope] redirected_seeds and scope."""
    return [each for each in redirects if counts(redirected_seeds, mode, *each)]
