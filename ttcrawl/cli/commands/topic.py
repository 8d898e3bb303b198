"""`ttcrawl topic score`: what is printed."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from pathlib import Path

from ttcrawl.errors import DONE, FAILED, STOPPED
from ttcrawl.inspect.topic.judgment import Judge, Judgment
from ttcrawl.inspect.topic.pages import page_of, page_of_file, pages_of
from ttcrawl.library.crawl import Crawl
from ttcrawl.output.display import ReadProgress, tell
from ttcrawl.output.json_form import json_form
from ttcrawl.output.number import counted
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.snapshot import view
from ttcrawl.topic.page import Page
from ttcrawl.vocabulary.state import FETCHED


class Scoring:
    """`limit`: pages of a crawl that are listed."""

    def __init__(self, judge: Judge, *, limit: int = 20, format: str = "text") -> None:
        self._judge = judge
        self._limit = limit
        self._json = format == "json"

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
                    results.append(self._explained(*page_of(db, crawl.page(url).url.id, url)))
                except NotThere as error:
                    tell(str(error))
                    missing = True
        self._print([shown for _, shown in results])
        return FAILED if missing or not all(accepted for accepted, _ in results) else DONE

    def fetched(self, directory: Path, url: str) -> int:
        """Print the score of the one page of a crawl of this URL, which may have been moved.

        Returns the exit status: 1 if it is rejected, 3 if the crawl was interrupted before it had the page.
        """
        with view(directory) as db:
            rows = db.execute("SELECT url.url FROM page JOIN url ON url.id = page.url WHERE url.state = ?", (FETCHED,))
            target = next((each for (each,) in rows), "")
        if not target:
            tell(f"stopped before {url} was fetched")
            return STOPPED
        return self.pages(directory, [target])

    def crawl(self, directory: Path) -> int:
        """Print the best pages of a crawl. Returns the exit status: 1 if no page is accepted."""
        accepted = count = 0
        best: list[tuple[float, int, str, Judgment]] = []
        with view(directory) as db, ReadProgress() as progress:
            (total,) = db.execute("SELECT count(*) FROM page").fetchone()
            for count, (_, url, page) in enumerate(pages_of(db), 1):
                judgment = self._judge.judge(page)
                accepted += judgment.accepted
                row = (judgment.rank, -count, url, judgment)
                (heapq.heappush if len(best) < self._limit else heapq.heappushpop)(best, row)
                if not count % 500:
                    progress("pages", count, total)
        best.sort(reverse=True)
        if self._json:
            rows = [{"url": url, **each.fields} for _, _, url, each in best]
            print(json_form({"pages": count, "accepted": accepted, "best": rows}))
        else:
            print(f"{directory}: {accepted:,} of {counted(count, 'page')} accepted")
            for _, _, url, each in best:
                verdict = "accepted" if each.accepted else "rejected"
                print(escape_untrusted(f"{each.line[0]}  {verdict}  {url}  {each.line[1]}"))
        return DONE if accepted else FAILED

    def _explained(self, name: str, page: Page) -> tuple[bool, object]:
        judgment = self._judge.explain(page)
        if self._json:
            return judgment.accepted, {"page": name, **judgment.fields, "language": page.language}
        return judgment.accepted, "\n".join(map(escape_untrusted, [name, *judgment.lines]))

    def _print(self, shown: Sequence[object]) -> None:
        if self._json:
            print(json_form(shown))
        elif shown:
            print("\n\n".join(map(str, shown)))
