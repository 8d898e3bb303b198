"""The growth laws of a crawl: Heaps' law of URLs and of words, Zipf's law, and the tails of the degrees."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, get_type_hints

from ttcrawl.errors import REPORT, installed
from ttcrawl.output.layout import Row, Section, Value
from ttcrawl.output.steps import Progress
from ttcrawl.report.laws.heaps import FEWEST_PAGES
from ttcrawl.report.laws.law import Interval, Law, examine
from ttcrawl.report.laws.tails import Tail, tail
from ttcrawl.report.laws.vocabulary import Vocabulary, vocabulary
from ttcrawl.report.laws.zipf import Zipf, zipf
from ttcrawl.report.study.cache import Cache
from ttcrawl.report.summary import Growth
from ttcrawl.snapshot.snapshot import View

if TYPE_CHECKING:
    from numpy.random import Generator

TOO_FEW = f"Too few values to fit: a law needs {FEWEST_PAGES} pages."
NOT_INSTALLED = "Not computed: this test needs pip install 'ttcrawl[report]'."

Fit = TypeVar("Fit", Law, Zipf, Tail)
T = TypeVar("T")

#: Bytes of text to read for the laws of words; this takes some 10 seconds.
MOST_TEXT = 64 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The series of the vocabulary, over the pages in order of fetching."""

    tokens: tuple[int, ...]
    words: tuple[int, ...]
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Degrees:
    """`pages[i]` pages have `degrees[i]` links, in order of degrees. Pages without links are left out."""

    degrees: tuple[int, ...]
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Laws:
    """A field is None if there is too little data for a fit; the two tails also without the extra `report`."""

    by_found: Law | None  # distinct URLs against URLs found
    by_pages: Law | None  # distinct URLs against pages
    in_scope: Law | None  # distinct URLs in scope against pages
    by_tokens: Law | None  # distinct words against words
    words: Words
    zipf_words: Zipf | None
    zipf_links: Zipf | None  # in-links
    in_degrees: Tail | None
    out_degrees: Tail | None
    in_distribution: Degrees
    out_distribution: Degrees


