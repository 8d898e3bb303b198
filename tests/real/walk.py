"""An independent walk of the served documentation: html5lib and urllib.parse, nothing of the crawler."""

from __future__ import annotations

import http.client
import multiprocessing
import re
from collections.abc import Iterable
from urllib.parse import quote, urldefrag, urljoin, urlsplit

import html5lib

PLACES = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}
_connection: http.client.HTTPConnection | None = None


def walk(seeds: Iterable[str], address: str, port: int, processes: int = 2) -> dict[str, int]:
    """URL -> status for all that is reachable from the seeds on their hosts, breadth first."""
    statuses: dict[str, int] = {}
    level = set(seeds)
    netlocs = {urlsplit(url).netloc for url in level}
    with multiprocessing.get_context("spawn").Pool(processes, _connect, (address, port)) as pool:
        while level:
            found: set[str] = set()
            for url, status, links in pool.imap_unordered(_visit, sorted(level)):
                statuses[url] = status
                found.update(link for link in links if _inside(link, netlocs))
            level = found - statuses.keys()
    return statuses


def _inside(url: str, netlocs: set[str]) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.netloc in netlocs


def _connect(address: str, port: int) -> None:
    global _connection
    _connection = http.client.HTTPConnection(address, port, timeout=60)


def _visit(url: str) -> tuple[str, int, set[str]]:
    assert _connection is not None
    parts = urlsplit(url)
    target = quote(parts.path or "/", safe="/%:=&~+!$,;'@()*[]") + (f"?{parts.query}" if parts.query else "")
    _connection.request("GET", target, headers={"Host": parts.netloc, "User-Agent": "walk/1"})
    answer = _connection.getresponse()
    body = answer.read()
    if 300 <= answer.status < 400 and (location := answer.headers["Location"]):
        return url, answer.status, {urldefrag(urljoin(url, location)).url}
    if answer.headers.get_content_type() != "text/html":
        return url, answer.status, set()
    return url, answer.status, links(body, url, answer.headers.get_content_charset())


def links(body: bytes, url: str, charset: str | None) -> set[str]:
    """Every link of a page that a browser could follow, absolute, without its fragment."""
    tree = html5lib.parse(body, namespaceHTMLElements=False, transport_encoding=charset)
    bases = [element.get("href") for element in tree.iter("base") if element.get("href") is not None]
    base = urljoin(url, bases[0]) if bases else url
    hrefs = [
        element.get(attribute)
        for tag, attribute in PLACES.items()
        for element in tree.iter(tag)
        if element.get(attribute) is not None
    ]
    for meta in tree.iter("meta"):
        if meta.get("http-equiv", "").lower() == "refresh":
            hrefs += re.findall(r"(?i)^[\d.\s]*[;,]?\s*url\s*=\s*['\"]?([^'\"]+)", meta.get("content", ""))
    return {urldefrag(joined).url for href in hrefs if (joined := _join(base, href))}


def _join(base: str, href: str) -> str:
    # Browsers read "\\" before a query as "/" (URL standard, special schemes), not so urljoin. SQLite has such a link.
    path, mark, query = href.strip().partition("?")
    try:
        return str(urljoin(base, path.replace("\\", "/") + mark + query))
    except ValueError:  # no URL at all, such as "http://[x"
        return ""
