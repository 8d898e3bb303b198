"""`ttcrawl cluster export`: each ring writes its part of an export, on the machine with its disk.

TARGET/TABLE/ring-N.FORMAT is a part of a table, which other programs read together: `read_parquet('TARGET/pages/*')`.
Formats without tables have the file TARGET/ring-N.FORMAT, or files in TARGET/ring-N.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from msgspec import Struct, msgpack

from ttcrawl.cluster.plan import read_plan
from ttcrawl.cluster.results.at_rings import at_rings
from ttcrawl.errors import CrawlFailedError, plain
from ttcrawl.export.fields import source_of
from ttcrawl.export.format import Format, Options, checked_format
from ttcrawl.output.steps import Progress, silent
from ttcrawl.snapshot.kinds import kinds
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.store import objects
from ttcrawl.vocabulary.reason import FOREIGN


class Wanted(Struct, frozen=True, kw_only=True):
    """What each ring is told to write. `target`: a URL of object storage, or an absolute path."""

    form: str
    target: str
    conditions: Sequence[str]
    tables: Sequence[str]
    text: bool
    since: float | None


def export_parts(directory: Path, options: Options, target: str, progress: Progress) -> list[str]:
    """Return the paths or URLs of the parts. `options.out` is not used.

    Raises UsageError, NotACrawl, and CrawlFailedError if a part cannot be written.
    """
    checked_format(options)
    plan = read_plan(directory)
    if objects.is_url(target):
        objects.check(target)
    else:
        target = os.path.abspath(target)
    wanted = Wanted(
        form=options.form,
        target=target,
        conditions=list(options.conditions),
        tables=list(options.tables),
        text=options.text,
        since=options.since,
    )

    def done(count: int) -> None:
        progress("rings", count, len(plan.rings))

    answers = at_rings(directory, plan, write_part, msgpack.encode(wanted), done)
    return [path for ring in sorted(answers) for path in msgpack.decode(answers[ring], type=list[str])]


def write_part(ring: Path, argument: bytes) -> bytes:
    """Write the part of one ring; return the paths or URLs of its files. Raises UsageError, CrawlFailedError."""
    wanted = msgpack.decode(argument, type=Wanted)
    try:
        with _written_beside(wanted.target) as beside, view(ring) as db:
            names = dict(_files(db, wanted, beside, ring.name))
            return msgpack.encode([_put(beside / file, wanted.target, name) for file, name in names.items()])
    except OSError as error:
        raise CrawlFailedError(f"{ring.name} cannot write its part to {wanted.target}: {plain(error)}") from error


def _files(db: View, wanted: Wanted, beside: Path, ring: str) -> Iterator[tuple[Path, str]]:
    """Write files below a directory; yield the path of each there, and its name below the target."""
    options = Options(
        form=wanted.form,
        out=beside,
        conditions=wanted.conditions,
        tables=wanted.tables,
        text=wanted.text,
        since=wanted.since,
    )
    chosen = checked_format(options)
    if chosen.has_tables and chosen.directory:
        for table in wanted.tables or ("pages",):
            yield from _table(db, chosen, options, table, ring)
    elif chosen.directory:
        for path in chosen.write(db, options, silent):
            yield path.relative_to(beside), f"{ring}/{path.relative_to(beside)}"
    else:
        name = Path(f"{ring}.{wanted.form}")
        chosen.write(db, replace(options, out=beside / name), silent)
        yield name, str(name)


def _table(db: View, chosen: Format, options: Options, table: str, ring: str) -> Iterator[tuple[Path, str]]:
    """Write one table without the URLs whose rows are at another ring."""
    has_reason = "reason" in kinds(source_of(db, table).row)
    conditions = (*options.conditions, *([f"reason!={FOREIGN}"] if has_reason else []))
    text = options.text and table == "pages"
    for path in chosen.write(db, replace(options, tables=(table,), conditions=conditions, text=text), silent):
        yield Path(path.name), f"{table}/{ring}{path.suffix}"


@contextmanager
def _written_beside(target: str) -> Iterator[Path]:
    """A directory for files until they are complete: where they can be renamed, or for temporary files."""
    if not objects.is_url(target):
        Path(target).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".part-", dir=None if objects.is_url(target) else target) as directory:
        yield Path(directory)


def _put(path: Path, target: str, name: str) -> str:
    """Let a complete file have its name; return its path or URL."""
    if objects.is_url(target):
        objects.write(url := objects.joined(target, name), path, path.stat().st_size)
        return url
    place = Path(target, name)
    place.parent.mkdir(parents=True, exist_ok=True)
    os.replace(path, place)
    return str(place)
