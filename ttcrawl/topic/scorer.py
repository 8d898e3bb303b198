"""Term list and algorithm, loaded once: a page -> its score, or how its score came about.

Plain: a term gives its weight for each time it occurs, times the weight of the part of the page.
Position: all parts are one text; an occurrence gives less the later it stands, and @and less the farther apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from ttcrawl.topic import combine, words
from ttcrawl.topic.combine_position import values as combine_values
from ttcrawl.topic.matcher import Matcher
from ttcrawl.topic.page import HEADINGS, METADATA, TEXT, TITLE, Page, Words
from ttcrawl.topic.regex import at_perl_boundaries, at_word_boundaries
from ttcrawl.topic.score import FLAT, PLAIN, POSITION, CutOffs, Points, TopicScore, decide
from ttcrawl.topic.sites import Sites
from ttcrawl.topic.terms import Term, TermList

ALGORITHMS = ("plain", "position")

#: How much a match counts, by where it is.
WEIGHTS = {TITLE: 10, METADATA: 4, HEADINGS: 2, TEXT: 1}
JOINED = "page"

#: Term, location, how often it matches, points for each of its classes, and these for each word of the location.
Match: TypeAlias = tuple[Term, str, int, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A term that matched. `points`: what each of its classes gets. `per_word`: the same, normalised."""

    term: Term
    location: str
    count: int
    points: float
    per_word: float


