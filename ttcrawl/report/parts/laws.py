"""The growth laws of a crawl: Heaps' law of URLs and of terms, Zipf's law, and the tails of the degrees.

Tokens are the running words of a text, terms the different ones among them: the vocabulary (Manning, Raghavan and
Schuetze, Introduction to Information Retrieval, 2008, section 2.2). "Words" are what other parts of a report count.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, replace
from functools import cached_property
from typing import Any, get_type_hints

from ttcrawl.errors import REPORT, installed
from ttcrawl.output.layout import Row, Section
from ttcrawl.report.laws import texts
from ttcrawl.report.laws.function_words import contents
from ttcrawl.report.laws.heaps import FEWEST_PAGES, Interval
from ttcrawl.report.laws.law import Law, examine
from ttcrawl.report.laws.pool import Pool
from ttcrawl.report.laws.statement import BY_FOUND, BY_MAIN, BY_PAGES, IN_SCOPE, TERMS, Subject
from ttcrawl.report.laws.tails import DRAWS, Tail, tail
from ttcrawl.report.laws.texts import Vocabularies
from ttcrawl.report.laws.vocabulary import Vocabulary
from ttcrawl.report.laws.zipf import Zipf, zipf
from ttcrawl.report.lazily import lazily
from ttcrawl.report.main_growth import LinkSeries
from ttcrawl.report.of_links import ALL, MAIN
from ttcrawl.report.part import Group
from ttcrawl.report.rows import row_if
from ttcrawl.report.sources import Sources

TOO_FEW = f"Too few values to fit: a law needs {FEWEST_PAGES} pages."
NOT_INSTALLED = "Not computed: this test needs pip install 'ttcrawl[report]'."

#: The laws whose tests need the extra.
TESTED = ("in_degrees", "out_degrees", "all_in_degrees", "all_out_degrees")

#: Terms in the list of the most frequent ones.
MOST_WORDS = 10
HOW_TERMS = (
    "Of the main texts, without single letters, and without articles, pronouns, auxiliaries and the like of"
    " the language of each page."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The series of the vocabulary, over the pages in order of fetching: `words` terms among the first `tokens`."""

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
    """A field is None if there is too little data for a fit; the tails also without the extra `report`.

    What is by all links is None too if all links are links of the main text, but for `by_found` and `zipf_links`,
    which are by all links, beside which there are then none by the main text.
    """

    by_found: Law | None  # distinct URLs against URLs found
    by_main_found: Law | None  # the same, by the links of the main text
    main_growth: LinkSeries
    by_pages: Law | None  # distinct URLs against pages
    in_scope: Law | None  # distinct URLs in scope against pages
    by_tokens: Law | None  # terms against tokens of the main texts
    by_all_tokens: Law | None  # the same of the complete texts, with menus
    words: Words  # of the main texts
    all_words: Words
    frequent_words: Mapping[str, int]  # the most frequent terms without function words, and their occurrences
    zipf_words: Zipf | None  # of the main texts
    zipf_all_words: Zipf | None
    zipf_links: Zipf | None  # in-links
    zipf_main_links: Zipf | None
    degrees_of: str  # the links by which degrees and distributions are: main text or, if these are all, all links
    in_degrees: Tail | None
    out_degrees: Tail | None
    all_in_degrees: Tail | None
    all_out_degrees: Tail | None
    in_distribution: Degrees
    out_distribution: Degrees


def read(sources: Sources) -> Laws:
    """The laws, each fitted at its first use."""
    fits, kinds = _Fits(sources), get_type_hints(Laws)

    def fit(law: Field[Any]) -> Any:
        if law.name in TESTED and not installed(*REPORT):
            return None
        return sources.cache.get(f"law {law.name}", kinds[law.name], getattr(fits, law.name))

    return lazily(Laws, fit)