class LazyLaws:
    """The fields of Laws, each computed at its first use. `fitting(what)` is called before the fit of a law.

    `words` is the vocabulary and how it was read; `inlinks` is the number of pages that link to each URL; `degrees` are
    the in- and out-degrees of the pages. The random generator starts at `seed` for every law, so their order does not
    matter.
    """

    def __init__(
        self,
        *,
        words: Callable[[], tuple[Vocabulary, str]],
        growth: Callable[[], Growth],
        inlinks: Callable[[], Iterable[int]],
        degrees: Callable[[], tuple[list[int], list[int]]],
        fitting: Callable[[str], None],
        cache: Cache,
        seed: int,
    ) -> None:
        self._words = words
        self._growth = growth
        self._inlinks = inlinks
        self._degrees = degrees
        self._fitting = fitting
        self._cache = cache
        self._seed = seed

    @cached_property
    def _vocabulary(self) -> tuple[Vocabulary, str]:
        return self._words()

    @cached_property
    def _in_and_out(self) -> tuple[list[int], list[int]]:
        return self._degrees()

    @cached_property
    def by_found(self) -> Law | None:
        def fit() -> Law | None:
            growth = self._growth()
            return self._heaps(growth.found, growth.distinct_urls)

        return self._cached("by_found", fit)

    @cached_property
    def by_pages(self) -> Law | None:
        def fit() -> Law | None:
            growth = self._growth()
            return self._heaps(growth.pages, growth.distinct_urls)

        return self._cached("by_pages", fit)

    @cached_property
    def in_scope(self) -> Law | None:
        return self._cached("in_scope", lambda: self._heaps(*self._growth().series_in_scope))

    @cached_property
    def by_tokens(self) -> Law | None:
        def fit() -> Law | None:
            words = self._vocabulary[0]
            return self._heaps(words.tokens, words.words)

        return self._cached("by_tokens", fit)

    @cached_property
    def words(self) -> Words:
        def series() -> Words:
            vocabulary, how = self._vocabulary
            return Words(tokens=vocabulary.tokens, words=vocabulary.words, how=how)

        return self._cached("words", series)

    @cached_property
    def zipf_words(self) -> Zipf | None:
        return self._cached("zipf_words", lambda: self._zipf(lambda: self._vocabulary[0].counts.values()))

    @cached_property
    def zipf_links(self) -> Zipf | None:
        return self._cached("zipf_links", lambda: self._zipf(self._inlinks))

    @cached_property
    def in_degrees(self) -> Tail | None:
        return self._cached("in_degrees", lambda: self._tail(self._in_and_out[0])) if installed(*REPORT) else None

    @cached_property
    def out_degrees(self) -> Tail | None:
        return self._cached("out_degrees", lambda: self._tail(self._in_and_out[1])) if installed(*REPORT) else None

    @cached_property
    def in_distribution(self) -> Degrees:
        return self._cached("in_distribution", lambda: _distribution(self._in_and_out[0]))

    @cached_property
    def out_distribution(self) -> Degrees:
        return self._cached("out_distribution", lambda: _distribution(self._in_and_out[1]))

    def all(self) -> Laws:
        return Laws(**{each.name: getattr(self, each.name) for each in fields(Laws)})

    def _cached(self, name: str, compute: Callable[[], T]) -> T:
        return self._cache.get(f"law {name}", get_type_hints(Laws)[name], compute)

    def _zipf(self, counts: Callable[[], Iterable[int]]) -> Zipf | None:
        return zipf(counts()) if self._growth().enough else None

    def _heaps(self, n: Sequence[float], v: Sequence[float]) -> Law | None:
        if not self._growth().enough:
            return None
        self._fitting("Heaps' law")
        return examine(n, v, chance(self._seed))

    def _tail(self, degrees: list[int]) -> Tail | None:
        if len(degrees) < FEWEST_PAGES:
            return None
        self._fitting("degrees")
        return tail((each for each in degrees if each), chance(self._seed))


def chance(seed: int) -> Generator:
    import numpy

    return numpy.random.default_rng(seed)


def words(db: View, progress: Progress) -> tuple[Vocabulary, str]:
    """The vocabulary of the texts of the pages, in order of fetching, and how it was read."""
    texts = _Texts(db, progress)
    result = vocabulary(texts)
    return result, result.how + (f" Only the first {MOST_TEXT >> 20} MiB of text were read." if texts.more else "")


def _distribution(degrees: list[int]) -> Degrees:
    counts = sorted(Counter(each for each in degrees if each).items())
    return Degrees(degrees=tuple(degree for degree, _ in counts), pages=tuple(pages for _, pages in counts))


class _Texts:
    """The texts of the pages in order of fetching, up to MOST_TEXT bytes in all."""

    def __init__(self, db: View, progress: Progress) -> None:
        self._progress = progress
        (self._of,) = db.execute("SELECT count(*) FROM text").fetchone()
        self._db = db
        self.more = False  # than MOST_TEXT

    def __iter__(self) -> Iterator[str]:
        read = 0
        # ids first: a sort would carry the texts along
        rows = self._db.execute("SELECT url, text.size FROM text JOIN page USING (url) ORDER BY time, url").fetchall()
        for number, (url, size) in enumerate(rows):
            self._progress("words", number, self._of)
            read += size
            if read > MOST_TEXT:
                self.more = True
                return
            (packed,) = self._db.execute("SELECT text FROM text WHERE url = ?", (url,)).fetchone()
            yield zlib.decompress(packed).decode("utf-8", "replace")


