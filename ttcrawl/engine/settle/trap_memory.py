"""Traps that the pages of a crawl reveal: what they showed decides about the URLs that come after them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

import xxhash

from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.ring.messages import Link, Page
from ttcrawl.store.fingerprints import Mark
from ttcrawl.vocabulary.html import HTML_TYPES
from ttcrawl.vocabulary.reason import NONE, Code
from ttcrawl.web.storable import replace
from ttcrawl.web.traps import Echoes, Patterns, Shells
from ttcrawl.web.traps.echo import Source
from ttcrawl.web.traps.shells import Look

#: The digest of an empty body.
EMPTY = xxhash.xxh3_128_digest(b"")

#: Pages in memory for the URLs that are discovered on them, some 300 bytes each: of others the database has the bytes.
RECENT = 10_000


class TrapMemory:
    """The page on which a URL was discovered is looked up only where a trap depends on it: few pages need it."""

    def __init__(self, shared: Shared) -> None:
        self._answers = shared.store.answers
        self._recent: OrderedDict[int, tuple[str, bytes]] = OrderedDict()  # id -> URL and digest, the latest at the end
        self._patterns = Patterns(shared.config.traps.same_content)
        self._echoes = Echoes(shared.config.traps.same_bytes)
        self._shells = Shells(shared.config.traps.same_bytes)

    def note(self, queued: Queued, page: Page, mark: Mark | None) -> None:
        """Remember the bytes of a page, and how it looks."""
        if not _is_compared(page.facts.type, page.digest):
            return
        references, text = page.look if page.links else (0, 0)
        self._note_bytes(queued, page.digest)
        look = Look(references, text, mark.original if mark else queued.id)
        self._shells.note(queued.id, queued.url, look, lambda: queued.found_on)

    def note_contents(self, queued: Queued, hashes: tuple[int, int], discovered: Sequence[str]) -> None:
        """Remember the contents of a page, and the URLs that were queued because of it."""
        self._patterns.note(queued.url, hashes, discovered)

    def compares(self, url: str) -> bool:
        """Whether the content of a page is compared even if a parse process has seen few pages of its pattern."""
        return self._patterns.succeeds(url)

    def note_copy(self, queued: Queued, content_type: str, digest: bytes) -> None:
        """Remember a page with the same bytes as an earlier one, which was not parsed."""
        if _is_compared(content_type, digest):
            content_hash = int.from_bytes(digest[:8])
            self._note_bytes(queued, digest)
            self._patterns.note(queued.url, (content_hash, content_hash))

    def into(self, queued: Queued) -> Code:
        """Return the trap to which a queued URL belongs, NONE if to none."""
        if not self:
            return NONE
        return self._trap(queued.url, lambda: self._source(queued.found_on), lambda: queued.found_on)

    def refused(self, links: Sequence[Link], found_on: Queued, source: Source) -> Sequence[Link]:
        """Return the links of a page or redirect; those into a trap are refused. `source`: URL and digest of a page."""
        if not self:
            return links
        trap, page = self._trap, lambda: found_on.id
        return [
            replace(each, refused=reason) if not each.refused and (reason := trap(each.url, source, page)) else each
            for each in links
        ]

    def _note_bytes(self, queued: Queued, digest: bytes) -> None:
        self._echoes.note(queued.url, digest, lambda: self._source(queued.found_on))
        self._recent[queued.id] = queued.url, digest
        self._recent.move_to_end(queued.id)
        if len(self._recent) > RECENT:
            self._recent.popitem(last=False)

    def _source(self, page: int | None) -> tuple[str, bytes] | None:
        """Return the URL of the page on which another was discovered, and the digest of its bytes."""
        if page is None:
            return None
        return self._recent.get(page) or self._answers.source(page)

    def __bool__(self) -> bool:
        """Whether there is a trap: most sites have none, and then no URL is looked at."""
        return bool(self._patterns or self._echoes or self._shells)

    def _trap(self, url: str, source: Source, found_on: Callable[[], int | None]) -> Code:
        return self._patterns.refusal(url) or self._echoes.refusal(url, source) or self._shells.refusal(url, found_on)


def _is_compared(content_type: str, digest: bytes) -> bool:
    """Whether it is a page that could belong to a trap, by its bytes."""
    return content_type in HTML_TYPES and digest != EMPTY
