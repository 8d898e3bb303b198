"""The relevant pages of a topical crawl: how many, how soon, and how much of all of them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ttcrawl.output.layout import Section, Value, most
from ttcrawl.report.held_back import HOW, HeldBack, held_back
from ttcrawl.report.rows import row, row_if, row_of
from ttcrawl.report.sources import Sources
from ttcrawl.snapshot.snapshot import View
from ttcrawl.topic.files import DIRECTORY, NAMES
from ttcrawl.topic.recall import interval
from ttcrawl.topic.url_list import lines_of

#: Points of the drawn series, and parts of the crawl in the report.
POINTS, PARTS = 400, 10

RATE = (
    "Harvest rate: relevant pages for each page fetched, in the order in which they were fetched; pages are all"
    " responses but redirects."
)

#: The URLs that answered, in the order of their first answers.
_PAGES = """
    SELECT url.id, coalesce(topic.relevant, 0)
    FROM url LEFT JOIN topic ON topic.url = url.id WHERE url.state = 'fetched'
    ORDER BY coalesce((SELECT min(time) FROM earlier_page WHERE earlier_page.url = url.id), url.processed), url.id"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """How many pages are relevant, by what decided, by class and in the course of the crawl."""

    fetched: int  # 0 for a crawl without a subject
    scored: int  # pages with a score
    relevant: int  # of these
    by: Mapping[str, tuple[int, int]]  # what decided -> relevant pages, all pages
    classes: Mapping[str, int]  # relevant pages
    pages: tuple[int, ...]  # a series: of the first pages ...
    found: tuple[int, ...]  # ... these are relevant
    held_back: HeldBack | None
    held_back_at: tuple[int, ...]  # pages fetched when each held-back page was
    target: float  # 0: none

    @property
    def any(self) -> bool:
        return bool(self.scored or self.held_back)

    @property
    def harvest_rate(self) -> float | None:
        return self.relevant / self.fetched if self.fetched else None

    def windows(self, parts: int = PARTS) -> list[tuple[int, int, int]]:
        """(Pages before, pages up to its end, relevant pages between) of equal parts of the crawl."""
        sums = [(0, 0), *((end, self._found_by(end)) for end in _ends(self.fetched, parts))]
        return [(before, end, now - then) for (before, then), (end, now) in pairwise(sums)]

    def _found_by(self, page: int) -> int:
        """How many of the first pages are relevant, between two points of the series by a straight line."""
        pages, counts = (0, *self.pages), (0, *self.found)
        after = bisect_left(pages, page)
        if pages[after] == page:
            return counts[after]
        share = (page - pages[after - 1]) / (pages[after] - pages[after - 1])
        return round(counts[after - 1] + share * (counts[after] - counts[after - 1]))

    def recall(self) -> tuple[list[int], list[float], list[float], list[float]]:
        """(Pages, recall of the held-back pages, low, high) from the first page to the last one."""
        if self.held_back is None or not self.held_back.sample:
            return [], [], [], []
        sample = self.held_back.sample
        pages = [0, *sorted(self.held_back_at)]
        counts = list(range(len(pages)))
        if pages[-1] < self.fetched:
            pages.append(self.fetched)
            counts.append(counts[-1])
        bounds = [interval(count, sample) for count in counts]
        return pages, [count / sample for count in counts], [low for low, _ in bounds], [high for _, high in bounds]


def read(sources: Sources) -> Topic:
    db = sources.db
    sample = _held_back(db)
    has_subject = sample is not None or db.execute("SELECT 1 FROM topic LIMIT 1").fetchone() is not None
    pages = db.execute(_PAGES).fetchall() if has_subject else ()  # which takes a while in a large crawl
    ids, relevant = zip(*pages, strict=True) if pages else ((), ())
    total = list(accumulate(relevant))
    ends = sorted({*_ends(len(ids), POINTS), *_ends(len(ids), PARTS)})
    by = db.execute('SELECT "by", sum(relevant), count(*) FROM topic GROUP BY 1').fetchall()
    classes = db.execute(
        "SELECT class.key, count(*) FROM topic, json_each(topic.classes) AS class WHERE relevant GROUP BY 1"
    )
    return Topic(
        fetched=len(ids),
        scored=sum(count for _, _, count in by),
        relevant=total[-1] if total else 0,
        by={name: (relevant, count) for name, relevant, count in by},
        classes=dict(classes.fetchall()),
        pages=tuple(ends),
        found=tuple(total[end - 1] for end in ends),
        held_back=sample,
        held_back_at=_moments(ids, sample.ids) if sample else (),
        target=db.config.topic.target_recall if sample else 0.0,
    )


def _held_back(db: View) -> HeldBack | None:
    """Those of the copy in the crawl directory."""
    path = db.directory / DIRECTORY / NAMES["held_back"]
    return held_back(db, lines_of(path.read_bytes())) if path.is_file() else None


def _moments(ids: Sequence[int], sample: Iterable[int]) -> tuple[int, ...]:
    held_back = set(sample)
    return tuple(moment for moment, id in enumerate(ids, 1) if id in held_back)


def _ends(pages: int, parts: int) -> list[int]:
    """The distinct ends of equal parts of so many pages, rising."""
    step = pages / parts
    return sorted({*(round(part * step) for part in range(parts)), pages} - {0})


def sections(crawls: Sequence[Topic]) -> list[Section]:
    """Empty if no crawl has a subject."""
    if not any(each.any for each in crawls):
        return []
    return [
        *([_relevant(crawls), _over_time(crawls)] if any(each.scored for each in crawls) else []),
        *([_recall(crawls)] if any(each.held_back for each in crawls) else []),
    ]


def _relevant(crawls: Sequence[Topic]) -> Section:
    names = sorted({name for each in crawls for name in each.by})
    classes, rest = most([each.classes for each in crawls])
    rows = [
        row("Relevant pages", crawls, lambda each: each.relevant),
        row("Harvest rate (%)", crawls, lambda each: _percent(each.harvest_rate)),
        row("Pages with a score", crawls, lambda each: each.scored),
        *(row_of(f"  by {name}", [[each.by.get(name, (0, 0))[1]] for each in crawls]) for name in names),
        *(row_of(f"Relevant, class {name}", [[each.classes.get(name, 0)] for each in crawls]) for name in classes),
    ]
    if rest:
        label = f"Relevant, {len(rest):,} other classes"
        rows.append(row(label, crawls, lambda each: sum(each.classes.get(name, 0) for name in rest)))
    return Section(title="Topic", rows=tuple(rows), how=RATE)


def _over_time(crawls: Sequence[Topic]) -> Section:
    windows = [each.windows() for each in crawls]
    rows = [row_of(f"{part + 1} of {PARTS}", [_window(each, part) for each in windows]) for part in range(PARTS)]
    return Section(
        title="Harvest rate over time", rows=tuple(rows), columns=("up to page", "relevant", "%"), subject="part"
    )


def _window(windows: Sequence[tuple[int, int, int]], part: int) -> tuple[Value, ...]:
    if part >= len(windows):
        return (None, None, None)
    before, end, relevant = windows[part]
    return (end, relevant, _percent(relevant / (end - before)))


def _recall(crawls: Sequence[Topic]) -> Section:
    samples = [each.held_back for each in crawls]

    reasons = Counter[str]()
    for each in samples:
        reasons.update(each.refused if each else {})
    rows = [
        row_if("Held-back pages", samples, lambda each: each.given),
        row_if("  left out: seeds", samples, lambda each: each.seeds),
        row_if("  left out: error, failed or deleted", samples, lambda each: each.gone),
        row_if("  found", samples, lambda each: each.found),
        row_if("    judged relevant", samples, lambda each: each.relevant),
        row_if("  still queued", samples, lambda each: each.queued),
        *(
            row_of(f"  refused: {name}", [[each.refused.get(name, 0) if each else None] for each in samples])
            for name, _ in reasons.most_common()
        ),
        row_if("  never discovered", samples, lambda each: each.undiscovered),
        row_if("Recall (%)", samples, lambda each: _percent(each.recall)),
        row_if("  95 %", samples, lambda each: _between(each) if each.sample else None),
    ]
    if any(each.target for each in crawls):
        rows.append(row("Target (%)", crawls, lambda each: _percent(each.target or None)))
    return Section(title="Recall, by held-back pages", rows=tuple(rows), how=HOW)


def _between(each: HeldBack) -> str:
    low, high = each.interval
    return f"{100 * low:.1f} to {100 * high:.1f}"


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 2)
