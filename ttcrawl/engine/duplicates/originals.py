"""Which page is the original of which; part of the crawl process.

Each bucket always has its first page by order, and during a crawl pages are compared with these. So the mark of a page
is right when it is made, for the first pages until then. Later events can make it wrong: a page that comes before the
first one of a bucket, or one that becomes nearer to the seeds. Both are noted as unsettled. At the end of a run the
marks of all pages that share a bucket with them are decided anew. Then the pages that resemble none of the first ones
are compared with the next few of their buckets (`ttcrawl.store.candidates`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache

from ttcrawl import config
from ttcrawl.engine.companion import Companion, Step
from ttcrawl.engine.duplicates.marks import Known, known, mark, order, similar
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.read.fingerprints import keys
from ttcrawl.read.fingerprints.similarity import SURE
from ttcrawl.ring.columns import NEAR, Fingerprint
from ttcrawl.ring.messages import Fetched, IdenticalBody, Page, Same
from ttcrawl.store.bits import new_bits
from ttcrawl.store.candidates import FEW
from ttcrawl.store.fingerprints import Mark
from ttcrawl.store.sqlite import Store

#: Pages whose buckets are processed in one scan of all pages when a run ends, and the bits in memory for the keys of
#: each (32 MB for all): at most one in 15 keys of other pages is a false positive.
AT_ONCE, BITS = 1_000_000, 256

#: Pages read at once.
SEGMENT = 500

#: Duplicates whose marks are decided anew at once when their original changes; others wait for the end of the run.
HEIRS = 100

#: Pages between two commits while all of them are scanned.
COMMIT = 10_000


class Originals(Companion):
    """Finds originals. Create a new one after a rollback."""

    def __init__(
        self,
        store: Store,
        settings: config.Duplicates,
        *,
        at_once: int = AT_ONCE,
        segment: int = SEGMENT,
        commit: int = COMMIT,
        few: int = FEW,
    ) -> None:
        self._at_once = at_once
        self._segment = segment
        self._commit = commit
        self._few = few
        self._store = store
        self._settings = settings
        self._on = settings.exact or settings.near
        self._any_changed = False  # by a visit in this run
        self._any_new = False  # since the last comparison with the next pages of buckets
        self._buckets, self._fingerprints = store.buckets, store.fingerprints
        self._cache: OrderedDict[int, Known] = OrderedDict()  # by number, the most recently used at the end
        if self._on:
            self._load()

    def _load(self) -> None:
        """Add the pages that are not in the table of buckets yet."""
        last = self._buckets.open()
        if last == 0 and not self._fingerprints.keyed_after(0, 1):
            self._store.set(marked_by=self._marked_by)
        elif self._store.about().get("marked_by") != self._marked_by:
            self._store.set(marked_by="")  # until all marks are decided anew
        order_of = lru_cache(self._settings.cache)(lambda n: order(*self._fingerprints.place(n)))
        while rows := self._fingerprints.keyed_after(last, self._segment):
            for n, body, text, bands in rows:
                firsts = self._buckets.first(all_keys := keys.of_page(body, text, bands))
                self._buckets.add([key for key in all_keys if key not in firsts], n)
                self._buckets.crowd(all_keys)  # whether they are crowded is unknown
                if later := [key for key, first in firsts.items() if first != n and order_of(first) > order_of(n)]:
                    self._buckets.replace(later, n)
            last = rows[-1][0]
            self._store.commit()

    @property
    def _marked_by(self) -> str:
        """What marks depend on: settings, and how sure an estimate must be."""
        settings = self._settings
        return f"{settings.exact} {settings.near} {settings.verify} {SURE}"

    @property
    def _compared(self) -> str:
        """The settings that marks depend on once pages are compared with the next ones of their buckets."""
        return f"{self._marked_by} {self._few}"

    # -- one page -------------------------------------------------------------------------------------------------

    def identical(self, fetched: Fetched) -> IdenticalBody | None:
        """Return a processed page with the same bytes as an answer that is about to be parsed."""
        if not fetched.digest or not self._settings.exact:
            return None
        for n in self._buckets.first([keys.of_bytes(fetched.digest)]).values():
            page = self._known(n)
            if (archived := self._fingerprints.bytes_at(page.id)) is None:
                return None
            payload, url, at, type_ = archived
            same = _parse_context(page, fetched) != 0
            return IdenticalBody(id=page.id, payload=payload, url=url, moment=at, same=same, type=type_)
        return None

    def saw(self, queued: Queued, fetched: Fetched, page: Page | Same) -> tuple[Mark | None, list[str]]:
        """Note a fetched page. Return its mark, and the URLs of pages that become duplicates by it."""
        if not self._on:
            return None, []
        if isinstance(page, Same):
            identical = self._identical_of(page)
            fingerprint, parse_context = identical.print, _parse_context(identical, fetched)
        elif page.reading.fingerprint is None:
            return None, []
        else:
            fingerprint = page.reading.fingerprint
            parse_context = (
                0 if page.uses_page_url else fetched.header_context if page.url_independent else fetched.parse_context
            )
        body = fetched.choice.document if fetched.rendered and fetched.choice else fetched.digest
        return self._saw(queued, fetched.started, parse_context, body, fingerprint)

    def _saw(
        self, queued: Queued, time: float, parse_context: int, body: bytes, fingerprint: Fingerprint
    ) -> tuple[Mark | None, list[str]]:
        if not self._any_new:
            self._any_new = True
            self._store.set(compared="")
        n = self._fingerprints.add(queued.id, time, parse_context, body, fingerprint)
        place = order(queued.depth, queued.rank, queued.url)
        page = Known(n, queued.id, queued.url, place, time, parse_context, body, fingerprint)
        self._remember(page)
        firsts, beaten = self._place(page)
        new_mark = mark(page, firsts, self._settings)
        if new_mark is not None:
            self._fingerprints.set_mark(page.id, new_mark)
        return new_mark, [each.url for each in beaten if self._decide(each, firsts)]

    def _identical_of(self, page: Same) -> Known:
        n = self._fingerprints.of(page.original)
        assert n is not None
        return self._known(n)

    def nearer(self, url: int) -> None:
        """Update a fetched page that has become nearer, and may be the original of others now."""
        n = self._fingerprints.of(url) if self._on else None
        if n is None:
            return
        self._cache.pop(n, None)
        page = self._known(n)
        if not self._buckets.crowded(_keys(page)):
            return
        self._fingerprints.unsettle(n)
        firsts, beaten = self._place(page)
        for each in (page, *beaten):
            self._decide(each, firsts)

    def changed(self, url: int) -> None:
        """Forget what a page was, because it has changed: it leaves its buckets.

        If others are in them, one of its duplicates takes over, and all marks are decided anew at the end of the run.
        """
        n = self._fingerprints.of(url) if self._on else None
        if n is None:
            return
        self._any_changed = True
        page = self._known(n)
        all_keys = _keys(page)
        self._buckets.remove([key for key, first in self._buckets.first(all_keys).items() if first == n])
        self._cache.pop(n, None)
        self._fingerprints.remove(n, url)
        if self._buckets.crowded(all_keys):
            heirs = self._fingerprints.duplicates_of(url, HEIRS)
            self._fingerprints.unmark_duplicates_of(url)
            for heir in sorted(map(self._known, heirs), key=lambda each: each.order):  # the first is the original now
                firsts, _ = self._place(heir)
                self._decide(heir, firsts)
            self._buckets.lack_pages()
            self._store.set(marked_by="")

    def outdated(self, same: Same, fetched: Fetched) -> bool:
        """Whether the original of an answer that was not parsed has changed meanwhile: there is nothing to copy."""
        if not self._any_changed:
            return False
        n = self._fingerprints.of(same.original)
        return n is None or self._known(n).body != fetched.digest

    # -- buckets --------------------------------------------------------------------------------------------------

    def _place(self, page: Known) -> tuple[dict[int, Known], list[Known]]:
        """Put a page into its buckets. Return key -> first page now, and the pages it displaced, in order."""
        exact = tuple(page.exact)
        all_keys = (*exact, *page.near)
        firsts = self._firsts(all_keys)
        if not firsts:  # as of most pages
            self._buckets.add(all_keys, page.n)
            return {}, []
        same = {key: firsts[key] for key in exact if key in firsts}
        if self._settings.exact and any(
            each.order < page.order and each.print.bands == page.print.bands for each in same.values()
        ):  # a page with the same bands that comes first here does so in the other buckets too
            all_keys, firsts = exact, same
        self._buckets.add([key for key in all_keys if key not in firsts], page.n)
        later = {key: first for key, first in firsts.items() if first.order > page.order}
        if later:
            if self._buckets.crowded(later):  # other pages there are not compared with this page now
                self._fingerprints.unsettle(page.n)
            self._buckets.replace(later, page.n)
        self._buckets.crowd(firsts)
        if not later:
            return firsts, []
        beaten = {each.n: each for each in later.values()}.values()
        return firsts | dict.fromkeys(later, page), sorted(beaten, key=lambda each: each.order)

    def _firsts(self, wanted: tuple[int, ...]) -> dict[int, Known]:
        return {key: self._known(n) for key, n in self._buckets.first(wanted).items()}

    def _decide(self, page: Known, firsts: dict[int, Known] | None = None) -> bool:
        """Decide the mark of a page anew. `firsts`: known first pages. Return True if it had none and has one now."""
        before, firsts = self._fingerprints.mark(page.id), firsts or {}
        others = self._firsts(tuple(key for key in _keys(page) if key not in firsts))
        now = mark(page, firsts | others, self._settings)
        if now != before:
            self._fingerprints.set_mark(page.id, now)
        return before is None and now is not None

    # -- the memory -----------------------------------------------------------------------------------------------

    def _known(self, n: int) -> Known:
        page = self._cache.get(n)
        if page is None:
            page = known(self._fingerprints.get(n))
            self._remember(page)
        else:
            self._cache.move_to_end(n)
        return page

    def _remember(self, page: Known) -> None:
        self._cache[page.n] = page
        if len(self._cache) > self._settings.cache:
            self._cache.popitem(last=False)

    # -- the end of a run -----------------------------------------------------------------------------------------

    def finish(self, step: Step) -> None:
        self.mark_anew(step("marking duplicates"))

    def mark_anew(self, progress: Callable[[int, int], None] = lambda done, of: None) -> None:
        """Make every mark at the end of a run as if the pages had been fetched in their order.

        Commits, so earlier changes must be complete; the caller commits the last ones. A kill loses nothing: pages stay
        unsettled until all pages were scanned for them. `progress(done, all)` is called now and then.
        """
        if not self._on:
            return
        if self._buckets.incomplete:
            self._buckets.complete()
            self._load()
        all_anew = self._store.about().get("marked_by") != self._marked_by
        if all_anew or self._fingerprints.unsettled(1):
            self._store.set(compared="")
        if all_anew:
            self._decide_all(None, progress)
            self._store.set(marked_by=self._marked_by)
        while pages := self._fingerprints.unsettled(self._at_once):
            shared = new_bits(1 << (BITS * len(pages) - 1).bit_length())
            for n in pages:
                shared.add(self._buckets.crowded(keys.of_page(*self._fingerprints.keyed(n))))
            self._decide_all(shared.perhaps, progress)
            self._fingerprints.settled(pages)
            self._store.commit()
        self._buckets.complete()
        if self._store.about().get("compared") != self._compared:
            if self._settings.near:
                self._compare_all(progress)
            self._store.set(compared=self._compared)
            self._any_new = False

    def _decide_all(
        self, perhaps: Callable[[Sequence[int]], Sequence[int]] | None, progress: Callable[[int, int], None]
    ) -> None:
        """Decide the pages of whose crowded keys one is perhaps shared; None: all pages.

        Most pages have no crowded key. Of all 18 keys of a page, the filter takes one for shared in every second page.
        """
        last, done, count = 0, 0, self._fingerprints.last()
        while rows := self._fingerprints.keyed_after(last, self._segment):
            for n, body, text, bands in rows:
                if perhaps is None or perhaps(self._buckets.crowded(keys.of_page(body, text, bands))):
                    self._decide(self._known(n))
            last, done = rows[-1][0], done + len(rows)
            if done % self._commit < self._segment:
                self._store.commit()
                progress(done, count)

    def _compare_all(self, progress: Callable[[int, int], None]) -> None:
        """Compare the pages that resemble none of the first ones with the next few of their buckets."""
        candidates = self._fingerprints.candidates
        candidates.gather(self._few, keys.unpacked)
        last, count = 0, self._fingerprints.last()
        while pages := candidates.after(last, self._segment):
            for n in pages:
                self._compare(self._known(n), candidates.of(n))
            last = pages[-1]
            self._store.commit()
            progress(last, count)
        candidates.drop()

    def _compare(self, page: Known, others: list[int]) -> None:
        before = self._fingerprints.mark(page.id)
        if before is not None:
            firsts = self._firsts(page.near).values()
            if before.same != NEAR or any(first.id == before.original for first in firsts):
                return
        now = similar(page, map(self._known, others), self._settings)
        if now != before:
            self._fingerprints.set_mark(page.id, now)


def _parse_context(identical: Known, fetched: Fetched) -> int:
    """Return the parse context of an identical page if the answer has the same one, else 0."""
    return identical.parse_context if identical.parse_context in (fetched.parse_context, fetched.header_context) else 0


def _keys(page: Known) -> tuple[int, ...]:
    return (*page.exact, *page.near)
