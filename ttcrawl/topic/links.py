"""What a link promises before its target is fetched: its anchor text, the words near it, the words of its URL. Pure.

As in the shark search of Hersovici et al. (The shark-search algorithm, 1998): a link is rated by the words at it, and
those that stand closer to it count more. What is handed down by pages is added by `ttcrawl.topic.best_first`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias
from urllib.parse import unquote

from ttcrawl.topic.words import folded
from ttcrawl.web.late import late

if TYPE_CHECKING:  # they need libraries of extras
    from ttcrawl.topic.assess import Assessor
    from ttcrawl.topic.model import Model
    from ttcrawl.topic.scorer import Scorer

#: The best score of a link, and the distance between two scores: a score is stored in one byte.
FULL, STEP = 1000, 5

#: How much each counts.
ANCHOR, URL, NEARBY = 1.0, 0.7, 0.5

#: Texts whose rating is remembered; above this number all are forgotten.
REMEMBERED = 50_000

#: Rates a text: 0 (nothing is known for it) to 1. May raise anything.
Rate: TypeAlias = Callable[[str], float]

_SEPARATORS = late(r"[/'_-]+")
_EXTENSION = late(r"\.[a-zA-Z]{1,5}(?=$|\?)")
_HUMP = late(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class ScoresLinks(Protocol):
    def score(self, anchor: str, nearby: str, key: int, url: str) -> int:
        """Return the score of a link. `anchor`: its text; `nearby`: words near it; `key`: of its URL."""


class EqualScores:
    """All links promise the same, where nothing rates words: then what their pages hand down decides."""

    def score(self, anchor: str, nearby: str, key: int, url: str) -> int:
        return FULL


class LinkScorer:
    """Scores the links of pages. The same menu is on every page of a site, so ratings are remembered by the text."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._ratings: dict[str, float] = {}
        self._urls: dict[int, float] = {}

    @property
    def remembered(self) -> int:
        """The number of remembered ratings."""
        return len(self._ratings) + len(self._urls)

    def score(self, anchor: str, nearby: str, key: int, url: str) -> int:
        ratings, urls = self._ratings, self._urls
        of_url, of_anchor, of_nearby = urls.get(key), ratings.get(anchor), ratings.get(nearby)
        if of_url is None or of_anchor is None or of_nearby is None:
            if self.remembered > REMEMBERED:
                ratings.clear()
                urls.clear()
            of_url = urls[key] = self._better(words_of_url(url)) if of_url is None else of_url
            of_anchor = ratings[anchor] = self._better(anchor) if of_anchor is None else of_anchor
            of_nearby = ratings[nearby] = self._better(nearby) if of_nearby is None else of_nearby
        return score(of_anchor, of_url, of_nearby)

    def _better(self, text: str) -> float:
        """The better rating of a text as it is, and with names in camel case as words."""
        rating = self._rate(text) if text else 0.0
        if text[1:].islower():
            return rating
        words = without_humps(text)
        return rating if words == text else max(rating, self._rate(words))


def score(anchor: float, url: float, nearby: float) -> int:
    """Return the score of a link from the ratings of its parts: each is evidence of its own.

    >>> score(0, 0, 0), score(0.5, 0, 0), score(0.5, 0.5, 0.5), score(1, 1, 1)
    (0, 500, 755, 1000)
    """
    doubt = (1 - ANCHOR * anchor) * (1 - URL * url) * (1 - NEARBY * nearby)
    return int(FULL * (1 - doubt) / STEP + 1e-9) * STEP


def words_of_url(url: str) -> str:
    """Return the words of the path and query of a URL, without the extension of a file.

    >>> words_of_url("http://a.test/carnivorous-plants/Drosera_capensis.html?part=2")
    'carnivorous plants Drosera capensis?part=2'
    """
    path = _EXTENSION.sub("", url.partition("://")[2].partition("/")[2])
    return " ".join(_SEPARATORS.sub(" ", unquote(path) if "%" in path else path).split())


def without_humps(text: str) -> str:
    """Return a text whose names in camel case are words.

    >>> without_humps("QTcpSocket, HTTPServer")
    'Q Tcp Socket, HTTP Server'
    """
    return _HUMP.sub(" ", text)


def link_scorer(assessor: Assessor | None) -> ScoresLinks:
    """Return what scores links: the term list, or else the model. None: the hook for pages alone decides."""
    if assessor is not None and assessor.scorer is not None:
        return LinkScorer(by_terms(assessor.scorer))
    if assessor is not None and assessor.classifier is not None:
        return LinkScorer(by_model(assessor.classifier.model))
    return EqualScores()


def by_terms(scorer: Scorer) -> Rate:
    """Rate texts by a term list: a text with one usual term gets 0.5, with more or weightier ones more."""
    from statistics import median  # with fractions and decimals: few crawls have a topic

    weights = [term.weight for term in scorer.terms if term.weight > 0]
    usual = median(weights) if weights else 1.0

    def rate(text: str) -> float:
        points = scorer.points(text)
        return 1 / (1 + usual / points) if points > 0 else 0.0

    return rate


def by_model(model: Model) -> Rate:
    """Rate texts by a model: how much more probable its words make a page than no words.

    The same figures as `Classifier.score` gives, but faster: a text at a link has few words, and most are unknown.
    """
    from ttcrawl.topic.model import probability

    known = {text: (idf, weight) for text, idf, weight in model.terms}
    nothing = probability(model.bias, model.slope, model.offset)

    def rate(text: str) -> float:
        words = folded(text).split()
        counts = Counter(words)
        for length in range(2, min(model.ngrams, len(words)) + 1):
            counts.update(" ".join(words[end - length : end]) for end in range(length, len(words) + 1))
        squares = points = 0.0
        for ngram, count in counts.items():
            if (numbers := known.get(ngram)) is not None:
                idf, weight = numbers
                value = (1 + math.log(count)) * idf
                squares += value * value
                points += value * weight
        if not squares or nothing >= 1:
            return 0.0
        margin = model.bias + points / math.sqrt(squares)
        return max(0.0, (probability(margin, model.slope, model.offset) - nothing) / (1 - nothing))

    return rate