class _Fits:
    """What computes each field of Laws. Random numbers start anew for each law, so their order does not matter."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._growth = sources.growth

    @cached_property
    def _vocabularies(self) -> Vocabularies:
        with self._sources.step("tokens"):
            return texts.read(self._sources.db, self._sources.progress)

    @property
    def _main(self) -> tuple[Vocabulary, str]:
        return self._vocabularies.main

    @property
    def _all(self) -> tuple[Vocabulary, str]:
        return self._vocabularies.complete

    @cached_property
    def _in_and_out(self) -> tuple[list[int], list[int]]:
        network = self._sources.network
        return network.in_degree().tolist(), network.out_degree().tolist()

    def by_found(self) -> Law | None:
        return self._heaps(self._growth.found, self._growth.distinct_urls, BY_FOUND)

    def by_main_found(self) -> Law | None:
        series = self._sources.links.main_growth
        return self._heaps(series.links, series.distinct_urls, BY_MAIN)

    def main_growth(self) -> LinkSeries:
        return self._sources.links.main_growth

    def by_pages(self) -> Law | None:
        return self._heaps(self._growth.pages, self._growth.distinct_urls, BY_PAGES)

    def in_scope(self) -> Law | None:
        return self._heaps(*self._growth.series_in_scope, IN_SCOPE)

    def by_tokens(self) -> Law | None:
        return self._heaps(self._main[0].tokens, self._main[0].words, TERMS)

    def by_all_tokens(self) -> Law | None:
        return self._heaps(self._all[0].tokens, self._all[0].words, TERMS)

    def words(self) -> Words:
        return _series(*self._main)

    def all_words(self) -> Words:
        return _series(*self._all)

    def frequent_words(self) -> Mapping[str, int]:
        return contents(self._main[0].counts, self._vocabularies.function_words, MOST_WORDS)

    def zipf_words(self) -> Zipf | None:
        return zipf(self._main[0].counts.values()) if self._growth.enough else None

    def zipf_all_words(self) -> Zipf | None:
        return zipf(self._all[0].counts.values()) if self._growth.enough else None

    def zipf_links(self) -> Zipf | None:
        return zipf(self._sources.links.sources.tolist(), "in-links") if self._growth.enough else None

    def zipf_main_links(self) -> Zipf | None:
        if not self._growth.enough or not self._sources.links.main_growth.links:
            return None
        return zipf(self._sources.links.main_sources.tolist(), "in-links from main texts")

    def degrees_of(self) -> str:
        return MAIN if self._sources.networks.differ else ALL

    def all_in_degrees(self) -> Tail | None:
        networks = self._sources.networks
        return self._tail(networks.all.in_degree().tolist(), "in-degrees") if networks.differ else None

    def all_out_degrees(self) -> Tail | None:
        networks = self._sources.networks
        return self._tail(networks.all.out_degree().tolist(), "out-degrees") if networks.differ else None

    def in_degrees(self) -> Tail | None:
        return self._tail(self._in_and_out[0], "in-degrees")

    def out_degrees(self) -> Tail | None:
        return self._tail(self._in_and_out[1], "out-degrees")

    def in_distribution(self) -> Degrees:
        return _distribution(self._in_and_out[0])

    def out_distribution(self) -> Degrees:
        return _distribution(self._in_and_out[1])

    def _heaps(self, n: Sequence[float], v: Sequence[float], subject: Subject) -> Law | None:
        if not self._growth.enough:
            return None
        self._sources.progress("growth laws", 0, 0)
        return examine(n, v, self._sources.chance(), subject)

    def _tail(self, degrees: list[int], things: str) -> Tail | None:
        if len(degrees) < FEWEST_PAGES:
            return None
        self._sources.progress("degrees", 0, 0)
        return tail((each for each in degrees if each), self._sources.chance(), things)


def _series(read: Vocabulary, how: str) -> Words:
    return Words(tokens=read.tokens, words=read.words, how=how)


def _distribution(degrees: list[int]) -> Degrees:
    counts = sorted(Counter(each for each in degrees if each).items())
    return Degrees(degrees=tuple(degree for degree, _ in counts), pages=tuple(pages for _, pages in counts))


def sections(crawls: Sequence[Laws]) -> list[Section]:
    return [
        *_by_links(crawls),
        _heaps("Growth law: distinct URLs by pages", [each.by_pages for each in crawls]),
        _heaps("Growth law: distinct URLs in scope by pages", [each.in_scope for each in crawls]),
        _heaps(
            "Growth law: terms by tokens of the main text",
            [each.by_tokens for each in crawls],
            [each.words for each in crawls],
        ),
        _heaps(
            "Growth law: terms by tokens of the complete text",
            [each.by_all_tokens for each in crawls],
            [each.all_words for each in crawls],
        ),
        *_frequent(crawls),
        _zipf("Zipf's law of terms of the main text", [each.zipf_words for each in crawls]),
        _zipf("Zipf's law of terms of the complete text", [each.zipf_all_words for each in crawls]),
        *_of_links(crawls),
    ]


def _by_links(crawls: Sequence[Laws]) -> list[Section]:
    """By the links of the main text, if these are others, and by all links."""
    every = _heaps(f"Growth law: distinct URLs by URLs found ({ALL})", [each.by_found for each in crawls])
    if not any(each.main_growth.links for each in crawls):
        return [every]
    of_main = _heaps(f"Growth law: distinct URLs by URLs found ({MAIN})", [each.by_main_found for each in crawls])
    return [replace(of_main, links="main"), replace(every, links="all")]


def _of_links(crawls: Sequence[Laws]) -> list[Section]:
    """Zipf's law of in-links and the power laws of degrees: by the main text, if its links are others, and by all."""
    differ = any(each.main_growth.links for each in crawls)
    every = [
        _zipf(f"Zipf's law of in-links ({ALL})", [each.zipf_links for each in crawls]),
        _tail(
            f"Power law of in-degrees ({ALL})", [each.all_in_degrees if differ else each.in_degrees for each in crawls]
        ),
        _tail(
            f"Power law of out-degrees ({ALL})",
            [each.all_out_degrees if differ else each.out_degrees for each in crawls],
        ),
    ]
    if not differ:
        return every
    of_main = [
        _zipf(f"Zipf's law of in-links ({MAIN})", [each.zipf_main_links for each in crawls]),
        _tail(f"Power law of in-degrees ({MAIN})", [each.in_degrees for each in crawls]),
        _tail(f"Power law of out-degrees ({MAIN})", [each.out_degrees for each in crawls]),
    ]
    return [
        each
        for main, of_all in zip(of_main, every, strict=True)
        for each in (replace(main, links="main"), replace(of_all, links="all"))
    ]


