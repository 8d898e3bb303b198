"""Whether a page is relevant to the subject of a crawl, by what, and how much: [topic] at work.

A site that always passes decides first, then the country of the server and the language; then the model, or else the
term list. With both, the model decides and the list gives the classes.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:  # they need libraries of extras
    from ttcrawl.topic.classifier import Classifier
    from ttcrawl.topic.page import Page
    from ttcrawl.topic.score import TopicScore
    from ttcrawl.topic.scorer import Scorer
    from ttcrawl.topic.sites import Sites

#: What decided: column `by` of table `topic`.
TERMS, MODEL, HOOK, SITE, LANGUAGE, COUNTRY = "terms", "model", "hook", "site", "language", "country"

#: Matched terms that are recorded of a page, and characters of each.
MOST_TERMS, LONGEST = 50, 100

#: Top-level domains of the United States (as in Combine).
AMERICAN = frozenset({"gov", "edu", "mil"})


class Assessment(Struct, frozen=True, kw_only=True):
    """`score`: points of the kept classes, or the margin of the model. `classes`: the kept ones and their points."""

    relevant: bool
    score: float
    probability: float | None = None  # by the model
    by: str
    classes: Mapping[str, float] = field(default_factory=dict)
    terms: tuple[str, ...] = ()  # that matched; without a list, the words that gave most points by the model


class Assessor(Struct, frozen=True, kw_only=True):
    """`scorer` or `classifier`, or both. `languages`, `countries`: of relevant pages; empty: any."""

    scorer: Scorer | None = None
    classifier: Classifier | None = None
    sites: Sites | None = None
    languages: Collection[str] = ()
    countries: Collection[str] = ()

    def assess(self, page: Page, host: str) -> Assessment:
        """`host`: of the server. Raises CrawlFailedError where Combine ends, ValueError for points without bounds."""
        rating = self.classifier.score(page) if self.classifier else None
        points = self.scorer.score(page) if self.scorer else None
        relevant, by = self.decide(
            page, host, by_model=rating.accepted if rating else None, by_terms=points is not None and points.accepted
        )
        score = rating.margin if rating else points.kept_score if points else 0.0
        classes = {each.name: each.score for each in points.classes if each.kept} if points else {}
        if not all(map(math.isfinite, (score, points.total if points else 0.0, *classes.values()))):
            raise ValueError("its points are not finite: lower the weights of the terms")
        return Assessment(
            relevant=relevant,
            score=score,
            probability=rating.probability if rating else None,
            by=by,
            classes=classes,
            terms=_terms(points) if points else tuple(term[:LONGEST] for term in rating.terms) if rating else (),
        )

    def decide(self, page: Page, host: str, *, by_model: bool | None, by_terms: bool) -> tuple[bool, str]:
        """Return whether a page is relevant, and what decides. `by_model`, `by_terms`: by these alone; None: there is
        no model."""
        if self.sites is not None and self.sites.match(page.urls):
            return True, SITE
        if self.countries and (country := country_of(host)) and country not in self.countries:
            return False, COUNTRY
        if self.languages and page.language and page.language not in self.languages:
            return False, LANGUAGE
        return (by_terms, TERMS) if by_model is None else (by_model, MODEL)


def country_of(host: str) -> str:
    """Return the country that the name of a host tells; "" if it tells none.

    >>> country_of("www.lu.se:8080"), country_of("mit.edu"), country_of("example.org"), country_of("10.0.0.1")
    ('se', 'us', '', '')
    """
    top = host.rpartition(":")[0].rpartition(".")[2] if host[-1:].isdigit() and ":" in host else host.rpartition(".")[2]
    if top in AMERICAN:
        return "us"
    return top if len(top) == 2 and top.isascii() and top.isalpha() else ""


def _terms(points: TopicScore) -> tuple[str, ...]:
    """The matched terms, first of kept classes."""
    classes = sorted(points.classes, key=lambda each: not each.kept)
    terms: dict[str, None] = {}
    for each in classes:
        for term in each.terms:
            terms[term[:LONGEST]] = None
            if len(terms) == MOST_TERMS:
                return tuple(terms)
    return tuple(terms)
