"""Pages by a term list: which term, where, how many points, which class."""

from __future__ import annotations

from pathlib import Path

from msgspec import to_builtins

from ttcrawl.ask.topic.judgment import Judgment
from ttcrawl.engine.progress import tell
from ttcrawl.errors import require
from ttcrawl.topic.load import load, load_sites, remarks
from ttcrawl.topic.page import Page
from ttcrawl.topic.score import ClassScore, TopicScore

#: Matched terms that are listed of a page.
TERMS = 40


class ByTerms:
    """Raises UsageError."""

    def __init__(
        self,
        terms: Path,
        algorithm: str,
        hierarchy: str,
        *,
        stop_words: Path | None = None,
        sites_ok: Path | None = None,
        compatible: bool = False,
    ) -> None:
        require("ahocorasick_rs")
        from ttcrawl.topic.scorer import Scorer

        term_list = load(terms, stop_words, compatible=compatible)
        for line in remarks(term_list, str(terms)):
            tell(line)
        sites = load_sites(sites_ok, compatible=compatible) if sites_ok else None
        self._scorer = Scorer(term_list, algorithm, hierarchy=hierarchy, sites=sites)

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
        why = " (its site always passes)" if score.site_ok else ""
        lines = [
            f"  {'accepted' if score.accepted else 'rejected'}{why}: the kept classes have"
            f" {score.kept_score:,.2f} points",
            f"  total {score.total:,.2f} (at least {cut.total:g}), by words {score.normalised:,.4f}"
            f" (at least {cut.normalised:g})",
            *[_line_of_class(each, score.normalised, cut.share) for each in score.classes],
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


def _line_of_class(each: ClassScore, total: float, share: float) -> str:
    percent = 100 * each.normalised / total if total else 0.0
    note = "kept" if each.kept else f"not kept (under {share:g} %, or the page is under a cut-off)"
    return f"  class {each.name}: {each.score:,.2f} points, {percent:.0f} %, {note}"
