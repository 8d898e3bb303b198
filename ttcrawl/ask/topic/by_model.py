"""Pages by a trained model: which words, how many points each, the probability."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from ttcrawl.ask.topic.judgment import Judgment
from ttcrawl.topic.classifier import Classifier, Rating
from ttcrawl.topic.load import load_sites
from ttcrawl.topic.model import load_model
from ttcrawl.topic.page import Page

#: Words and n-grams that are listed of a page.
TERMS = 40


class ByModel:
    """Raises UsageError."""

    def __init__(self, model: Path, *, sites_ok: Path | None = None) -> None:
        self._classifier = Classifier(load_model(model), sites=load_sites(sites_ok) if sites_ok else None)

    def judge(self, page: Page) -> Judgment:
        rating = self._classifier.score(page)
        return Judgment(accepted=rating.accepted, rank=rating.margin, line=_line(rating), fields=asdict(rating))

    def explain(self, page: Page) -> Judgment:
        rating, points = self._classifier.explain(page)
        model = self._classifier.model
        why = " (its site always passes)" if rating.site_ok else ""
        lines = [
            f"  {'accepted' if rating.accepted else 'rejected'}{why}: relevant with probability"
            f" {rating.probability:.4f}",
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
