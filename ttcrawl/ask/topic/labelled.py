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
from ttcrawl.web.canon import Canon, compile_canon
from ttcrawl.web.url import canonical

#: A larger list is not read, bytes.
LARGEST = 64 << 20


def from_crawl(
    directory: Path, relevant: Path, irrelevant: Path, progress: ReadProgress
) -> Iterator[tuple[bool, Page]]:
    """(Relevant, page) of two lists with one URL a line, in order of discovery. Raises UsageError."""
    lists = {True: _urls(relevant), False: _urls(irrelevant)}
    ids: dict[int, bool] = {}
    unknown: list[str] = []
    with view(directory) as db:
        if db.execute("SELECT 1 FROM text LIMIT 1").fetchone() is None:
            raise UsageError(
                f"{directory} has no texts: crawl with [record] text = yes, or run ttcrawl read {directory}"
            )
        canon = compile_canon(db.config.url)
        for label, urls in lists.items():
            for url in urls:
                if (id := _id(db, canon, url)) is None:
                    unknown.append(url)
                elif ids.setdefault(id, label) is not label:
                    raise UsageError(f"{url} is in both lists: remove it from {relevant} or {irrelevant}")
        _report(unknown, "URLs were never discovered by the crawl", "URL was never discovered by the crawl")
        total = len(ids)
        for count, (id, _, page) in enumerate(pages_of(db, ids.keys()), 1):
            progress("pages", count, total)
            yield ids.pop(id), page
        missing = [url for id in ids for (url,) in db.execute("SELECT url FROM url WHERE id = ?", (id,))]
    _report(missing, "pages have neither a text nor a title", "page has neither a text nor a title")


def _id(db: View, canon: Canon, text: str) -> int | None:
    """The id of a URL as a person writes it. The rules of [url] may have changed since the discovery."""
    for url in (canon.canonical(text), canonical(text)):
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
    _report(unread, "files are left out", "file is left out")


def _files(directory: Path) -> Iterator[Path]:
    """All files below a directory. Links to directories are not followed: they may lead back."""

    def raised(error: OSError) -> None:
        raise UsageError(f"{error.filename}: {error.strerror}; name a readable directory") from error

    for folder, folders, names in os.walk(directory, onerror=raised):
        folders.sort()
        for name in sorted(names):
            if (path := Path(folder, name)).is_file():  # no pipe, no device
                yield path


def _urls(path: Path) -> list[str]:
    """The lines of a list without empty ones and comments."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name a file with one URL per line") from error
    if len(data) > LARGEST or b"\0" in data:
        raise UsageError(f"{path} is no list: name a file with one URL per line")
    lines = (line.strip() for line in data.decode("utf-8-sig", "replace").splitlines())
    return list(dict.fromkeys(line for line in lines if line and not line.startswith("#")))


def _report(names: list[str], many: str, one: str) -> None:
    if names:
        tell(f"{len(names):,} {many}, first: {names[0]}" if len(names) > 1 else f"1 {one}: {names[0]}")
