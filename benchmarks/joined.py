"""What it costs to read the rings of a cluster as one crawl: python -m benchmarks.joined [--pages N] [--save]

Tables of four rings are generated: each has the pages of its hosts, and knows half of the URLs of the others. Prints
for each command the seconds of processor time, the largest memory of all its processes and the bytes it has written,
for the cluster after a change, for the cluster without one, and for the largest ring alone. `--save` writes the table
into docs/cluster.md.
"""

from __future__ import annotations

import argparse
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.manual import write
from benchmarks.measure import Measured, run
from tests.support.crawls.crawl_db import NOW, generated
from ttcrawl.cluster.members import encoded, founding
from ttcrawl.cluster.plan import Plan, write_plan
from ttcrawl.cluster.route import table
from ttcrawl.vocabulary.reason import FOREIGN

RINGS, HOSTS, TIMEOUT = 4, 400, 3600
COMMANDS = ("why --summary", "search wo1", "report --section summary")
MANUAL = Path(__file__).parents[1] / "docs" / "cluster.md"
BEGIN, END = "<!-- joined -->\n", "<!-- joined end -->"

#: What a ring knows of hosts that are not its own: half of their URLs, and nothing else.
_FOREIGN = (
    "CREATE TEMP TABLE other AS SELECT id FROM url WHERE site IN (SELECT id FROM site WHERE owner_of(host) != {ring})",
    *(f"DELETE FROM {name} WHERE url IN (SELECT id FROM other)" for name in ("page", "text", "metadata")),
    "DELETE FROM outlinks WHERE source IN (SELECT id FROM other)",
    "DELETE FROM visit WHERE owner_of(rtrim(substr(url, 8, instr(substr(url, 8), '/') - 1), '/')) != {ring}",
    "DELETE FROM url WHERE id IN (SELECT id FROM other WHERE id % 2 = 0)",
    f"UPDATE url SET state = 'refused', reason = '{FOREIGN}', found_on = NULL WHERE id IN (SELECT id FROM other)",
    "INSERT OR REPLACE INTO crawl VALUES ('ring', '{ring}'), ('incarnation', 'ring {ring}'), ('finished', 'done')",
    f"INSERT OR REPLACE INTO crawl VALUES ('started', '{NOW}'), ('seconds', '60000.0'), ('clock', '{NOW + 60000}')",
)


def made(place: Path, pages: int) -> Path:
    """Return the directory of a cluster."""
    directory = place / "cluster"
    members = founding(table(range(1, RINGS + 1)))
    owner_of = table(range(1, RINGS + 1)).ring_of
    web = generated(place / "web", urls=4 * pages, links=30 * pages, pages=pages, hosts=HOSTS, texts=pages)
    for ring in range(1, RINGS + 1):
        shutil.copytree(web, own := directory / f"ring-{ring}")
        (own / "warc").mkdir()
        with closing(sqlite3.connect(own / "crawl.db")) as db, db:
            db.create_function("owner_of", 1, owner_of, deterministic=True)
            for statement in _FOREIGN:
                db.execute(statement.format(ring=ring))
            db.execute("INSERT OR REPLACE INTO crawl VALUES ('members', ?)", (encoded(members),))
            (seed,) = db.execute("SELECT url FROM url WHERE id = 1").fetchone() or ("http://www.site-0.example/",)
            db.execute("INSERT OR REPLACE INTO crawl VALUES ('seeds', ?)", (seed,))
        with closing(sqlite3.connect(own / "crawl.db")) as db:
            db.execute("VACUUM")
    shutil.rmtree(web)
    write_plan(directory, Plan(members=members, seeds=(seed,), allowed=(), finished="done"))
    return directory


def rows(directory: Path) -> Iterator[str]:
    """The lines of the table."""
    rings = sorted(directory.glob("ring-*"), key=_size)
    tables = sum(map(_size, rings))
    yield f"Tables of {tables / 2**20:,.0f} MB, the largest ring {_size(rings[-1]) / 2**20:,.0f} MB:"
    yield ""
    yield "| command | of | CPU, s | memory, MB | written, MB |"
    yield "|---|---|--:|--:|--:|"
    for words in COMMANDS:
        shutil.rmtree(directory / "joined", ignore_errors=True)
        for of, path in (("the rings, joined for it", directory), ("the rings", directory), ("a ring", rings[-1])):
            before = _size(path)
            name, *options = words.split()
            command = [sys.executable, "-m", "ttcrawl", name, str(path), *options]
            done = run(command, directory.parent / "output", TIMEOUT, {})
            yield f"| `{words}` | {of} | {done.cpu:,.0f} | {_peak(done):,.0f} | {(_size(path) - before) / 2**20:,.0f} |"


def _peak(done: Measured) -> float:
    return max((size for _, size in done.memory), default=0) / 2**20


def _size(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file() and not path.is_symlink())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pages", type=int, default=100_000)
    options.add_argument("--save", action="store_true")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as place:
        lines = [f"{given.pages:,} pages of {HOSTS} hosts, {4 * given.pages:,} URLs and {30 * given.pages:,} links."]
        for line in rows(made(Path(place), given.pages)):
            lines.append(line)
            print(line, flush=True)
    if given.save:
        write(MANUAL, BEGIN, END, "\n".join((" ".join(lines[:2]), *lines[2:])))


if __name__ == "__main__":
    main()
