"""`ttcrawl export`: which rows, in which format, to which file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ttcrawl.errors import DONE, UsageError
from ttcrawl.export import ROWS, USUAL, crawl_table, sitemap
from ttcrawl.export.alvis import alvis
from ttcrawl.export.archive import cdxj
from ttcrawl.export.crawl_log import crawl_log
from ttcrawl.export.dublin_core import dublin_core
from ttcrawl.export.output import Output, output
from ttcrawl.export.parquet import parquet
from ttcrawl.export.rows import comma_separated, json_lines
from ttcrawl.export.since import TOUCHED, Since, latest
from ttcrawl.export.tables import BY_SITE, SOURCES, Source
from ttcrawl.export.wacz import wacz
from ttcrawl.export.wet import wet
from ttcrawl.output.display import ReadProgress, tell
from ttcrawl.output.moments import moment
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.conditions import compile_conditions
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.snapshot.words import words_or_none
from ttcrawl.store.replaced import replaced

MAIN_TEXT = "main_text"
TEXTS = ("text", MAIN_TEXT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """`out`: a file, or a directory; None: stdout. `text`: pages have columns with their texts. `since`: in seconds."""

    form: str
    out: Path | None
    conditions: Sequence[str]
    tables: Sequence[str]
    text: bool
    since: float | None = None

    @property
    def directory(self) -> Path | None:
        """Where several files are written; None: one file is written."""
        return self.out if self.out is not None and self.out.is_dir() else None


def export(directory: Path, options: Options) -> int:
    """Returns the exit status. Raises UsageError, NotACrawl."""
    if options.form not in ROWS and (options.tables or options.text):
        raise UsageError(f"--table and --text are for {', '.join(ROWS)}: {options.form} has its own columns")
    if options.since is not None and options.form != "alvis":
        raise UsageError("--since is for alvis: select rows with --where 'time>MOMENT'")
    with ReadProgress() as progress, view(directory) as db:
        written = (_tables if options.form in ROWS else _OTHERS[options.form])(db, options, progress)
    for path in written:
        tell(f"wrote {path}")
    return DONE


def _tables(db: View, options: Options, progress: Progress) -> list[Path]:
    names = options.tables or (USUAL if options.directory else ("pages",))
    if len(names) > 1 and options.directory is None:
        raise UsageError("several tables need a directory that exists: -o DIR")
    if options.text and "pages" not in names:
        raise UsageError("--text is for the table pages")
    for name in names:  # before the first file is written
        compile_conditions(options.conditions, SOURCES[name].row)
    paths = []
    for name in names:
        path = options.directory / f"{name}.{options.form}" if options.directory else options.out
        columns = TEXTS if options.text and name == "pages" else ()
        with output(path, binary=options.form == "parquet") as file:
            rows = _rows(db, name, options, progress, file)
            _write(options.form, SOURCES[name].row, rows, partial(_texts, db), columns, file)
        paths += [path] if path else []
    return paths


def _write(
    form: str,
    row: type,
    rows: Iterable[Any],
    texts: Callable[[Any], dict[str, object]],
    columns: tuple[str, ...],
    file: Output,
) -> None:
    if form == "parquet":
        parquet(row, rows, texts, columns, file)
    elif form == "csv":
        file.writelines(comma_separated(row, rows, texts, columns))
    else:
        file.writelines(json_lines(row, rows, texts if columns else lambda row: {}))


def _rows(
    db: View, name: str, options: Options, progress: Progress, out: Output, source: Source | None = None
) -> Iterator[Any]:
    """The rows of a table for which the conditions hold, in pieces between which `out` is written."""
    source = source or SOURCES[name]
    holds = compile_conditions(options.conditions, source.row)
    (total,) = db.execute(source.count).fetchone()
    for number, row in enumerate(out.pieces(db, source.pieces)):
        if not number % 256:
            progress(name, number, total)
        if holds(row):
            yield row


def _texts(db: View, page: Any) -> dict[str, object]:
    return {name: words_or_none(db, page.id, page.url, main=name == MAIN_TEXT) for name in TEXTS}


def _stream(
    db: View,
    options: Options,
    progress: Progress,
    *,
    table: str,
    binary: bool,
    lines: Callable[..., Iterable[bytes]],
    source: Source | None = None,
) -> list[Path]:
    """One file of a format with its own columns. `source`: the rows, if they are not all of the table."""
    if options.directory is not None:
        raise UsageError(f"{options.form} is one file: name it with -o FILE")
    with output(options.out, binary=binary) as file:
        file.writelines(lines(db, _rows(db, table, options, progress, file, source)))
    return [options.out] if options.out else []


def _sitemap(db: View, options: Options, progress: Progress) -> list[Path]:
    pages = _rows(db, "pages", options, progress, Output(), BY_SITE)
    if options.directory is not None:
        return sitemap.sitemaps(pages, options.directory)
    pieces = list(sitemap.sitemap(pages))  # complete, or an error and nothing on stdout
    with output(options.out, binary=False) as file:
        file.writelines(pieces)
    return [options.out] if options.out else []


def _crawl_table(db: View, options: Options, progress: Progress) -> list[Path]:
    if options.directory is not None:
        pages = _rows(db, "pages", options, progress, Output())
        return [crawl_table.store(db, pages, progress, options.directory)]
    if options.out is None or options.out.suffix != ".parquet":
        lines = partial(crawl_table.json_lines, progress=progress)
        return _stream(db, options, progress, table="pages", binary=False, lines=lines)
    with output(options.out, binary=True) as file:
        crawl_table.parquet(db, _rows(db, "pages", options, progress, file), progress, file)
    return [options.out]


def _alvis(db: View, options: Options, progress: Progress) -> list[Path]:
    next_moment = latest(db)
    since = Since(db, options.since) if options.since is not None else None
    lines = partial(alvis, progress=progress, since=since)
    source = TOUCHED if since else None
    written = _stream(db, options, progress, table="pages", binary=False, lines=lines, source=source)
    if written and next_moment:
        tell(f"what changes from now on: --since {moment(next_moment).replace(' ', 'T')}")
    return written


def _archive(
    db: View, options: Options, progress: Progress, *, write: Callable[[View, Iterable[Any], Progress, Path], None]
) -> list[Path]:
    """A file of the whole archive."""
    if options.out is None or options.directory is not None:
        raise UsageError(f"{options.form} is one file: name it with -o FILE")
    if options.conditions:
        raise UsageError(f"--where is not for {options.form}: it has every record of the archive")
    with replaced(options.out) as path:
        write(db, _rows(db, "pages", options, progress, Output()), progress, path)
    return [options.out]


_OTHERS: dict[str, Callable[[View, Options, Progress], list[Path]]] = {
    "alvis": _alvis,
    "crawl-log": partial(_stream, table="visits", binary=False, lines=crawl_log),
    "crawl-table": _crawl_table,
    "cdxj": partial(_archive, write=cdxj),
    "dc": partial(_stream, table="pages", binary=False, lines=dublin_core),
    "sitemap": _sitemap,
    "wacz": partial(_archive, write=wacz),
    "wet": partial(_stream, table="pages", binary=True, lines=wet),
}
