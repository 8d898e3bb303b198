"""`ttcrawl topic score`: by which rules, of what, and what is printed."""

from __future__ import annotations

import argparse
import heapq
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ttcrawl.cli.configuration import file_of, overrides, read_for
from ttcrawl.cli.crawling import of_requests, seeds_of
from ttcrawl.cluster.maintain import save_in_rings
from ttcrawl.config import Config, Override, Topic, read
from ttcrawl.errors import DONE, FAILED, STOPPED, UsageError
from ttcrawl.inspect.topic.judges import ByAssessor, Judge, Judgment
from ttcrawl.inspect.topic.pages import page_of, page_of_file, pages_of
from ttcrawl.library.crawl import Crawl
from ttcrawl.maintain.save_topics import save
from ttcrawl.output.display import ReadProgress, tell
from ttcrawl.output.json_form import json_form
from ttcrawl.output.number import counted
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.ring import fork_server
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.snapshot import view
from ttcrawl.store.mailbox import is_cluster
from ttcrawl.topic.files import assessor_of, copied
from ttcrawl.topic.page import Page
from ttcrawl.vocabulary.state import FETCHED

#: Options that belong to a list of terms.
OF_TERMS = ("algorithm", "hierarchy", "stop_words", "compatible")

#: Options that are keys of [topic].
KEYS = ("terms", "model", *OF_TERMS, "sites_ok", "languages")


def score(args: argparse.Namespace) -> int:
    """Returns the exit status. Raises UsageError, CrawlFailedError."""
    named = Path(args.target)
    if os.path.isdir(args.target):  # it may be a URL that is longer than the names of files
        if args.save and is_cluster(named):
            return _save(args, named)
        with view(named) as db:
            config = db.config
        if args.save:
            return _save(args, named)
        scoring = Scoring(_judge(args, named, config), limit=args.limit or 20, format=args.format)
        return scoring.pages(named, args.urls) if args.urls else scoring.crawl(named)
    if args.save or args.urls:
        raise UsageError(f"{named} is not the directory of a crawl: name one page, or a crawl and pages of it")
    scoring = Scoring(_judge(args, None, read(file_of(args))), format=args.format)
    if os.path.exists(args.target) or "://" not in args.target:
        return scoring.file(named)
    args.seeds = [args.target]
    args.progress = "none"
    with TemporaryDirectory(prefix="ttcrawl-") as folder:
        args.directory = Path(folder) / "crawl"
        args.set = [*args.set, "crawl.max_pages=1", "fetch.retries=0"]
        return scoring.fetched(_crawled(args), args.target)


def _crawled(args: argparse.Namespace) -> Path:
    """The directory of a crawl that this command removes."""
    config = read_for(args, of_requests(args))
    fork_server.prepare(fetch_first=True)  # it imports as much as the command does, so both import at the same time
    from ttcrawl.engine.run.session import begin, job_of

    job = job_of(seeds_of(args), args.directory, config, args.progress)
    begin(replace(job, temporary=True))
    return job.directory


def _judge(args: argparse.Namespace, directory: Path | None, config: Config) -> Judge:
    """What decides by the options, over what the crawl in the directory has itself. Raises UsageError."""
    own = copied(config.topic, directory) if directory else config.topic
    settings = replace(own, **changes(args, directory))
    if not settings.terms:
        _belong_to_terms(args)
    assessor, remarks = assessor_of(settings)
    if assessor is None:
        why = "the hook for pages decides about this crawl: " if settings.hook else ""
        raise UsageError(f"{why}name a list of terms with --terms, or a model with --model")
    for line in remarks:
        tell(line)
    return ByAssessor(assessor, compatible=settings.compatible)


def changes(args: argparse.Namespace, directory: Path | None) -> dict[str, Any]:
    """Key of [topic] -> its value, of the keys that the command line sets: by their options, or by --set topic.KEY.

    A list without a model decides alone. Raises UsageError, ConfigError.
    """
    result = _set(overrides(args), directory / "config.ini" if directory else file_of(args))
    for key in KEYS:
        value = getattr(args, key)
        if isinstance(value, frozenset):
            result[key] = " ".join(sorted(value))
        elif value:
            result[key] = str(value) if isinstance(value, Path) else value
    return {"model": "", **result} if "terms" in result else result


def _set(every: Sequence[Override], file: Path | None) -> dict[str, Any]:
    own = [each for each in every if each[0].startswith("topic.")]
    settings: Topic = read(file, own).topic
    return {key: getattr(settings, key) for key in (each[0].removeprefix("topic.") for each in own)}


def _belong_to_terms(args: argparse.Namespace) -> None:
    for name in OF_TERMS:
        if getattr(args, name):
            raise UsageError(f"--{name.replace('_', '-')} belongs to --terms, not to --model")


def _save(args: argparse.Namespace, directory: Path) -> int:
    with ReadProgress() as progress:
        saved = (save_in_rings if is_cluster(directory) else save)(directory, changes(args, directory), progress)
    print(saved.text(directory))
    return DONE


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
