"""Which pages are soft 404s, by the answers of their hosts for URLs that cannot exist: decided when a run ends.

If anything was fetched since the last time, all pages are judged anew, so that marks do not depend on the order of
answers. The pages are processed in segments. The progress is committed with the marks, so a kill loses a few thousand
pages.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

import xxhash

from ttcrawl import config
from ttcrawl.engine.companion import Companion, Step
from ttcrawl.engine.shared import Shared
from ttcrawl.read.fingerprints import soft404
from ttcrawl.read.fingerprints.soft404 import ALL_ALIKE, MOST, SOFT, ContentHashes, ErrorBehaviour, Probed
from ttcrawl.store.soft404 import Settled
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.state import MOVED
from ttcrawl.web.url import key

#: Pages read at once, and pages between two commits.
SEGMENT, COMMIT = 500, 5_000

#: (Host, whether redirects are counted) -> number.
Counts: TypeAlias = Counter[tuple[int, bool]]


class Soft404s(Companion):
    """Marks soft 404s at the end of a run."""

    def __init__(self, shared: Shared) -> None:
        self._settings = shared.config.duplicates
        self._store = shared.store

    def finish(self, step: Step) -> None:
        Soft404Marker(self._settings, self._store, step("marking soft 404s")).run()


class Soft404Marker:
    """Marks soft 404s. `progress(done, all)` is called now and then."""

    def __init__(
        self,
        settings: config.Duplicates,
        store: Store,
        progress: Callable[[int, int], None],
        *,
        segment: int = SEGMENT,
        commit: int = COMMIT,
    ) -> None:
        self._settings = settings
        self._segment = segment
        self._commit = commit
        self._store, self._table = store, store.soft_404s
        self._progress = progress
        self._of = Counts()  # by host: its texts, for redirects its answers
        self._alike = Counts()  # by host: those of them that are alike
        self._last = 0  # URL processed

    def run(self) -> None:
        """Mark all pages that are soft 404s. Commits earlier changes; the caller commits the last ones."""
        rows = self._table.probes()
        if not rows:
            return
        self._store.flush()
        behaviours = {site: self._behaviour([*probes]) for site, probes in groupby(rows, key=itemgetter(0))}
        of = self._input_hash(rows)
        judged = json.loads(self._store.about().get("judged", "{}"))
        if judged.get("of") != of:
            self._begin(behaviours)
        elif judged["done"]:
            return
        else:
            self._resume(judged)
        soft = {site: behaviour for site, behaviour in behaviours.items() if behaviour.kind == SOFT}
        if soft:
            self._mark_pages(soft, of)
            self._conclude(soft)
        self._keep(of, done=True)

    # -- progress ---------------------------------------------------------------------------------------------------

    def _input_hash(self, rows: list[tuple[object, ...]]) -> str:
        """Return a hash of all that marks depend on: every page has a visit."""
        settings = self._settings
        return xxhash.xxh3_64_hexdigest(repr((settings.verify, settings.shingle, self._table.visits(), rows)).encode())

    def _begin(self, behaviours: dict[int, ErrorBehaviour]) -> None:
        self._of = Counts()
        self._alike = Counts()
        self._last = 0
        self._table.clear()
        for site, behaviour in behaviours.items():
            self._store.sites.update(site, soft_404="" if behaviour.kind == SOFT else behaviour.kind)

    def _resume(self, judged: dict[str, Any]) -> None:
        self._last = judged["last"]
        for site, moved, of, alike in judged["counts"]:
            self._of[site, moved], self._alike[site, moved] = of, alike

    def _keep(self, of: str, *, done: bool) -> None:
        counts = [(*key, count, self._alike[key]) for key, count in self._of.items() if not done]
        self._store.set(judged=json.dumps({"of": of, "done": done, "last": self._last, "counts": counts}))

    def _mark_pages(self, soft: dict[int, ErrorBehaviour], of: str) -> None:
        self._table.choose([*soft])
        most, count = self._store.urls.last_id(), 0
        while rows := self._table.settled(self._last, self._segment):
            self._table.mark([mark for page in rows if (mark := self._mark(page, soft[page.site]))])
            self._last, count = rows[-1].id, count + len(rows)
            if count % self._commit < self._segment:
                self._keep(of, done=False)
                self._store.commit()
                self._progress(self._last, most)

    def _conclude(self, soft: dict[int, ErrorBehaviour]) -> None:
        """Ignore similarity at hosts where most pages are alike."""
        alike = {of: count for of, count in self._alike.items() if count}
        nothing = {of for of, count in alike.items() if count > MOST * self._of[of]}
        for site, moved in nothing:
            self._table.unmark(site, moved=moved)
        useless = {site for site, moved in nothing if (site, not moved) not in alike.keys() - nothing}
        for site in soft:
            self._store.sites.update(site, soft_404=ALL_ALIKE if site in useless else SOFT)

    # -- one host, one page -----------------------------------------------------------------------------------------

    def _behaviour(self, rows: list[tuple[int, int, str, int | None, str, bytes, bytes, bytes, int]]) -> ErrorBehaviour:
        probes = [
            Probed(
                id=id,
                url=url,
                status=status,
                location=location,
                digest=digest,
                content_hashes=ContentHashes(digest=text, shingles=shingles),
                size=size,
            )
            for _, id, url, status, location, digest, text, shingles, size in rows
        ]
        return soft404.behaviour_of(probes, self._settings.verify)

    def _mark(self, page: Settled, behaviour: ErrorBehaviour) -> tuple[int, int, float] | None:
        """Return (page, probe, similarity) of a soft 404."""
        moved = page.state == MOVED
        match = self._redirect(page, behaviour) if moved else self._page(page, behaviour)
        self._of[page.site, True] += 1
        self._of[page.site, False] += page.size > 0 or (match is not None and not moved)
        if match is None:
            return None
        self._alike[page.site, moved] += 1
        probe, similarity, target = match
        return None if soft404.is_home(page.url, target) else (page.id, probe, similarity)

    def _redirect(self, page: Settled, behaviour: ErrorBehaviour) -> tuple[int, float, str] | None:
        """Return (probe, similarity, target) if it has the same target as a probe."""
        for probe in behaviour.moved:
            if page.targets == f"[{key(probe.location)}]":
                return probe.id, 1.0, probe.location
        return None

    def _page(self, page: Settled, behaviour: ErrorBehaviour) -> tuple[int, float, str] | None:
        """Return (probe, similarity, "") if its text resembles a probe's."""
        if page.url in {probe.location for probe in behaviour.moved}:
            return None
        variants: tuple[ContentHashes, ...] = ()
        if page.size and any(soft404.may_resemble(page.size, page.url, each) for each in behaviour.samples):
            text = self._table.text(page.id)
            variants = soft404.variants(text, page.url, self._settings.shingle, behaviour.samples)
        near = [(soft404.resemblance(page.digest, variants, each), -each.id) for each in behaviour.samples]
        similarity, probe = max(near, default=(0.0, 0))
        return (-probe, similarity, "") if similarity >= self._settings.verify else None
