"""The demo site as responses for `ttcrawl.demo.server`, small enough to send to the serving process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import formatdate
from functools import lru_cache
from hashlib import blake2b
from types import MappingProxyType

from ttcrawl.demo.server import Reply
from ttcrawl.demo.site import generate

CHANGED = 1_700_000_000  # seconds since the epoch: last change of the first page; each next page changed an hour later
HTML_TYPE, TEXT_TYPE = "text/html; charset=utf-8", "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Campus:
    """The responses of the campus site for any host: pages, robots.txt, 404, and 403 for paths that robots.txt forbids.

    `crawl_delay` (seconds) is the delay in its robots.txt. The site is generated once, at its first use.
    """

    seed: int = 811
    crawl_delay: float = 1.0

    def prepare(self) -> None:
        """Generate the site before the first request, which would wait for it otherwise."""
        _replies(self.seed, self.crawl_delay)

    def __call__(self, host: str, path: str) -> Reply:
        return _replies(self.seed, self.crawl_delay).get(path, NOT_FOUND)


def _error(status: int, title: str, text: str) -> Reply:
    page = f'<!DOCTYPE html>\n<html lang="en">\n<title>{title}</title>\n<h1>{title}</h1>\n<p>{text}</p>\n</html>\n'
    return status, {"Content-Type": HTML_TYPE}, page.encode()


NOT_FOUND = _error(404, "Not found", "There is no such page on the campus site.")
FORBIDDEN = _error(403, "Forbidden", "robots.txt asks crawlers to stay out of this part of the campus site.")


@lru_cache(maxsize=4)
def _replies(seed: int, crawl_delay: float) -> Mapping[str, Reply]:
    """All replies except 404, by path."""
    site = generate(seed)
    replies: dict[str, Reply] = {path: FORBIDDEN for path in site.forbidden}
    replies["/robots.txt"] = 200, {"Content-Type": TEXT_TYPE}, site.robots(crawl_delay).encode()
    for index, (path, body) in enumerate(site.pages.items()):
        headers = {
            "Content-Type": HTML_TYPE,
            "Last-Modified": formatdate(CHANGED + 3600 * index, usegmt=True),
            "ETag": f'"{blake2b(body, digest_size=8).hexdigest()}"',
        }
        replies[path] = 200, headers, body
    return MappingProxyType(replies)
