"""A model at work: a page -> its margin and probability, or the words that gave the points. Needs no scikit-learn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import repeat
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ttcrawl.topic.model import BITS, Model, probability
from ttcrawl.topic.ngrams import codes, sequence
from ttcrawl.topic.page import Page

#: Words that are named of a page: those that speak for its relevance most.
MOST_WORDS = 10

_Numbers: TypeAlias = NDArray[np.intp]
_Values: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """What a model makes of a page. `margin`: the decision value, larger is more relevant. `probability`: 0 to 1."""

    accepted: bool
    margin: float
    probability: float
    terms: tuple[str, ...]  # the n-grams that gave most points, most first; those that took points are not among them


@dataclass(frozen=True, slots=True, kw_only=True)
class TermPoints:
    """What an n-gram gives to the margin of a page."""

    term: str
    count: int
    points: float


class Classifier:
    def __init__(self, model: Model) -> None:
        self.model = model
        #: Words -> numbers from 1, and the n-grams by the codes of these, in order.
        self._words: dict[str, int] = {}
        for text, _, _ in model.terms:
            for word in text.split(" "):
                self._words.setdefault(word, len(self._words) + 1)
        known = np.array([self._code(text) for text, _, _ in model.terms], dtype=np.int64)
        self._order = np.argsort(known)
        self._codes = known[self._order]
        self._idf = np.array([idf for _, idf, _ in model.terms], dtype=np.float64)
        self._weights = np.array([weight for _, _, weight in model.terms], dtype=np.float64)

    def score(self, page: Page) -> Rating:
        numbers, _, values = self._vector(page)
        return self._rating(page, numbers, values)

    def explain(self, page: Page) -> tuple[Rating, list[TermPoints]]:
        """Return the rating, and what every n-gram of the model gives, most points first. Points + bias = margin."""
        numbers, counts, values = self._vector(page)
        points = values * self._weights[numbers]
        result = [
            TermPoints(term=self.model.terms[number][0], count=count, points=each)
            for number, count, each in zip(numbers.tolist(), counts.tolist(), points.tolist(), strict=True)
        ]
        result.sort(key=lambda each: (-abs(each.points), each.term))
        return self._rating(page, numbers, values), result

    def _code(self, text: str) -> int:
        code = 0
        for word in text.split(" "):
            code = code << BITS | self._words[word]
        return code

    def _vector(self, page: Page) -> tuple[_Numbers, _Numbers, _Values]:
        """(Numbers of the n-grams in the page, how often they occur, their TF-IDF: a vector of length 1)."""
        words = np.array(list(map(self._words.get, sequence(page), repeat(0))), dtype=np.int64)
        unique, times = np.unique(codes(words, self.model.ngrams), return_counts=True)
        at = np.searchsorted(self._codes, unique)
        at[at == len(self._codes)] = 0
        hit = self._codes[at] == unique if self._codes.size else np.zeros(len(unique), dtype=np.bool_)
        numbers, counts = self._order[at[hit]], times[hit]
        values = (1.0 + np.log(counts)) * self._idf[numbers]
        length_of_page = math.sqrt(float(values @ values))
        return numbers, counts, values / length_of_page if length_of_page else values

    def _rating(self, page: Page, numbers: _Numbers, values: _Values) -> Rating:
        weights = self._weights[numbers]
        margin = self.model.bias + float(values @ weights)
        points = values * weights
        most = np.argsort(-points, kind="stable")[:MOST_WORDS]  # equal ones in the order of the model's words
        return Rating(
            accepted=margin >= self.model.threshold,
            margin=margin,
            probability=probability(margin, self.model.slope, self.model.offset),
            terms=tuple([self.model.terms[number][0] for number in numbers[most[points[most] > 0]].tolist()]),
        )
