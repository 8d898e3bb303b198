"""A model at work: a page -> its margin and probability, or the words that gave the points. Needs no scikit-learn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ttcrawl.topic.model import Model
from ttcrawl.topic.ngrams import sequence
from ttcrawl.topic.page import Page
from ttcrawl.topic.sites import Sites

_Numbers: TypeAlias = NDArray[np.intp]
_Values: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """What a model makes of a page. `margin`: the decision value, larger is more relevant. `probability`: 0 to 1."""

    accepted: bool
    margin: float
    probability: float
    site_ok: bool  # accepted whatever the margin


@dataclass(frozen=True, slots=True, kw_only=True)
class TermPoints:
    """What an n-gram gives to the margin of a page."""

    term: str
    count: int
    points: float


class Classifier:
    def __init__(self, model: Model, *, sites: Sites | None = None) -> None:
        self.model = model
        self._sites = sites
        #: Of each length: word, or tuple of words -> number from 1.
        self._tables: list[dict[Any, int]] = [{} for _ in range(model.ngrams)]
        for number, (text, _, _) in enumerate(model.terms, 1):
            words = tuple(text.split(" "))
            self._tables[len(words) - 1][words if len(words) > 1 else text] = number
        self._idf = np.array([0.0, *(idf for _, idf, _ in model.terms)])
        self._weights = np.array([0.0, *(weight for _, _, weight in model.terms)])

    def score(self, page: Page) -> Rating:
        numbers, _, values = self._vector(page)
        return self._rating(page, self.model.bias + float(values @ self._weights[numbers]))

    def explain(self, page: Page) -> tuple[Rating, list[TermPoints]]:
        """Return the rating, and what every n-gram of the model gives, most points first. Points + bias = margin."""
        numbers, counts, values = self._vector(page)
        points = values * self._weights[numbers]
        result = [
            TermPoints(term=self.model.terms[number - 1][0], count=count, points=each)
            for number, count, each in zip(numbers.tolist(), counts.tolist(), points.tolist(), strict=True)
        ]
        result.sort(key=lambda each: (-abs(each.points), each.term))
        return self._rating(page, self.model.bias + float(values @ self._weights[numbers])), result

    def _vector(self, page: Page) -> tuple[_Numbers, _Numbers, _Values]:
        """(Numbers of the n-grams in the page, how often they occur, their TF-IDF: a vector of length 1)."""
        words = sequence(page)
        found: list[int] = []
        for length, table in enumerate(self._tables, 1):
            ngrams: Any = words if length == 1 else zip(*(words[start:] for start in range(length)), strict=False)
            found += filter(None, map(table.get, ngrams))
        numbers, counts = np.unique(np.array(found, dtype=np.intp), return_counts=True)
        values = (1.0 + np.log(counts)) * self._idf[numbers]
        length_of_page = math.sqrt(float(values @ values))
        return numbers, counts, values / length_of_page if length_of_page else values

    def _rating(self, page: Page, margin: float) -> Rating:
        site_ok = self._sites is not None and self._sites.match(page.urls)
        return Rating(
            accepted=margin >= self.model.threshold or site_ok,
            margin=margin,
            probability=probability(margin, self.model.slope, self.model.offset),
            site_ok=site_ok,
        )


def probability(margin: float, slope: float, offset: float) -> float:
    """Return the calibrated probability of a margin (Platt 1999)."""
    return 1.0 / (1.0 + math.exp(min(700.0, -(slope * margin + offset))))
