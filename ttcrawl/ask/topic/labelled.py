"""The pages of two classes: from a crawl and two lists of URLs, or from two directories of files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ttcrawl.ask.topic.pages import page_of_file, pages_of
from ttcrawl.ask.view.view import View, view
from ttcrawl.engine.progress import ReadProgress, tell
from ttcrawl.errors import UsageError
from ttcrawl.topic.page import Page
from ttcrawl.topic.url_list import urls_in
from ttcrawl.web.canon import Canon, compile_canon
from ttcrawl.web.url import canonical


def from_crawl(
    directory: Path, relevant: Path, irrelevant: Path, progress: ReadProgress
) -> Iterator[tuple[bool, Page]]:
    """(Relevant, page) of two lists with one URL a line, in order of discovery. Raises UsageError."""
    lists = urls_in(relevant), urls_in(irrelevant)
    with view(directory) as db:
        must_have_texts(db)
        ids, unknown = ids_of(db, *lists)
        report(unknown, "URLs were never discovered by the crawl", "URL was never discovered by the crawl")
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
            f"{db.directory} has no texts: crawl with [record] text = yes, or run ttcrawl read {db.directory}"
        )


def ids_of(db: View, relevant: list[str], irrelevant: list[str]) -> tuple[dict[int, bool], list[str]]:
    """(Id -> relevant, URLs that the crawl never discovered) of two lists of URLs. Raises UsageError."""
    canon = compile_canon(db.config.url, ftp=db.config.fetch.ftp)
    ids: dict[int, bool] = {}
    unknown: list[str] = []
    for label, urls in ((True, relevant), (False, irrelevant)):
        for url in urls:
            if (id := _id(db, canon, url)) is None:
                unknown.append(url)
            elif ids.setdefault(id, label) is not label:
                raise UsageError(f"{url} is in both lists: remove it from one of them")
    return ids, unknown


def _id(db: View, canon: Canon, text: str) -> int | None:
    """The id of a URL as a person writes it. The rules of [url] may have changed since the discovery."""
    for url in (canon.canonical(text), canonical(text, ftp=True)):
        if url is not None and (id := db.find(url)) is not None:
            return id
    return None


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