def _heaps(title: str, laws: Sequence[Law | None], words: Sequence[Words] = ()) -> Section:
    rows: tuple[Row, ...] = (
        row_if("K", laws, lambda law: law.k),
        row_if("  95 %", laws, lambda law: _between(law.k_interval)),
        row_if("beta", laws, lambda law: law.beta),
        row_if("  95 %", laws, lambda law: _between(law.beta_interval)),
        row_if("Holds from", laws, lambda law: "nowhere" if law.holds_from is None else round(law.holds_from)),
        row_if("  to", laws, lambda law: None if law.holds_to is None else round(law.holds_to)),
        row_if("Total number, by the curve", laws, _size),
        row_if("RMSE", laws, lambda law: law.rmse),
        row_if("R squared", laws, lambda law: law.r2),
    )
    rows += _pool([None if law is None else law.pool for law in laws])
    read = [f" {each.how}" if each.tokens else "" for each in words] or [""] * len(laws)
    hows = tuple(how + more for how, more in zip(_hows(laws), read, strict=True))
    sentences = ("" if law is None else " ".join(filter(None, (law.sentence, law.pool_sentence))) for law in laws)
    return Section(title=title, rows=rows, hows=hows, statements=tuple(sentences))


def _pool(pools: Sequence[Pool | None]) -> tuple[Row, ...]:
    """The rows of the second model; none if it holds for no crawl."""
    if not any(pools):
        return ()
    return (
        row_if("In a finite pool: K", pools, lambda pool: pool.k),
        row_if("  95 %", pools, lambda pool: _between(pool.k_interval)),
        row_if("  beta", pools, lambda pool: pool.beta),
        row_if("  95 %", pools, lambda pool: _between(pool.beta_interval)),
        row_if("  N", pools, lambda pool: round(pool.size) if math.isfinite(pool.size) else None),
        row_if("  holds from", pools, lambda pool: round(pool.holds_from)),
        row_if("  to", pools, lambda pool: round(pool.holds_to)),
    )