class Scorer:
    """Raises ValueError for a list that needs too much memory."""

    def __init__(
        self,
        terms: TermList,
        algorithm: str = "plain",
        *,
        hierarchy: str = FLAT,
        sites: Sites | None = None,
        cut_offs: CutOffs | None = None,
    ) -> None:
        """`cut_offs`: None for those of Combine."""
        self._list, self._hierarchy, self._sites = terms, hierarchy, sites
        self._plain = algorithm == "plain"
        self.cut_offs: CutOffs = cut_offs or (PLAIN if self._plain else POSITION)
        numbers: dict[str, int] = {}
        for term in terms.terms:
            for needle in term.needles:
                numbers.setdefault(needle, len(numbers))
        #: By number of their first needle: the terms of one needle, and those with @and with all their needles.
        self._single: list[list[Term]] = [[] for _ in numbers]
        self._joint: dict[int, list[tuple[Term, list[int]]]] = {}
        for term in terms.terms:
            all_numbers = [numbers[needle] for needle in term.needles]
            if len(all_numbers) == 1:
                self._single[all_numbers[0]].append(term)
            else:
                self._joint.setdefault(all_numbers[0], []).append((term, all_numbers))
        compatible = terms.compatible
        bounded = at_perl_boundaries if compatible else at_word_boundaries
        self._matcher = Matcher(list(numbers), bounded, combine.STAND_INS if compatible else None)

    def score(self, page: Page) -> TopicScore:
        """Return the score of a page."""
        return self._decided(page, self._matches(self.words(page)))

    def explain(self, page: Page) -> tuple[TopicScore, list[Hit]]:
        """Return the score, and every term that matched in a part of the page, most points first."""
        matches = list(self._matches(self.words(page)))
        hits = [
            Hit(term=term, location=location, count=count, points=points, per_word=per_word)
            for term, location, count, points, per_word in matches
        ]
        hits.sort(key=lambda hit: (-abs(hit.points), hit.term.line, hit.location))
        return self._decided(page, matches), hits

    def words(self, page: Page) -> Words:
        """Return the words of a page as they are matched."""
        of_page = combine.words_of if self._list.compatible else words.words_of
        return of_page(page, self._list.stop_words)

    @property
    def terms(self) -> tuple[Term, ...]:
        return self._list.terms

    def points(self, text: str) -> float:
        """Return the points of all terms in a short text, each as often as it occurs, wherever."""
        stop_words = self._list.stop_words
        text = combine.converted(text, stop_words) if self._list.compatible else words.joined(text, stop_words)[0]
        return sum(value for _, _, value in self._counted([text])[0])

    def match(self, text: str) -> dict[str, float]:
        """Return class -> points in one text, without weights of locations."""
        points: dict[str, float] = {}
        for term, _, value in self._found(text):
            for name in term.classes:
                points[name] = points.get(name, 0.0) + value
        return points

    def joined(self, page: Words) -> str:
        """Return the one text of the algorithm by position."""
        parts = (page.title, page.path, page.metadata, page.headings, page.text)
        return " ".join(parts if self._list.compatible else filter(None, parts))

    def _decided(self, page: Page, matches: Iterable[Match]) -> TopicScore:
        absolute: dict[str, float] = {}
        normalised: dict[str, float] = {}
        terms: dict[str, dict[str, None]] = {}
        for term, _, _, points, per_word in matches:
            for name in term.classes:
                absolute[name] = absolute.get(name, 0.0) + points
                normalised[name] = normalised.get(name, 0.0) + per_word
                terms.setdefault(name, {})[term.text] = None
        site_ok = self._sites is not None and self._sites.match(page.urls)
        of_classes = {name: tuple(texts) for name, texts in terms.items()}
        result = Points(absolute=absolute, normalised=normalised, terms=of_classes)
        return decide(result, self.cut_offs, self._hierarchy, site_ok=site_ok)

    def _matches(self, page: Words) -> Iterable[Match]:
        compatible = self._list.compatible
        if not self._plain:
            text = self.joined(page)
            in_words = page.counts[TEXT] if compatible else max(1, text.count(" ") + 1)
            for term, count, points in self._found(text):
                yield term, JOINED, count, points, points / in_words
            return
        texts = {TITLE: page.title, METADATA: page.metadata, HEADINGS: page.headings, TEXT: page.text}
        for location, matches in zip(texts, self._counted([*texts.values()]), strict=True):
            weight, in_words = (
                WEIGHTS[location],
                page.counts[METADATA if location == TITLE and compatible else location],
            )
            for term, count, points in matches:
                yield term, location, count, points * weight, points * weight / in_words

    def _found(self, text: str) -> Iterable[tuple[Term, int, float]]:
        """(Term, how often it occurs, its points without weights of locations)."""
        if self._plain:
            return self._counted([text])[0]
        return combine_values(self._list.terms, text) if self._list.compatible else self._placed(text)

    def _counted(self, texts: Sequence[str]) -> list[list[tuple[Term, int, float]]]:
        """The same for each of several texts."""
        if self._list.compatible:
            texts = [text if len(text) >= combine.SHORTEST else "" for text in texts]
        return [list(self._weighted(counts)) for counts in self._matcher.counts(texts)]

    def _weighted(self, counts: Mapping[int, int]) -> Iterable[tuple[Term, int, float]]:
        for number, count in counts.items():
            for term in self._single[number]:
                yield term, count, term.weight * count
            for term, numbers in self._joint.get(number, ()):
                if least := min(counts.get(each, 0) for each in numbers):
                    yield term, least, term.weight * least

    def _placed(self, text: str) -> Iterable[tuple[Term, int, float]]:
        positions = self._matcher.positions(text)
        for number, at in positions.items():
            for term in self._single[number]:
                yield term, len(at), term.weight * sum(1 / math.log(0.5 * p + 1) for p in at)
            for term, numbers in self._joint.get(number, ()):
                rounds = list(zip(*(positions.get(each, ()) for each in numbers), strict=False))
                if rounds:
                    yield term, len(rounds), term.weight * sum(map(_value, rounds))


def _value(round: tuple[int, ...]) -> float:
    """What one occurrence of all components gives for each point of weight."""
    apart = sum(abs(a - b) for a, b in pairwise(round)) / (len(round) - 1)
    return 1 / (math.log(0.5 * min(round) + 1) * math.log(max(1.0, apart) + 1))
