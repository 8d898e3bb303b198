"""Hosts that would have a crawler all for themselves: what keeps a thread, a parser, the crawl process or a name server
for as long as it may. Each kind is a function of the name of the host, which gives its pages."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from typing import TypeAlias

from tests.support.web.bombs import FILLS_MEMORY, bomb
from tests.support.web.site import ANY, PATH, Answer, at, moved, page, robots

Pages: TypeAlias = dict[str, Answer]
MEGABYTE = 1_000_000


def links(count: int = 20) -> bytes:
    """To pages that are there, as their host has something for any path: ever deeper ones."""
    return b"".join(b'<a href="%d/">x</a>' % n for n in range(count))


def every(body: bytes, **rest: object) -> Pages:
    """The same on every page, with links to more of them; no two pages are equal."""
    return {ANY: Answer(body=b"<title>%s</title>" % PATH.encode() + links() + body, **rest)}  # type: ignore[arg-type]


def of_parser(piece: bytes) -> Callable[[str], Pages]:
    return lambda host: every(piece * (MEGABYTE // len(piece)))


def attributes(host: str) -> Pages:
    return every(b"<a " + b"".join(b"a%d " % n for n in range(MEGABYTE // 8)) + b">")


def attributes_within_the_limit(host: str) -> Pages:
    return every(b"<a " + b"".join(b"a%d " % n for n in range(15_000)) + b">")


def copies(host: str) -> Pages:
    return every(FILLS_MEMORY)


def many_links(host: str) -> Pages:
    return {ANY: Answer(body=links(5_000))}


def rules(make: Callable[[int], str]) -> Callable[[str], Pages]:
    lines = "\n".join(("User-agent: *", *map(make, range(20_000))))[:500_000]
    return lambda host: {"/robots.txt": robots(lines), **every(b"")}


def robots_elsewhere(host: str) -> Pages:
    other = "robots-away-1.test" if host.endswith("-0.test") else "robots-away-0.test"
    return {"/robots.txt": moved(at(other, "/robots.txt")), **every(b"")}


def sitemap(host: str) -> Pages:
    urls = "".join(f"<url><loc>{at(host, f'/{n}')}</loc></url>" for n in range(20_000))
    return {
        "/robots.txt": robots(f"Sitemap: {at(host, '/map.xml')}"),
        "/map.xml": Answer(headers=(("Content-Type", "text/xml"),), body=f"<urlset>{urls}</urlset>".encode()),
        **every(b""),
    }


def busy(status: int, *headers: tuple[str, str]) -> Callable[[str], Pages]:
    return lambda host: {
        "/": Answer(body=page(*(f"/{n}" for n in range(99)))),
        ANY: Answer(status=status, headers=headers),
    }


def first_page_and(answer: Answer) -> Callable[[str], Pages]:
    """Many pages that all answer so, and robots.txt too where nothing else is said of it."""
    return lambda host: {
        "/robots.txt": Answer(status=404),
        "/": Answer(body=page(*(f"/{n}" for n in range(200)))),
        ANY: answer,
    }


def all_of_it(answer: Answer) -> Callable[[str], Pages]:
    return lambda host: {ANY: answer}


def random_bytes(host: str) -> Pages:
    return every(random.Random(host).randbytes(MEGABYTE))


def drawn(type: str, body: bytes) -> Callable[[str], Pages]:
    """Pages that are said to be something else than HTML."""
    headers = (("Content-Type", type),)
    return lambda host: {
        "/": Answer(body=page(*(f"/{n}" for n in range(200)))),
        ANY: Answer(headers=headers, body=body),
    }


BOMB = Answer(headers=(("Content-Encoding", "gzip"),), body=bomb("gzip", 256 << 20))
KINDS: dict[str, Callable[[str], Pages]] = {
    "nested": of_parser(b"<ul><li>"),
    "unclosed": of_parser(b"<b></p>"),
    "paragraphs": of_parser(b"<p>"),
    "attributes": attributes,
    "attributes-within": attributes_within_the_limit,
    "copies": copies,
    "srcset": of_parser(b"<img srcset='a 1x, b 2x, c 3x'>"),
    "noise": random_bytes,
    "many-links": many_links,
    "sitemap": sitemap,
    "css": drawn("text/css", b"@import url(x);a{b:url(" * 20_000),
    "svg": drawn("image/svg+xml", b"<svg><a>" * 50_000),
    "bomb": first_page_and(BOMB),
    "gzipped": all_of_it(Answer(headers=(("Content-Encoding", "gzip"),), body=gzip.compress(b"<p>x" * 500_000))),
    "endless": first_page_and(Answer(more=bytes(1 << 16), times=-1)),
    "drip": first_page_and(Answer(body=b"x" * 10_000, drip=0.4)),
    "drip-all": all_of_it(Answer(body=b"x" * 10_000, drip=0.4)),
    "drip-head": first_page_and(Answer(fate="raw", body=b"HTTP/1.1 200 OK\r\n", more=b"X: y\r\n", times=-1, drip=0.4)),
    "silent": first_page_and(Answer(fate="stall")),
    "silent-all": all_of_it(Answer(fate="stall")),
    "late": lambda host: every(b"", delay=15.0),
    "reset": all_of_it(Answer(fate="reset")),
    "half": first_page_and(Answer(fate="reset", body=page("/never") * 99)),
    "loop": lambda host: {ANY: moved(PATH), "/": Answer(body=page(*(f"/{n}" for n in range(200))))},
    "503": busy(503),
    "429": busy(429, ("Retry-After", "1")),
    "robots-500": lambda host: {"/robots.txt": Answer(status=500), **every(b"")},
    "robots-away": robots_elsewhere,
    "robots-stars": rules(lambda n: f"Disallow: /*a*{n}*b*c*d*e"),
    "robots-rules": rules(lambda n: f"Disallow: /{n}/x"),
}


def greedy(place: int) -> dict[tuple[str, str], Answer]:
    """The pages of a host: the kinds in turn."""
    kinds = list(KINDS)
    host = f"{kinds[place % len(kinds)]}-{place // len(kinds)}.test"
    return {(host, path): answer for path, answer in KINDS[kinds[place % len(kinds)]](host).items()}