def _frequent(crawls: Sequence[Laws]) -> list[Section]:
    """Of one crawl: several have different words."""
    rows = [Row(label=word, values=(count,)) for each in crawls for word, count in each.frequent_words.items()]
    if len(crawls) > 1 or not rows:
        return []
    return [
        Section(
            title="Most frequent terms",
            rows=tuple(rows),
            columns=("occurrences",),
            subject="term",
            how=HOW_TERMS,
            group=Group.CONTENTS,
        )
    ]


def _zipf(title: str, laws: Sequence[Zipf | None]) -> Section:
    rows = (
        row_if("Exponent s", laws, lambda law: law.s),
        row_if("  standard error", laws, lambda law: law.error),
        row_if("Holds from rank", laws, lambda law: law.first if law.holds else "nowhere"),
        row_if("  to", laws, lambda law: law.head if law.holds else None),
        row_if("Distinct", laws, lambda law: law.things),
        row_if("Occurrences", laws, lambda law: law.total),
    )
    return Section(title=title, rows=rows, hows=_hows(laws), statements=_statements(laws))


def _tail(title: str, tails: Sequence[Tail | None]) -> Section:
    rows = (
        row_if("Exponent alpha", tails, lambda each: each.alpha),
        row_if("  standard error", tails, lambda each: each.error),
        row_if("From degree (xmin)", tails, lambda each: each.xmin),
        row_if("Values in the tail", tails, lambda each: each.tail),
        row_if("Goodness of fit, p", tails, lambda each: f"< {1 / DRAWS:g}" if each.p == 0 else each.p),
        row_if("Against lognormal: log likelihood ratio", tails, lambda each: each.lognormal.ratio),
        row_if("  p", tails, lambda each: each.lognormal.p),
        row_if("Against exponential: log likelihood ratio", tails, lambda each: each.exponential.ratio),
        row_if("  p", tails, lambda each: each.exponential.p),
    )
    hows = _hows(tails, TOO_FEW if installed(*REPORT) else NOT_INSTALLED)
    return Section(title=title, rows=rows, hows=hows, statements=_statements(tails))


def _size(law: Law) -> str | None:
    """Only if the curve holds to the end: later points refute a prediction from the points before a break."""
    if law.leaves != "pool" or law.size is None or law.size_interval is None or not math.isfinite(law.size):
        return None
    return f"{law.size:,.0f} (95 %: {_between(law.size_interval) or 'unknown'})"


def _between(interval: Interval) -> str | None:
    """An interval is open at an end that is not finite."""
    low, high = math.isfinite(interval.low), math.isfinite(interval.high)
    if low and high:
        return f"{interval.low:,.4g} to {interval.high:,.4g}"
    return f"at least {interval.low:,.4g}" if low else f"at most {interval.high:,.4g}" if high else None


def _statements(fits: Sequence[Zipf | Tail | None]) -> tuple[str, ...]:
    return tuple("" if each is None else each.sentence for each in fits)


def _hows(fits: Sequence[Law | Zipf | Tail | None], without: str = TOO_FEW) -> tuple[str, ...]:
    return tuple(without if each is None else each.how for each in fits)
