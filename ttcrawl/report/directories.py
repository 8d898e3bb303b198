"""The directories of the sites by pages and bytes: the largest ones, and what is left of those around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: Directories with a row of their own, the smallest share of all pages or bytes for one, and its depth at most.
MOST_SHOWN, LEAST_SHARE, DEEPEST = 40, 0.004, 4
#: Directories in memory; pages of further ones count for the host. Traps have endless directories.
MOST_COUNTED = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """Its pages, without those of directories below it that have a record of their own."""

    path: str  # host/directory/; "": all hosts without a record
    pages: int
    bytes: int  # of bodies as received


class Directories:
    """Running counts of directories, each in full depth up to DEEPEST."""

    def __init__(self, most: int = MOST_COUNTED) -> None:
        self._most = most
        self._counts: dict[str, list[int]] = {}

    def add(self, url: str, size: int) -> None:
        directory = directory_of(url)
        count = self._counts.get(directory)
        if count is None:
            if len(self._counts) >= self._most:
                directory = directory[: directory.index("/") + 1]
            count = self._counts.setdefault(directory, [0, 0])
        count[0] += 1
        count[1] += size

    def largest(self, most: int = MOST_SHOWN) -> tuple[Directory, ...]:
        """A partition of all pages, by path: the largest directories, by the larger share of pages and bytes."""
        complete: dict[str, list[int]] = {}
        for path, (pages, size) in self._counts.items():
            for each in _ancestors(path):
                count = complete.setdefault(each, [0, 0])
                count[0] += pages
                count[1] += size
        shown = _shown(complete, most)
        own = {path: list(complete[path]) for path in shown}
        for path in shown:
            around = next((each for each in _ancestors(path)[1:] if each in own), None)
            if around is not None:
                own[around][0] -= complete[path][0]
                own[around][1] -= complete[path][1]
        return tuple(
            Directory(path=path, pages=pages, bytes=size) for path, (pages, size) in sorted(own.items()) if pages
        )


def _shown(complete: Mapping[str, list[int]], most: int) -> list[str]:
    """The largest directories. One around them is never smaller, so each has all those around it."""
    if not complete:
        return []
    pages, size = complete[""]

    def weight(path: str) -> float:
        return max(complete[path][0] / pages, complete[path][1] / size if size else 0.0)

    large = [path for path in complete if weight(path) >= LEAST_SHARE]
    return sorted(large, key=lambda path: (-weight(path), len(path), path))[:most]


def _ancestors(path: str) -> list[str]:
    """A directory, those around it from the inside out, and the root.

    >>> _ancestors("a.example/b/c/")
    ['a.example/b/c/', 'a.example/b/', 'a.example/', '']
    """
    names = path.split("/")[:-1]
    return ["/".join(names[:end]) + "/" for end in range(len(names), 0, -1)] + [""]


def directory_of(url: str) -> str:
    """The host and the first DEEPEST directories of a URL.

    >>> directory_of("http://a.example/b/c/d.html?x=/y"), directory_of("http://a.example")
    ('a.example/b/c/', 'a.example/')
    """
    path = url.partition("://")[2].partition("?")[0]
    host, *names = path.split("/")
    return "/".join([host, *names[:-1][:DEEPEST], ""])
