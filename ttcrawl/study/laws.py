"""The growth laws of a crawl: Heaps' law of URLs and of words, Zipf's law, and the tails of the degrees."""

from __future__ import annotations

import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ttcrawl.report.layout import Row, Section, Value
from ttcrawl.report.summary import Growth
from ttcrawl.stats.law import Interval, Law, examine
from ttcrawl.stats.tails import Tail, tail
from ttcrawl.stats.vocabulary import vocabulary
from ttcrawl.stats.zipf import Zipf, zipf

if TYPE_CHECKING:
    from numpy.random import Generator

Fit = TypeVar("Fit", Law, Zipf, Tail)

#: Bytes of text that are read for the laws of words, some 10 seconds of work.
MOST_TEXT = 64 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The series of the vocabulary, over the pages in the order in which they were fetched."""

    tokens: tuple[int, ...]
    words: tuple[int, ...]
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Degrees:
    """`pages[i]` pages have `degrees[i]` links, in order of degrees, pages without any left out."""

    degrees: tuple[int, ...]
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Laws:
    """None where there is too little to fit."""

    by_found: Law | None  # distinct URLs against URLs found
    by_pages: Law | None  # distinct URLs against pages
    by_tokens: Law | None  # distinct words against words
    words: Words
    zipf_words: Zipf | None
    zipf_links: Zipf | None  # of in-links
    in_degrees: Tail | None
    out_degrees: Tail | None
    in_distribution: Degrees
    out_distribution: Degrees


def read(
    db: sqlite3.Connection, growth: Growth, inlinks: Iterable[int], degrees: tuple[list[int], list[int]], rng: Generator
) -> Laws:
    """`inlinks`: pages that link to each URL; `degrees`: in- and out-degrees of the pages."""
    texts = _Texts(db)
    vocabulary_of = vocabulary(texts)
    cut = f" Only the first {MOST_TEXT >> 20} MiB of text were read." if texts.more else ""
    return Laws(
        by_found=examine(growth.found, growth.distinct_urls, rng),
        by_pages=examine(growth.pages, growth.distinct_urls, rng),
        by_tokens=examine(vocabulary_of.tokens, vocabulary_of.words, rng),
        words=Words(tokens=vocabulary_of.tokens, words=vocabulary_of.words, how=vocabulary_of.how + cut),
        zipf_words=zipf(vocabulary_of.counts.values()),
        zipf_links=zipf(inlinks),
        in_degrees=tail((each for each in degrees[0] if each), rng),
        out_degrees=tail((each for each in degrees[1] if each), rng),
        in_distribution=_distribution(degrees[0]),
        out_distribution=_distribution(degrees[1]),
    )


def _distribution(degrees: list[int]) -> Degrees:
    counts = sorted(Counter(each for each in degrees if each).items())
    return Degrees(degrees=tuple(degree for degree, _ in counts), pages=tuple(pages for _, pages in counts))


class _Texts:
    """The texts of the pages in the order in which they were fetched, up to MOST_TEXT bytes in all."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._rows = db.execute("SELECT text, text.size FROM text JOIN page USING (url) ORDER BY at, url")
        self.more = False  # than that

    def __iter__(self) -> Iterator[str]:
        size = 0
        for packed, length in self._rows:
            size += length
            if size > MOST_TEXT:
                self.more = True
                return
            yield zlib.decompress(packed).decode("utf-8", "replace")


def sections(crawls: Sequence[Laws]) -> list[Section]:
    return [
        _heaps("Heaps' law: distinct URLs by URLs found", [each.by_found for each in crawls]),
        _heaps("Heaps' law: distinct URLs by pages", [each.by_pages for each in crawls]),
        _heaps(
            "Heaps' law: vocabulary by words read", [each.by_tokens for each in crawls], [each.words for each in crawls]
        ),
        _zipf("Zipf's law of words", [each.zipf_words for each in crawls]),
        _zipf("Zipf's law of in-links", [each.zipf_links for each in crawls]),
        _tail("Power law of in-degrees", [each.in_degrees for each in crawls]),
        _tail("Power law of out-degrees", [each.out_degrees for each in crawls]),
    ]


def _rows_of(found: Sequence[Fit | None]) -> Callable[[str, Callable[[Fit], Value]], Row]:
    """A function from a label and a figure to a row: of each crawl its figure, nothing where nothing was fitted."""

    def row(label: str, value: Callable[[Fit], Value]) -> Row:
        return Row(label=label, values=tuple(None if each is None else value(each) for each in found))

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
        row("Things there are, by the curve", _size),
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
    return Section(title=title, rows=rows, hows=_hows(tails))


def _size(law: Law) -> str | None:
    """Only where the curve holds to the end: what the points before a break say of the rest, the rest has refuted."""
    if law.leaves != "pool" or law.size is None or law.size_interval is None:
        return None
    return f"{law.size:,.0f} (95 %: {_between(law.size_interval)})"


def _between(interval: Interval) -> str:
    return f"{interval.low:,.4g} to {interval.high:,.4g}"


def _hows(found: Sequence[Law | Zipf | Tail | None]) -> tuple[str, ...]:
    return tuple("There is too little to fit." if each is None else each.how for each in found)
