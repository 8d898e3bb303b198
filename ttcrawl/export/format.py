"""What a format is, and how `ttcrawl export` writes the rows of a crawl in one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ttcrawl.errors import DONE, UsageError, require
from ttcrawl.export import formats
from ttcrawl.export.compressed import COMPRESSORS
from ttcrawl.export.output import Output, output
from ttcrawl.export.sources import PAGES, Source
from ttcrawl.output.display import ReadProgress, tell
from ttcrawl.output.steps import Progress, reported
from ttcrawl.snapshot.conditions import compile_conditions
from ttcrawl.snapshot.snapshot import View, view


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

    def must_be_one_file(self) -> None:
        """Raises UsageError for a directory."""
        if self.directory is not None:
            raise UsageError(f"{self.form} is one file: name it with -o FILE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """`write` returns the paths of the files. `has_tables` and `has_since`: it obeys --table and --text, or --since.

    `compressed`: ends of names that the format may have; of a text they say how it is compressed.
    """

    about: str  # what is written, for the manual, as Markdown
    directory: str = ""  # the same with -o DIR; "": it is always one file
    needs: str = ""  # the module of an extra
    has_tables: bool = False
    has_since: bool = False
    compressed: Collection[str] = tuple(COMPRESSORS)
    write: Callable[[View, Options, Progress], list[Path]]


def format_of(name: str) -> Format:
    """The format with this name."""
    format: Format = import_module(f"{formats.__name__}.{name.replace('-', '_')}").FORMAT
    return format


#: Ends of names -> the format that a file with such a name has, if no other is named.
_BY_NAME = {
    ".csv": "csv",
    ".parquet": "parquet",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
    ".wacz": "wacz",
    ".cdxj": "cdxj",
}


def format_for(out: Path | None) -> str:
    """The format of a file whose format is not named; its name may end as compressed.

    >>> format_for(Path("pages.csv.gz")), format_for(None)
    ('csv', 'jsonl')
    """
    name = Path() if out is None else Path(out.stem) if out.suffix in COMPRESSORS else out
    return _BY_NAME.get(name.suffix, "jsonl")


def checked_format(options: Options) -> Format:
    """The format, if it obeys the options. Raises UsageError."""
    chosen_format = format_of(options.form)
    if not chosen_format.has_tables and (options.tables or options.text):
        others = ", ".join(name for name in formats.names() if format_of(name).has_tables)
        raise UsageError(f"--table and --text are for {others}: {options.form} has its own columns")
    if not chosen_format.has_since and options.since is not None:
        others = ", ".join(name for name in formats.names() if format_of(name).has_since)
        raise UsageError(f"--since is for {others}: select rows with --where 'time>MOMENT'")
    if options.out is not None and options.out.suffix in COMPRESSORS.keys() - {*chosen_format.compressed}:
        raise UsageError(f"{options.form} is not compressed by {options.out.suffix}: name another file with -o FILE")
    if chosen_format.needs:
        require(chosen_format.needs)
    return chosen_format


def export(directory: Path, options: Options) -> int:
    """Returns the exit status. Raises UsageError, NotACrawl."""
    chosen_format = checked_format(options)
    with ReadProgress() as progress, view(directory) as db:
        written = chosen_format.write(db, options, progress)
    for path in written:
        tell(f"wrote {path}")
    return DONE


def selected(db: View, source: Source, options: Options, progress: Progress, out: Output) -> Iterator[Any]:
    """The rows of a table for which the conditions hold, in pieces between which `out` is written."""
    holds = compile_conditions(options.conditions, source.row)
    (total,) = db.execute(source.count).fetchone()
    yield from filter(holds, reported(out.pieces(db, source.pieces), progress, source.name, total))


def write_file(
    db: View,
    options: Options,
    progress: Progress,
    *,
    lines: Callable[[View, Iterable[Any]], Iterable[bytes]],
    source: Source = PAGES,
    binary: bool = False,
) -> list[Path]:
    """One file with what `lines` yields for the rows of a table."""
    options.must_be_one_file()
    with output(options.out, binary=binary) as file:
        file.writelines(lines(db, selected(db, source, options, progress, file)))
    return [options.out] if options.out else []
