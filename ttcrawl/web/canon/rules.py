"""The rules of [url] in config.ini: each returns a canonical URL, and does nothing the second time. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ttcrawl.web.canon.hosts import canonical_origin
from ttcrawl.web.url import canonical


def _split(url: str) -> tuple[str, str, str]:
    """(scheme and host, path with its first slash, query with its question mark)."""
    start = url.index("/", 8)
    path, mark, query = url[start:].partition("?")
    return url[:start], path, mark + query


def canonical_host(url: str, *, strip: bool, aliases: dict[str, str]) -> str:
    end = url.index("/", 8)
    before = url[:end]
    after = canonical_origin(before, strip, aliases)
    # parsed again: the scheme's default port may differ
    return url if after == before else canonical(after + url[end:], ftp=True) or url


def fold_case(url: str) -> str:
    origin, path, query = _split(url)
    return origin + re.sub("%[0-9a-f]{2}", lambda escape: escape[0].upper(), path.lower()) + query


def _any_of(names: Iterable[str]) -> str:
    """Parameter names as one expression; a star is allowed at their end only, so matching takes linear time."""
    return "|".join(re.escape(name.removesuffix("*")) + ("[^=&;/?]*+" if name.endswith("*") else "") for name in names)


def in_query(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?:(?<=&)|(?<=^\?))(?:{_any_of(names)})(?:=[^&]*+)?(?:&|$)", re.IGNORECASE)


def in_path(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf";(?:{_any_of(names)})(?:=[^;/]*+)?(?=[;/]|$)", re.IGNORECASE)


def drop(url: str, *, query: re.Pattern[str], path: re.Pattern[str]) -> str:
    """The parameters that match, as `in_query` and `in_path` make these patterns."""
    if "?" not in url and ";" not in url:
        return url
    origin, url_path, url_query = _split(url)
    remaining, dropped = query.subn("", url_query)
    if dropped:
        url_query = remaining.removesuffix("&") if remaining.strip("?&") else ""
    new_path = path.sub("", url_path)
    # parsed again: "/..;jsessionid=1" has become a dot segment
    return (
        origin + url_path + url_query
        if new_path == url_path
        else canonical(origin + new_path + url_query, ftp=True) or url
    )


def drop_doubles(url: str) -> str:
    origin, path, query = _split(url)
    pairs = query[1:].split("&")
    return url if len(pairs) == len(set(pairs)) else f"{origin}{path}?{'&'.join(dict.fromkeys(pairs))}"


def sort_query(url: str) -> str:
    """By name only: several values of one name form a list, whose order may matter."""
    origin, path, query = _split(url)
    if "&" not in query:
        return url
    pairs = sorted(filter(None, query[1:].split("&")), key=lambda pair: pair.partition("=")[0])
    return origin + path + ("?" + "&".join(pairs) if pairs else "")


def cut(url: str, *, slashes: int) -> str:
    origin, path, _ = _split(url)
    pieces = path.split("/", slashes)
    if len(pieces) <= slashes or not pieces[-1]:
        return url
    return origin + "/".join(pieces[:-1]) + "/"


def end_of_path(url: str, *, index: frozenset[str], slash: str) -> str:
    """Index pages and the trailing slash together: removing one may expose the other."""
    origin, path, query = _split(url)
    segments = path.split("/")
    while len(segments) > 1:
        if segments[-1] in index and segments[-1]:
            segments[-1] = ""
        elif slash == "drop" and not segments[-1] and len(segments) > 2:
            segments.pop()
        else:
            break
    if slash == "add" and segments[-1] and "." not in segments[-1]:
        segments.append("")
    return origin + "/".join(segments) + query
