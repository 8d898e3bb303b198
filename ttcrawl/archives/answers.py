"""Which records of an index become answers of URLs, and where the bytes of each are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

import xxhash

from ttcrawl.archives.settle import Answer, Tally
from ttcrawl.ring.messages import Archived
from ttcrawl.store.archive_index import REVISIT, ArchiveIndex, Entry, Indexed
from ttcrawl.store.imports import Imports

#: The profile of a revisit record that confirms an earlier answer, without one of its own.
NOT_MODIFIED = "server-not-modified"

#: The type of what a browser requests as a page.
DOCUMENT = "document"

#: The schemes of pages; records of others (dns, urn, whois, ftp without [fetch] ftp) are no damage.
SCHEMES = ("http", "https")


class Answers:
    """`names`: the number of a file -> its name in warc/. `canonical`: of a URL, None if it is not fetched.

    `skipped`: canonical URLs whose results cannot be stored. `known` is called with the URL of each known record.
    """

    def __init__(
        self,
        index: ArchiveIndex,
        imports: Imports,
        names: Mapping[int, str],
        canonical: Callable[[str], str | None],
        skipped: Collection[str],
        tally: Tally,
        known: Callable[[str], None],
    ) -> None:
        self._index, self._imports = index, imports
        self._names, self._canonical = names, canonical
        self._skipped, self._tally = skipped, tally
        self._known = known
        self._pages = {file: set(map(canonical, urls)) for file, urls in index.pages().items()}

    def __iter__(self) -> Iterator[Answer]:
        """Yield the records that are not known, in the order of their times."""
        for each in self._index.answers():
            if self._imports.knows(key := key_of(each.entry)):
                self._tally.known += 1
                if (url := self._canonical(each.entry.url)) is not None:
                    self._known(url)
            elif (answer := self._answer(each, key)) is not None:
                yield answer

    def _answer(self, indexed: Indexed, key: int) -> Answer | None:
        entry = indexed.entry
        url = self._canonical(entry.url)
        if url is None:
            scheme, colon, _ = entry.url.partition(":")
            if colon and scheme.lower() not in SCHEMES:
                self._tally.other_schemes += 1
            else:
                self._left_out(indexed, "a URL that is not fetched")
            return None
        if url in self._skipped:
            self._left_out(indexed, "results that cannot be stored")
            return None
        payload, confirms, holder = None, False, ""
        if entry.type == REVISIT:
            confirms = entry.profile == NOT_MODIFIED
            original = self._index.original(entry)
            if original is not None:
                payload, holder = self._where(original), self._canonical(original.entry.url) or ""
            elif not confirms:
                payload, holder = self._imports.stored(entry.refers_url, entry.refers_time), entry.refers_url
            if payload is None and not confirms:
                self._left_out(indexed, "a revisit record without the record it repeats")
                return None
        return Answer(
            key=key,
            url=url,
            entry=entry,
            where=self._where(indexed),
            payload=payload,
            payload_url=holder,
            is_page=self._is_page(indexed, url),
            confirms=confirms,
            source=self._source(entry),
        )

    def _is_page(self, indexed: Indexed, url: str) -> bool | None:
        """Whether the archive says that an answer is a page; None: it says nothing."""
        if indexed.file in self._pages:
            return url in self._pages[indexed.file]
        kind = indexed.entry.resource_type
        return kind == DOCUMENT if kind else None

    def _source(self, entry: Entry) -> str:
        """Return the URL of the page that led to an answer, "" if it is unknown."""
        url = self._index.source(entry)
        return (self._canonical(url) if url else None) or ""

    def _where(self, indexed: Indexed) -> Archived:
        return Archived(file=self._names[indexed.file], offset=indexed.entry.offset, length=indexed.entry.length)

    def _left_out(self, indexed: Indexed, why: str) -> None:
        self._tally.wrong[why] += 1
        self._imports.add_damage([(self._names[indexed.file], indexed.entry.offset, why)])


def key_of(entry: Entry) -> int:
    """Return the number by which a record is known again, in whatever file it is."""
    name = f"{entry.id}\n{entry.url}\n{entry.time}"
    return xxhash.xxh3_64_intdigest(name.encode("utf-8", "surrogatepass")) - (1 << 63)
