"""`ttcrawl topic score`: what is printed."""

from __future__ import annotations

import heapq
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ttcrawl.ask.library.crawl import Crawl
from ttcrawl.ask.topic.pages import page_of, page_of_file, pages_of
from ttcrawl.ask.view.errors import NotThere
from ttcrawl.ask.view.view import view
from ttcrawl.engine.progress import ReadProgress, tell
from ttcrawl.errors import DONE, FAILED, require
from ttcrawl.topic.load import load, load_sites
from ttcrawl.topic.page import Page
from ttcrawl.topic.score import ClassScore, TopicScore
from ttcrawl.web.untrusted import escape_untrusted

#: Matched terms that are listed of a page.
TERMS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line says."""

    terms: Path
    algorithm: str = "plain"
    hierarchy: str = "flat"
    stop_words: Path | None = None
    sites_ok: Path | None = None
    compatible: bool = False
    limit: int = 20
    format: str = "text"


class Scoring:
    """A loaded term list and how its scores are shown. Raises UsageError."""

    def __init__(self, options: Options) -> None:
        require("ahocorasick_rs")
        from ttcrawl.topic.scorer import Scorer

        terms = load(options.terms, options.stop_words, compatible=options.compatible)
        if terms.encoding != "utf-8" and not options.compatible:
            tell(f"{options.terms} is not UTF-8: it is read as Latin-1")
        if terms.left_out:
            lines = ", ".join(map(str, terms.left_out[:10])) + (" ..." if len(terms.left_out) > 10 else "")
            tell(f"{options.terms}: RE2 lacks the regular expressions in these lines, which are left out: {lines}")
        sites = load_sites(options.sites_ok, compatible=options.compatible) if options.sites_ok else None
        self.options = options
        self.scorer = Scorer(terms, options.algorithm, hierarchy=options.hierarchy, sites=sites)

    def file(self, path: Path) -> int:
        """Print the score of a file. Returns the exit status: 1 if it is rejected."""
        accepted, shown = self._explained(str(path), page_of_file(path))
        self._print([shown])
        return DONE if accepted else FAILED

    def pages(self, directory: Path, urls: Sequence[str]) -> int:
        """Print the scores of pages of a crawl. Returns the exit status: 1 if one is rejected or missing."""
        results, missing = [], False
        with Crawl(directory) as crawl, view(directory) as db:
            for url in urls:
                try:
                    results.append(self._explained(*page_of(db, crawl, url)))
                except NotThere as error:
                    tell(str(error))
                    missing = True
        self._print([shown for _, shown in results])
        return FAILED if missing or not all(accepted for accepted, _ in results) else DONE

    def crawl(self, directory: Path) -> int:
        """Print the best pages of a crawl. Returns the exit status: 1 if no page is accepted."""
        accepted = count = 0
        best: list[tuple[float, int, str, TopicScore]] = []
        with view(directory) as db, ReadProgress() as progress:
            (total,) = db.execute("SELECT count(*) FROM page").fetchone()
            for count, (url, page) in enumerate(pages_of(db), 1):
                score = self.scorer.score(page)
                accepted += score.accepted
                row = (score.kept_score, -count, url, score)
                (heapq.heappush if len(best) < self.options.limit else heapq.heappushpop)(best, row)
                if not count % 500:
                    progress("pages", count, total)
        best.sort(reverse=True)
        if self.options.format == "json":
            rows = [{"url": url, **asdict(score)} for _, _, url, score in best]
            print(json.dumps({"pages": count, "accepted": accepted, "best": rows}, indent=2))
        else:
            print(f"{directory}: {accepted:,} of {count:,} pages accepted")
            for kept_score, _, url, score in best:
                names = ", ".join(each.name for each in score.classes if each.kept) or "no class"
                verdict = "accepted" if score.accepted else "rejected"
                print(escape_untrusted(f"{kept_score:>12,.1f}  {verdict}  {url}  ({names})"))
        return DONE if accepted else FAILED

    def _explained(self, name: str, page: Page) -> tuple[bool, object]:
        score, hits = self.scorer.explain(page)
        if self.options.format == "json":
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
            return score.accepted, {"page": name, **asdict(score), "matches": rows}
        cut = self.scorer.cut_offs
        verdict = "accepted" if score.accepted else "rejected"
        why = " (its site always passes)" if score.site_ok else ""
        lines = [
            name,
            f"  {verdict}{why}: the kept classes have {score.kept_score:,.2f} points",
            f"  total {score.total:,.2f} (at least {cut.total:g}), by words {score.normalised:,.4f}"
            f" (at least {cut.normalised:g})",
            *[_line(each, score.normalised, cut.share) for each in score.classes],
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
        return score.accepted, "\n".join(map(escape_untrusted, lines))

    def _print(self, shown: Sequence[object]) -> None:
        if self.options.format == "json":
            print(json.dumps(shown, indent=2))
        elif shown:
            print("\n\n".join(map(str, shown)))


def _line(each: ClassScore, total: float, share: float) -> str:
    percent = 100 * each.normalised / total if total else 0.0
    note = "kept" if each.kept else f"not kept (under {share:g} %, or the page is under a cut-off)"
    return f"  class {each.name}: {each.score:,.2f} points, {percent:.0f} %, {note}"
