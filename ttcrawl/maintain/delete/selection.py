"""Which URLs are deleted."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import re2

from ttcrawl.errors import UsageError
from ttcrawl.store.database import Database
from ttcrawl.vocabulary.state import DELETED, QUEUED
from ttcrawl.web.storable import is_sound
from ttcrawl.web.url import canonical, host, split_port

#: URLs with an answer, and those that wait for their request. Others have nothing that could be deleted.
_SELECT = f"""
    CREATE TEMP TABLE gone AS
    SELECT url.id, url.site, url.state, url.reason FROM url JOIN site ON site.id = url.site
    WHERE (state = '{QUEUED}' OR url.id IN (SELECT url FROM answer)) AND state != '{DELETED}'"""

GONE = "SELECT id FROM gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """The URLs for which one value of each list holds; an empty list holds for all. * stands for any characters."""

    hosts: Sequence[str] = ()  # with the hosts below
    paths: Sequence[str] = ()  # with the query
    digests: Sequence[str] = ()  # xxh3_128 of the body as it came, hexadecimal
    ids: Sequence[int] = ()
    urls: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Raises UsageError for a text that no URL or host has."""
        for name, values in asdict(self).items():
            if wrong := [value for value in values if not is_sound(str(value))]:
                raise UsageError(f"--{name[:-1]} {wrong[0]!r}: write a text in UTF-8")

    def __bool__(self) -> bool:
        return any(asdict(self).values())

    def __str__(self) -> str:
        pairs = [(f"--{name[:-1]}", str(value)) for name, values in asdict(self).items() for value in values]
        return shlex.join(text for pair in pairs for text in pair)


def select(db: Database, which: Which) -> None:
    """Create the temporary table `gone`: id, site, state, reason. Raises UsageError for a value that is invalid."""
    db.define("of_host", 1, _any(_host, which.hosts))
    db.define("of_path", 1, _any(_path, which.paths))
    db.define("of_url", 1, _any(_url, which.urls))
    query, values = _SELECT, list[object]()
    if wrong := [id for id in which.ids if not 0 < id < 1 << 63]:
        raise UsageError(f"--id {wrong[0]} is not an id: they are numbers from 1, in column id of table url")
    if which.ids:
        query += f" AND url.id IN ({', '.join('?' * len(which.ids))})"
        values += which.ids
    if which.digests:
        query += f" AND url.id IN (SELECT url FROM answer WHERE digest IN ({', '.join('?' * len(which.digests))}))"
        values += map(_digest, which.digests)
    if which.hosts:
        query += " AND url.site IN (SELECT id FROM site WHERE of_host(host))"
    query += " AND of_path(url.url)" * bool(which.paths) + " AND of_url(url.url)" * bool(which.urls)
    db.execute("DROP TABLE IF EXISTS temp.gone")
    db.execute(query, values)
    db.execute("CREATE UNIQUE INDEX temp.gone_id ON gone (id)")


def _any(matcher: Callable[[str], Callable[[str], bool]], texts: Sequence[str]) -> Callable[[str], bool]:
    tests = [matcher(text) for text in texts]
    return lambda value: any(test(value) for test in tests)


def _pattern(text: str) -> Callable[[str], bool]:
    match = re2.compile("(?s)" + ".*".join(map(re2.escape, text.split("*")))).fullmatch
    return lambda value: match(value) is not None


def _host(text: str) -> Callable[[str], bool]:
    """A name includes the hosts below it; without a port, it includes every port."""
    text = host(text) if "://" in text else text.lower()
    if not text:
        raise UsageError("--host is empty: name a host")
    if "*" in text:
        matches, full = _pattern(text), ":" in text
        return lambda value: matches(value if full else split_port(value)[0])
    address = canonical(f"http://{text}/")
    if address is None or address.count("/") != 3:
        raise UsageError(f"--host {text!r} is not a host")
    name, port = split_port(host(address))

    def is_it(value: str) -> bool:
        other, other_port = split_port(value)
        return port in (None, other_port) and (other == name or other.endswith(f".{name}"))

    return is_it


def _path(text: str) -> Callable[[str], bool]:
    if not text.startswith(("/", "*")):
        raise UsageError(f"--path {text!r} must begin with / or *: it is compared with the complete path and query")
    matches = _pattern(text)
    return lambda url: matches(url[url.index("/", 8) :])


def _url(text: str) -> Callable[[str], bool]:
    if "*" in text:
        return _pattern(text)
    if "://" not in text:
        raise UsageError(f"--url {text!r} is not a URL: begin with http:// or https://, or write a pattern with *")
    return {text, canonical(text, ftp=True)}.__contains__


def _digest(text: str) -> bytes:
    try:
        digest = bytes.fromhex(text)
    except ValueError:
        digest = b""
    if len(digest) != 16:
        raise UsageError(f"--digest {text!r} is not a digest: 32 hexadecimal digits, as ttcrawl page prints them")
    return digest
