"""Which targets of the redirects of seeds count as seeds. Pure.

`http://a.example/` often redirects to `https://www.a.example/`. With [scope] redirected_seeds = strict a target counts
if its host differs from the one before only by `www.`, and by the port if the scheme differs too; with always, any
target counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from ttcrawl.web.url import host, split_port

#: A URL, and the target of its redirect. The URL is a seed, or such a target itself.
Redirect: TypeAlias = tuple[str, str]


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
