"""The demo site as an answer for `ttcrawl.demo.server`: small enough to be sent to the process that serves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import formatdate
from functools import lru_cache
from hashlib import blake2b
from types import MappingProxyType

from ttcrawl.demo.server import Reply
from ttcrawl.demo.site import generate

CHANGED = 1_700_000_000  # seconds since the epoch: when the first page was last changed; each next one an hour later
HTML_TYPE, TEXT_TYPE = "text/html; charset=utf-8", "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Campus:
    """Answers as the campus site does, whatever the host: pages, robots.txt, 404, and 403 for what robots.txt forbids.

    `crawl_delay` (seconds) is what its robots.txt asks for. The site is generated where it is first needed, once.
    """

    seed: int = 811
    crawl_delay: float = 1.0

    def prepare(self) -> None:
        """Generate the site, so that the first request does not wait for it."""
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
    """Everything that is not a 404, by path."""
    site = generate(seed)
    replies: dict[str, Reply] = {path: FORBIDDEN for path in site.forbidden}
    replies["/robots.txt"] = 200, {"Content-Type": TEXT_TYPE}, site.robots(crawl_delay).encode()
    for place, (path, body) in enumerate(site.pages.items()):
        headers = {
            "Content-Type": HTML_TYPE,
            "Last-Modified": formatdate(CHANGED + 3600 * place, usegmt=True),
            "ETag": f'"{blake2b(body, digest_size=8).hexdigest()}"',
        }
        replies[path] = 200, headers, body
    return MappingProxyType(replies)
