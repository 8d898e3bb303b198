"""A search for a site of one's own: a page, a script, and an index in files, for any server and for the disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from ttcrawl.errors import CrawlFailedError, UsageError, plain
from ttcrawl.export import site_search
from ttcrawl.export.format import Format, Options, selected
from ttcrawl.export.output import Output
from ttcrawl.export.site_search.scripts import script
from ttcrawl.export.site_search.titles import common_ends, without_end
from ttcrawl.export.site_search.words import SCALE, Words
from ttcrawl.export.sources import PAGES
from ttcrawl.inspect.search.index import Index
from ttcrawl.inspect.search.stems import stemmers
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.page_records import PageRecord
from ttcrawl.snapshot.page_text import words_or_none
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.database import StoreError
from ttcrawl.store.replaced import make_directory, replaced

#: The directory that is written, and what is copied into it.
NAME, ASSETS = "search", ("index.html", "search.css", "search.js")

#: Pages of a file with titles and texts, and characters of a text, from which the part with the words is shown.
PER_FILE, LONGEST = 4, 4000

_COPIES = "SELECT url, coalesce(duplicate_of, near_duplicate_of) FROM duplicate"


@dataclass(frozen=True, slots=True)
class _Listed:
    """A page of the index."""

    id: int
    url: str
    host: str
    title: str


def _write(db: View, options: Options, progress: Progress) -> list[Path]:
    directory = _place(options.out) / NAME
    if os.path.lexists(directory):
        raise UsageError(f"{directory} exists: remove it, or name another directory")
    try:
        with closing(Index(db.directory)) as index, replaced(directory) as fresh:
            index.update(db, progress)
            fresh.mkdir()
            _write_index(db, index, [*_listed(db, index, options, progress)], fresh, progress)
    except StoreError as error:
        raise CrawlFailedError(f"{db.directory}: the index for search cannot be read: {plain(error)}") from None
    return [directory]


def _place(out: Path | None) -> Path:
    """The directory that gets the search, made if it does not exist. Raises UsageError."""
    if out is None or (os.path.lexists(out) and not out.is_dir()):
        raise UsageError("site-search is a directory: name the one that gets it with -o DIR")
    make_directory(out)
    return out


def _listed(db: View, index: Index, options: Options, progress: Progress) -> Iterator[_Listed]:
    """The pages that are searched, and for which the conditions hold."""
    searched = {id for (id,) in index.db.execute("SELECT id FROM page")}
    pages: Iterable[PageRecord] = selected(db, PAGES, options, progress, Output())
    return (_Listed(page.id, page.url, page.host, page.title.strip()) for page in pages if page.id in searched)


def _write_index(db: View, index: Index, pages: list[_Listed], directory: Path, progress: Progress) -> None:
    number_of = {page.id: number for number, page in enumerate(pages)}
    for name in ASSETS:
        (directory / name).write_bytes(resources.files(site_search).joinpath(name).read_bytes())
    firsts = []
    for number, file in enumerate(Words(index.db, number_of).files(stemmers(index.db))):
        firsts.append(file.first)
        (directory / f"w{number}.js").write_bytes(file.data)
        progress("files with words", number, 0)
    ends = common_ends((page.host, page.title) for page in pages)
    for first in range(0, len(pages), PER_FILE):
        group = pages[first : first + PER_FILE]
        shown = [[page.url, without_end(page.host, page.title, ends), _text(db, page)] for page in group]
        name = f"p{first // PER_FILE}"
        (directory / f"{name}.js").write_bytes(script(name, shown))
        progress("files with pages", first, len(pages))
    copies = {number_of[id]: number_of[of] for id, of in db.execute(_COPIES) if id in number_of and of in number_of}
    about = {"pages": len(pages), "perFile": PER_FILE, "scale": SCALE, "firsts": firsts, "copies": copies}
    (directory / "index.js").write_bytes(script("index", about))


def _text(db: View, page: _Listed) -> str:
    """The beginning of the main text, or of all words."""
    text = words_or_none(db, page.id, page.url, main=True) or words_or_none(db, page.id, page.url, main=False) or ""
    return " ".join(text.split())[:LONGEST]


FORMAT = Format(
    about="a search for a site: a page, a script and an index in files ([search](search.md#a-search-for-a-site))",
    directory="the directory `search`",
    compressed=(),
    write=_write,
)
