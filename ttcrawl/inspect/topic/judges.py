"""What a model, a term list, or both say of pages, with the conditions of a crawl: which words, how many points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import to_builtins

from ttcrawl.topic.assess import COUNTRY, LANGUAGE, SITE, Assessor, country_of
from ttcrawl.topic.classifier import Classifier, Rating
from ttcrawl.topic.combine_url import analysis
from ttcrawl.topic.page import Page
from ttcrawl.topic.score import CutOffs, TopicScore
from ttcrawl.web.url import host

if TYPE_CHECKING:  # it needs libraries of an extra
    from ttcrawl.topic.scorer import Scorer


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgment:
    """`rank`: larger is better. `line`: what a list has before and after the URL. `lines`: why. `fields`: for JSON."""

    accepted: bool
    rank: float
    line: tuple[str, str]
    fields: dict[str, Any]
    lines: list[str] = field(default_factory=list)


class Judge(Protocol):
    def judge(self, page: Page) -> Judgment:
        """Return a judgment without `lines`."""

    def explain(self, page: Page) -> Judgment:
        """Return a judgment with `lines`, and more `fields`."""


#: Words, or matched terms, that are listed of a page.
LISTED = 40


class ByModel:
    def __init__(self, classifier: Classifier) -> None:
        self._classifier = classifier

    def judge(self, page: Page) -> Judgment:
        rating = self._classifier.score(page)
        return Judgment(accepted=rating.accepted, rank=rating.margin, line=_of_rating(rating), fields=asdict(rating))

    def explain(self, page: Page) -> Judgment:
        rating, points = self._classifier.explain(page)
        model = self._classifier.model
        lines = [
            f"  {'accepted' if rating.accepted else 'rejected'}: relevant with probability {rating.probability:.4f}",
            f"  margin {rating.margin:,.4f} (at least {model.threshold:,.4f}); every page has {model.bias:,.4f}",
        ]
        if points:
            lines.append(f"  {'points':>10}  {'times':>5}  word")
        lines += [f"  {each.points:>+10.4f}  {each.count:>5,}  {each.term}" for each in points[:LISTED]]
        lines += _unlisted(len(points))
        return Judgment(
            accepted=rating.accepted,
            rank=rating.margin,
            line=_of_rating(rating),
            fields={
                **asdict(rating),
                "threshold": model.threshold,
                "bias": model.bias,
                "matches": [asdict(each) for each in points],
            },
            lines=lines,
        )


def _unlisted(count: int) -> list[str]:
    """The line after the listed matches, if there are more."""
    return [f"  and {count - LISTED:,} more: --format json lists all"] if count > LISTED else []


def _of_rating(rating: Rating) -> tuple[str, str]:
    return f"{rating.probability:>12.4f}", f"(margin {rating.margin:,.4f})"


class ByTerms:
    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer

    def judge(self, page: Page) -> Judgment:
        score = self._scorer.score(page)
        return Judgment(
            accepted=score.accepted, rank=score.kept_score, line=_of_score(score), fields=to_builtins(score)
        )

    def explain(self, page: Page) -> Judgment:
        score, hits = self._scorer.explain(page)
        rows = [
            {
                "term": hit.term.text,
                "line": hit.term.line,
                "weight": hit.term.weight,
                "classes": hit.term.classes,
                "where": hit.location,
                "count": hit.count,
                "points": hit.points,
            }
            for hit in hits
        ]
        cut = self._scorer.cut_offs
        lines = [
            f"  {'accepted' if score.accepted else 'rejected'}: the kept classes have {score.kept_score:,.2f} points",
            f"  total {score.total:,.2f} (at least {cut.total:g}), by words {score.normalised:,.4f}"
            f" (at least {cut.normalised:g})",
            *lines_of_classes(score, cut),
        ]
        if hits:
            lines.append(f"  {'points':>10}  {'times':>5}  {'weight':>6}  {'where':8}  {'line':>6}  term = classes")
        for hit in hits[:LISTED]:
            lines.append(
                f"  {hit.points:>10,.2f}  {hit.count:>5,}  {hit.term.weight:>6g}  {hit.location:8}  {hit.term.line:>6}"
                f"  {hit.term.text} = {', '.join(hit.term.classes)}"
            )
        lines += _unlisted(len(hits))
        return Judgment(
            accepted=score.accepted,
            rank=score.kept_score,
            line=_of_score(score),
            fields={**to_builtins(score), "matches": rows},
            lines=lines,
        )


def _of_score(score: TopicScore) -> tuple[str, str]:
    names = ", ".join(each.name for each in score.classes if each.kept) or "no class"
    return f"{score.kept_score:>12,.1f}", f"({names})"


def lines_of_classes(score: TopicScore, cut: CutOffs) -> Iterator[str]:
    """A line for each class: its points, and the first cut-off under which it is.

    Its share is shown where no class has negative points: beside them, others have more than all.
    """
    shares = score.normalised > 0 and all(each.normalised >= 0 for each in score.classes)
    for each in score.classes:
        if each.kept:
            note = "kept"
        elif score.total < cut.total:
            note = f"not kept: the total is under {cut.total:g}"
        elif score.normalised < cut.normalised or score.normalised <= 0:
            note = (
                f"not kept: the total by words is under {cut.normalised:g}" if cut.normalised else "not kept: no points"
            )
        elif each.normalised < 0:
            note = "not kept: it has negative points"
        else:
            note = f"not kept: under {cut.share:g} % of the points by words"
        share = f" {100 * each.normalised / score.normalised:.0f} %," if shares else ""
        yield f"  class {each.name}: {each.score:,.2f} points,{share} {note}"


class ByAssessor:
    """`compatible`: with what Combine notes about the URLs of accepted pages."""

    def __init__(self, assessor: Assessor, *, compatible: bool = False) -> None:
        self._assessor, self._compatible = assessor, compatible
        self._model = ByModel(assessor.classifier) if assessor.classifier is not None else None
        self._terms = ByTerms(assessor.scorer) if assessor.scorer is not None else None

    def judge(self, page: Page) -> Judgment:
        return self._joined(
            page, self._model.judge(page) if self._model else None, self._terms.judge(page) if self._terms else None
        )

    def explain(self, page: Page) -> Judgment:
        return self._joined(
            page, self._model.explain(page) if self._model else None, self._terms.explain(page) if self._terms else None
        )

    def _joined(self, page: Page, model: Judgment | None, terms: Judgment | None) -> Judgment:
        """The judgment of what decides: the model, or else the list; with the fields and lines of both."""
        first = model or terms
        assert first is not None
        name = host(page.urls[0]) if page.urls else ""
        accepted, by = self._assessor.decide(
            page,
            name,
            by_model=model.accepted if model else None,
            by_terms=terms is not None and terms.accepted,
        )
        lines = list(first.lines)
        if model and terms and terms.lines:
            lines += ["  the model decides; by the list of terms:", *terms.lines]
        if lines and (why := _condition(by, page, name)):
            lines.insert(0, f"  {'accepted' if accepted else 'rejected'}: {why}; without this condition:")
        fields = {**(terms.fields if terms else {}), **(model.fields if model else {})}
        if self._compatible:
            fields["url_analysis"] = about = analysis(page.urls) if accepted else {}
            if lines and about:
                lines.append("  its URL: " + ", ".join(f"{name} {value}" for name, value in about.items()))
        if model and terms and "matches" in terms.fields:
            fields["matches_of_terms"] = terms.fields["matches"]
        return replace(
            first,
            accepted=accepted,
            lines=lines,
            fields={**fields, "site_ok": by == SITE, "by": by, "accepted": accepted},
        )


def _condition(by: str, page: Page, name: str) -> str:
    return {
        SITE: "its site always passes",
        LANGUAGE: f"its language is {page.language}",
        COUNTRY: f"the country of its server is {country_of(name)}",
    }.get(by, "")