def sections(crawls: Sequence[Laws]) -> list[Section]:
    return [
        _heaps("Heaps' law: distinct URLs by URLs found", [each.by_found for each in crawls]),
        _heaps("Heaps' law: distinct URLs by pages", [each.by_pages for each in crawls]),
        _heaps("Heaps' law: distinct URLs in scope by pages", [each.in_scope for each in crawls]),
        _heaps(
            "Heaps' law: vocabulary by words read", [each.by_tokens for each in crawls], [each.words for each in crawls]
        ),
        _zipf("Zipf's law of words", [each.zipf_words for each in crawls]),
        _zipf("Zipf's law of in-links", [each.zipf_links for each in crawls]),
        _tail("Power law of in-degrees", [each.in_degrees for each in crawls]),
        _tail("Power law of out-degrees", [each.out_degrees for each in crawls]),
    ]


def _rows_of(fits: Sequence[Fit | None]) -> Callable[[str, Callable[[Fit], Value]], Row]:
    """A function from a label and a figure to a row: the figure of each crawl, None without a fit."""

    def row(label: str, value: Callable[[Fit], Value]) -> Row:
        return Row(label=label, values=tuple(None if each is None else value(each) for each in fits))

    return row


def _heaps(title: str, laws: Sequence[Law | None], words: Sequence[Words] = ()) -> Section:
    row = _rows_of(laws)

    rows = (
        row("K", lambda law: law.k),
        row("  95 %", lambda law: _between(law.k_interval)),
        row("beta", lambda law: law.beta),
        row("  95 %", lambda law: _between(law.beta_interval)),
        row("Holds from", lambda law: "nowhere" if law.holds_from is None else round(law.holds_from)),
        row("  to", lambda law: None if law.holds_to is None else round(law.holds_to)),
        row("Total number, by the curve", _size),
        row("RMSE", lambda law: law.rmse),
        row("R squared", lambda law: law.r2),
    )
    read = [f" {each.how}" if each.tokens else "" for each in words] or [""] * len(laws)
    hows = tuple(how + more for how, more in zip(_hows(laws), read, strict=True))
    return Section(title=title, rows=rows, hows=hows)


def _zipf(title: str, laws: Sequence[Zipf | None]) -> Section:
    row = _rows_of(laws)

    rows = (
        row("Exponent s", lambda law: law.s),
        row("  standard error", lambda law: law.error),
        row("Ranks fitted", lambda law: law.head),
        row("Distinct", lambda law: law.things),
        row("Occurrences", lambda law: law.total),
    )
    return Section(title=title, rows=rows, hows=_hows(laws))


def _tail(title: str, tails: Sequence[Tail | None]) -> Section:
    row = _rows_of(tails)

    rows = (
        row("Exponent alpha", lambda each: each.alpha),
        row("  standard error", lambda each: each.error),
        row("From degree (xmin)", lambda each: each.xmin),
        row("Values in the tail", lambda each: each.tail),
        row("Goodness of fit, p", lambda each: "< 0.02" if each.p == 0 else each.p),
        row("Against lognormal: log likelihood ratio", lambda each: each.lognormal.ratio),
        row("  p", lambda each: each.lognormal.p),
        row("Against exponential: log likelihood ratio", lambda each: each.exponential.ratio),
        row("  p", lambda each: each.exponential.p),
    )
    return Section(title=title, rows=rows, hows=_hows(tails, TOO_FEW if installed(*REPORT) else NOT_INSTALLED))


def _size(law: Law) -> str | None:
    """Only if the curve holds to the end: later points refute a prediction from the points before a break."""
    if law.leaves != "pool" or law.size is None or law.size_interval is None or not math.isfinite(law.size):
        return None
    return f"{law.size:,.0f} (95 %: {_between(law.size_interval) or 'unknown'})"


def _between(interval: Interval) -> str | None:
    """An interval of which one end is not finite is open there."""
    low, high = math.isfinite(interval.low), math.isfinite(interval.high)
    if low and high:
        return f"{interval.low:,.4g} to {interval.high:,.4g}"
    return f"at least {interval.low:,.4g}" if low else f"at most {interval.high:,.4g}" if high else None


def _hows(fits: Sequence[Law | Zipf | Tail | None], without: str = TOO_FEW) -> tuple[str, ...]:
    return tuple(without if each is None else each.how for each in fits)
