"""Pages by a term list: which term, where, how many points, which class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import to_builtins

from ttcrawl.inspect.topic.judgment import Judgment
from ttcrawl.topic.page import Page
from ttcrawl.topic.score import CutOffs, TopicScore

if TYPE_CHECKING:  # it needs libraries of an extra
    from ttcrawl.topic.scorer import Scorer

#: Matched terms that are listed of a page.
TERMS = 40


class ByTerms:
    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer

    def judge(self, page: Page) -> Judgment:
        score = self._scorer.score(page)
        return Judgment(accepted=score.accepted, rank=score.kept_score, line=_line(score), fields=to_builtins(score))

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
        for hit in hits[:TERMS]:
            lines.append(
                f"  {hit.points:>10,.2f}  {hit.count:>5,}  {hit.term.weight:>6g}  {hit.location:8}  {hit.term.line:>6}"
                f"  {hit.term.text} = {', '.join(hit.term.classes)}"
            )
        if len(hits) > TERMS:
            lines.append(f"  and {len(hits) - TERMS:,} more: --format json lists all")
        return Judgment(
            accepted=score.accepted,
            rank=score.kept_score,
            line=_line(score),
            fields={**to_builtins(score), "matches": rows},
            lines=lines,
        )


def _line(score: TopicScore) -> tuple[str, str]:
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
