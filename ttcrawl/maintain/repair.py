"""Repairs all that can be repaired without a request and without invented data.

A page with lost bytes is removed and its URL queued again. A WARC file with damage inside is copied without the damage,
under the next name of its series. The repair deletes no file: files unknown to the tables are renamed. All changes to
the tables are one transaction; if a repair is killed, the next one starts again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from ttcrawl.errors import UsageError
from ttcrawl.inspect.verify import duplicates, revisits, tables, visits
from ttcrawl.inspect.verify.archive import unknown
from ttcrawl.ring.position import is_name, series_and_number, with_number
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.archive_objects import at_hand, in_warc, moved
from ttcrawl.store.deletions import sweep
from ttcrawl.store.mending import Mending, mending
from ttcrawl.store.private import mode_of_new
from ttcrawl.store.regular import is_link, open_regular
from ttcrawl.store.rows import AS_QUEUED
from ttcrawl.store.totals import TOTALS, bring_up_to_date, shorten_growth
from ttcrawl.store.trim import trim

ASIDE = ".unknown"
BUFFER = 1 << 20

Runs = list[tuple[int, int]]


def repair(view: View) -> None:
    """`view` has the temporary tables of `archive.check`. Raises UsageError if a WARC file is a symbolic link."""
    directory, settings = view.directory, view.settings
    for (name,) in view.execute("SELECT file FROM archive"):
        if is_link(directory / "warc" / name):
            raise UsageError(
                f"{directory / 'warc' / name} is a symbolic link, which is not followed: put the file there"
            )
    with mending(directory / "crawl.db") as db:
        tables.define(db, settings)
        sweep(db, directory)  # before files without a row are set aside
        _queue_again(db, view)
        _displace_earlier(db, view)
        _archive(db, view)
        _sites(db, directory, settings)
        if any(db.execute(query).fetchone() for query in duplicates.CHECKS.values()):
            db.forget_marks()
        db.finish()
        bring_up_to_date(db, TOTALS)
        sizes, known_sizes = dict(db.execute("SELECT file, size FROM archive")), in_warc(db)
    for path in list(unknown(directory, set(sizes))):
        path.rename(_free(path))
    trim(directory, known_sizes, settings.get("run", ""))


def _queue_again(db: Mending, view: View) -> None:
    """Queue again the URLs whose responses are lost or depend on lost ones, and reset their attempts."""
    view.execute(revisits.WITH_THEM)
    lost = "SELECT url FROM misplaced"
    db.executemany(
        f"UPDATE url SET {AS_QUEUED} WHERE id = ?",
        view.execute(lost),
    )
    db.executemany("DELETE FROM outlinks WHERE source = ?", view.execute(lost))
    beside = ("metadata", "text", "image", "document", "fingerprint", "unread", "fields", "topic", "link_score")
    for table in (*beside, "browser_use", "failed_steps"):
        db.executemany(f"DELETE FROM {table} WHERE url = ?", view.execute(lost))
    if not db.executemany("DELETE FROM page WHERE url = ?", view.execute(lost)).rowcount:
        return
    shorten_growth(db)
    db.execute("UPDATE crawl SET value = '' WHERE name = 'finished'")


def _displace_earlier(db: Mending, view: View) -> None:
    """Leave the rows of earlier answers without a place whose records are lost, or depend on lost ones."""
    nowhere = "UPDATE earlier_page SET file = '', offset = 0, size = 0 WHERE"
    torn = view.execute("SELECT file, start, end FROM torn")
    db.executemany(f"{nowhere} file = ? AND offset >= ? AND offset < ?", torn)
    db.execute(
        f"{nowhere} file != '' AND payload NOT NULL AND NOT EXISTS (SELECT 1 FROM answer AS holder"
        " WHERE holder.url = earlier_page.payload AND holder.digest = earlier_page.digest AND holder.payload IS NULL"
        " AND holder.file != '')"
    )


def _sites(db: Mending, directory: Path, settings: Mapping[str, str]) -> None:
    db.execute("UPDATE site SET domain = domain_of(host) WHERE domain IS NOT domain_of(host)")
    db.execute(
        "UPDATE url SET site = (SELECT id FROM site WHERE host = host_of(url.url))"
        " WHERE host_of(url) IS NOT (SELECT host FROM site WHERE id = url.site)"
        " AND EXISTS (SELECT 1 FROM site WHERE host = host_of(url.url))"
    )
    with contextlib.suppress(OSError, ValueError):  # an unreadable config.ini is a finding already
        default = visits.delay_obeyed(directory, settings)
        if default is not None:
            moments = [(moment, site) for _, site, moment in visits.early(db, default)]
            db.executemany("UPDATE site SET next_at = ? WHERE id = ?", moments)


def _archive(db: Mending, view: View) -> None:
    """Remove the damage from every damaged file."""
    elsewhere = moved(db)
    for name, size in db.execute("SELECT file, size FROM archive ORDER BY file").fetchall():
        torn = view.execute("SELECT start, end FROM torn WHERE file = ? ORDER BY start", (name,)).fetchall()
        sound = list(_sound_runs(torn, size))
        if not torn:
            continue
        if not sound:
            db.execute("DELETE FROM archive WHERE file = ?", (name,))
        elif len(sound) == 1 and sound[0][0] == 0 and name not in elsewhere:
            db.execute("UPDATE archive SET size = ? WHERE file = ?", (sound[0][1], name))  # the rest is cut as a tail
        elif is_name(name):
            _copy(db, view.directory / "warc", name, sound)


def _sound_runs(torn: Runs, size: int) -> Iterator[tuple[int, int]]:
    position = 0
    for start, end in [*torn, (size, size)]:
        if start > position:
            yield position, start
        position = max(position, end)


def _copy(db: Mending, warc: Path, name: str, sound: Runs) -> None:
    """Copy the sound parts of a file into a new one, and update the positions in the tables."""
    copy = next_name(db, warc, name)
    end = 0
    with at_hand(warc, name) as path, open(path, "rb") as source, open(_begun(warc / copy), "wb") as target:
        for start, stop in sound:
            source.seek(start)
            remaining = stop - start
            while remaining:
                remaining -= target.write(source.read(min(remaining, BUFFER)))
            for table in ("page", "earlier_page", "resource", "probe"):
                db.execute(
                    f"UPDATE {table} SET file = ?, offset = offset - ? WHERE file = ? AND offset >= ? AND offset < ?",
                    (copy, start - end, name, start, stop),
                )
            end += stop - start
        target.flush()
        os.fsync(target.fileno())
    db.execute("UPDATE archive SET file = ?, size = ? WHERE file = ?", (copy, end, name))


def _begun(path: Path) -> int:
    return open_regular(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode_of_new(path.parent.parent))


def next_name(db: Mending, warc: Path, name: str) -> str:
    """Return the next name in the series of a WARC file."""
    series, _ = series_and_number(name)
    names = {path.name for path in warc.glob("*.warc.gz")} | {
        file for (file,) in db.execute("SELECT file FROM archive")
    }
    numbers = [number for each, number in map(series_and_number, filter(is_name, names)) if each == series]
    return with_number(name, max(numbers, default=-1) + 1)


def _free(path: Path) -> Path:
    """An unused name for a file that is set aside."""
    aside, number = path.with_name(path.name + ASIDE), 2
    while os.path.lexists(aside):
        aside, number = path.with_name(f"{path.name}{ASIDE}-{number}"), number + 1
    return aside
