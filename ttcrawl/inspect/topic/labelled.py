"""The pages of two classes: from a crawl and two lists of URLs or its own labels, or from two directories of files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ttcrawl.config.compiled import canon_of
from ttcrawl.errors import UsageError
from ttcrawl.inspect.topic.pages import page_of_file, pages_of
from ttcrawl.output.display import ReadProgress, tell
from ttcrawl.output.shell import command_line
from ttcrawl.snapshot.named_url import url_id
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.store.mailbox import to_change
from ttcrawl.topic.assess import HOOK, SITE, TERMS
from ttcrawl.topic.page import Page
from ttcrawl.topic.url_list import urls_in

#: The lists that `ttcrawl topic label` writes.
RELEVANT, IRRELEVANT = Path("relevant.txt"), Path("irrelevant.txt")

#: What decides about pages so that a model can learn from it: no model, and no condition on language or country.
TEACHERS = {HOOK: "by the hook", SITE: "by sites that always pass", TERMS: "by the list of terms"}


def from_crawl(
    directory: Path, relevant: Path, irrelevant: Path, progress: ReadProgress
) -> Iterator[tuple[bool, Page]]:
    """(Relevant, page) of two lists with one URL a line, in order of discovery. Raises UsageError."""
    relevant_urls = urls_in(relevant)
    irrelevant_urls = urls_in(irrelevant)
    with view(directory) as db:
        must_have_texts(db)
        yield from _pages(db, _answers(db, relevant_urls, irrelevant_urls), progress)


def from_labels(directory: Path, progress: ReadProgress) -> Iterator[tuple[bool, Page]]:
    """(Relevant, page) of what a crawl knows itself, in order of discovery: the answers of a person in the lists that
    are there, then what its rules have decided. Raises UsageError."""
    lists = [urls_in(path) if path.exists() else [] for path in (RELEVANT, IRRELEVANT)]
    with view(directory) as db:
        must_have_texts(db)
        answers = _answers(db, *lists)
        counts = {"by a person": len(answers), **dict.fromkeys(TEACHERS.values(), 0)}
        marks = ", ".join("?" * len(TEACHERS))
        ids = dict(answers)
        for id, relevant, by in db.execute(
            f'SELECT url, relevant, "by" FROM topic WHERE "by" IN ({marks})', [*TEACHERS]
        ):
            if id not in answers:
                ids[id] = bool(relevant)
                counts[TEACHERS[by]] += 1
        if not ids:
            raise UsageError(
                f"{directory} has no labels: name pages of both classes with --relevant and --irrelevant, or label some"
                f" with {command_line('topic', 'label', directory)}"
            )
        tell("labels: " + ", ".join(f"{count:,} {name}" for name, count in counts.items() if count))
        yield from _pages(db, ids, progress)


def _answers(db: View, relevant: list[str], irrelevant: list[str]) -> dict[int, bool]:
    """Id -> relevant, of two lists."""
    ids, unknown = ids_of(db, relevant, irrelevant)
    report(unknown, "URLs were never discovered by the crawl", "URL was never discovered by the crawl")
    return ids


def _pages(db: View, ids: dict[int, bool], progress: ReadProgress) -> Iterator[tuple[bool, Page]]:
    """The pages of ids, which are taken out of `ids`."""
    total = len(ids)
    for count, (id, _, page) in enumerate(pages_of(db, ids.keys()), 1):
        progress("pages", count, total)
        yield ids.pop(id), page
    missing = [url for id in ids for (url,) in db.execute("SELECT url FROM url WHERE id = ?", (id,))]
    report(missing, "pages have neither a text nor a title", "page has neither a text nor a title")


def must_have_texts(db: View) -> None:
    """Raises UsageError for a crawl without texts."""
    if db.execute("SELECT 1 FROM text LIMIT 1").fetchone() is None:
        raise UsageError(
            f"{db.directory} has no texts: crawl with [record] text = yes, or run"
            f" {command_line('read', to_change(db.directory))}"
        )


def ids_of(db: View, relevant: list[str], irrelevant: list[str]) -> tuple[dict[int, bool], list[str]]:
    """(Id -> relevant, URLs that the crawl never discovered) of two lists of URLs. Raises UsageError."""
    canon = canon_of(db.config)
    ids: dict[int, bool] = {}
    unknown: list[str] = []
    for label, urls in ((True, relevant), (False, irrelevant)):
        for url in urls:
            if (id := url_id(db, canon.canonical, url)) is None:
                unknown.append(url)
            elif ids.setdefault(id, label) is not label:
                raise UsageError(f"{url} is in both lists: remove it from one of them")
    return ids, unknown


def from_directories(relevant: Path, irrelevant: Path, progress: ReadProgress) -> Iterator[tuple[bool, Page]]:
    """(Relevant, page) of all files in and below two directories, in order of their names. Raises UsageError."""
    one, other = relevant.resolve(), irrelevant.resolve()
    if one == other or one in other.parents or other in one.parents:
        raise UsageError(f"{relevant} and {irrelevant} have files in common: name two directories")
    unread: list[str] = []
    count = 0
    for label, directory in ((True, relevant), (False, irrelevant)):
        for path in _files(directory):
            count += 1
            progress("files", count, 0)
            try:
                page = page_of_file(path)
            except UsageError as error:
                unread.append(str(error))
                continue
            yield label, page
    report(unread, "files are left out", "file is left out")


def _files(directory: Path) -> Iterator[Path]:
    """All files below a directory. Links to directories are not followed: they may lead back."""

    def raised(error: OSError) -> None:
        raise UsageError(f"{error.filename}: {error.strerror}; name a readable directory") from error

    for folder, folders, names in os.walk(directory, onerror=raised):
        folders.sort()
        for name in sorted(names):
            if (path := Path(folder, name)).is_file():  # no pipe, no device
                yield path


def report(names: list[str], many: str, one: str) -> None:
    """Tell how many there are, and the first."""
    if names:
        tell(f"{len(names):,} {many}, first: {names[0]}" if len(names) > 1 else f"1 {one}: {names[0]}")
