"""Term list and algorithm, loaded once: a page -> its score, or how its score came about.

Plain: a term gives its weight for each time it occurs, times the weight of the part of the page.
Position: all parts are one text; an occurrence gives less the later it stands, and @and less the farther apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from ttcrawl.topic import combine, combine_words, words
from ttcrawl.topic.combine_position import CombinePosition
from ttcrawl.topic.matcher import Matcher
from ttcrawl.topic.page import HEADINGS, METADATA, TEXT, TITLE, Page, Words
from ttcrawl.topic.regex import at_perl_boundaries, at_word_boundaries
from ttcrawl.topic.score import FLAT, PLAIN, POSITION, ClassPoints, CutOffs, TopicScore, decide
from ttcrawl.topic.sites import Sites
from ttcrawl.topic.terms import Term, TermList
from ttcrawl.topic.text import Text

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
        """`cut_offs`: None: as in Combine."""
        self._list = terms
        self._hierarchy = hierarchy
        self._sites = sites
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
        stand_ins, encoding = (combine.STAND_INS, "latin-1") if compatible else (None, "utf-8")
        self._matcher = Matcher(list(numbers), bounded, stand_ins, encoding)
        self._by_words = CombinePosition(terms.terms) if compatible and not self._plain else None

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
        of_page = combine_words.words_of if self._list.compatible else words.words_of
        return of_page(page, self._list.stop_words)

    @property
    def terms(self) -> tuple[Term, ...]:
        return self._list.terms

    def points(self, text: str) -> float:
        """Return the points of all terms in a short text, each as often as it occurs, wherever."""
        part = combine_words.converted if self._list.compatible else words.part
        return sum(value for _, _, value in self._counted(part(text, self._list.stop_words)))

    def match(self, words: bytes) -> dict[str, float]:
        """Return class -> points in one text, without weights of locations. `words`: as of a page."""
        points: dict[str, float] = {}
        text = Text([words], is_squeezed=self._list.compatible)
        for term, _, value in self._counted(words) if self._plain else self._placed(text):
            for name in term.classes:
                points[name] = points.get(name, 0.0) + value
        return points

    def joined(self, page: Words) -> bytes:
        """Return the one text of the algorithm by position."""
        return b" ".join((page.title, page.path, page.metadata, page.headings, page.text))

    def _decided(self, page: Page, matches: Iterable[Match]) -> TopicScore:
        classes: dict[str, ClassPoints] = {}
        for term, _, _, points, per_word in matches:
            for name in term.classes:
                if (of_class := classes.get(name)) is None:
                    classes[name] = ClassPoints(points, per_word, {term.text: None})
                else:
                    of_class.absolute += points
                    of_class.normalised += per_word
                    of_class.terms[term.text] = None
        site_ok = self._sites is not None and self._sites.match(page.urls)
        return decide(classes, self.cut_offs, self._hierarchy, site_ok=site_ok)

    def _matches(self, page: Words) -> Iterator[Match]:
        if not self._plain:
            text = Text([self.joined(page)], is_squeezed=self._list.compatible)
            in_words = page.counts[TEXT] if page.counts else text.count(0)
            for term, count, points in self._placed(text):
                yield term, JOINED, count, points, points / in_words
            return
        texts = {TITLE: page.title, METADATA: page.metadata, HEADINGS: page.headings, TEXT: page.text}
        text = self._text([*texts.values()])
        for part, (location, counts) in enumerate(zip(texts, self._matcher.counts(text), strict=True)):
            if counts:
                of_part = METADATA if location == TITLE and page.counts else location
                weight, in_words = WEIGHTS[location], page.counts[of_part] if page.counts else text.count(part)
                for term, count, points in self._weighted(counts):
                    yield term, location, count, points * weight, points * weight / in_words

    def _text(self, parts: Sequence[bytes]) -> Text:
        """The text of the plain algorithm."""
        if self._list.compatible:
            return Text([part if len(part) >= combine.SHORTEST else b"" for part in parts], is_squeezed=True)
        return Text(parts)

    def _counted(self, words: bytes) -> Iterator[tuple[Term, int, float]]:
        """(Term, how often it occurs, its points without weights of locations) in one text."""
        return self._weighted(self._matcher.counts(self._text([words]))[0])

    def _weighted(self, counts: Mapping[int, int]) -> Iterator[tuple[Term, int, float]]:
        for number, count in counts.items():
            for term in self._single[number]:
                yield term, count, term.weight * count
            for term, numbers in self._joint.get(number, ()):
                if least := min(counts.get(each, 0) for each in numbers):
                    yield term, least, term.weight * least

    def _placed(self, text: Text) -> Iterable[tuple[Term, int, float]]:
        if self._by_words:
            yield from self._by_words.values(text.part(0))
            return
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
