"""Pages by a trained model: which words, how many points each, the probability."""

from __future__ import annotations

from dataclasses import asdict

from ttcrawl.inspect.topic.judgment import Judgment
from ttcrawl.topic.classifier import Classifier, Rating
from ttcrawl.topic.page import Page

#: Words and n-grams that are listed of a page.
TERMS = 40


class ByModel:
    def __init__(self, classifier: Classifier) -> None:
        self._classifier = classifier

    def judge(self, page: Page) -> Judgment:
        rating = self._classifier.score(page)
        return Judgment(accepted=rating.accepted, rank=rating.margin, line=_line(rating), fields=asdict(rating))

    def explain(self, page: Page) -> Judgment:
        rating, points = self._classifier.explain(page)
        model = self._classifier.model
        lines = [
            f"  {'accepted' if rating.accepted else 'rejected'}: relevant with probability {rating.probability:.4f}",
            f"  margin {rating.margin:,.4f} (at least {model.threshold:,.4f}); every page has {model.bias:,.4f}",
        ]
        if points:
            lines.append(f"  {'points':>10}  {'times':>5}  word")
        lines += [f"  {each.points:>+10.4f}  {each.count:>5,}  {each.term}" for each in points[:TERMS]]
        if len(points) > TERMS:
            lines.append(f"  and {len(points) - TERMS:,} more: --format json lists all")
        return Judgment(
            accepted=rating.accepted,
            rank=rating.margin,
            line=_line(rating),
            fields={
                **asdict(rating),
                "threshold": model.threshold,
                "bias": model.bias,
                "matches": [asdict(each) for each in points],
            },
            lines=lines,
        )


def _line(rating: Rating) -> tuple[str, str]:
    return f"{rating.probability:>12.4f}", f"(margin {rating.margin:,.4f})"
