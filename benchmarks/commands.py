"""What the commands that read a crawl cost: python -m benchmarks.commands DIR [--pages N] [--save] [COMMAND...]

Crawls three documentations into DIR/original, multiplies this crawl to N pages (100,000) in DIR/crawl unless both are
there, and runs each command over it: CPU seconds, and the most memory that all its processes have at a time
(PSS; the page cache is not in it). Figures that earlier commands have kept are removed first, so each is computed.
Exports have a benchmark of their own. 100,000 pages take 3 GB in DIR.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks import manual
from benchmarks.exports import TIMEOUT, copied
from benchmarks.measure import finished
from ttcrawl.report.cache import NAME as CACHE

MANUAL = Path(__file__).resolve().parent.parent / "docs" / "guides" / "operations.md"
BEGIN, END = "<!-- commands -->\n", "<!-- commands end -->\n"

#: Words of a command line, in which URL is a page of the crawl, TERMS a list of terms, and OUT a directory.
COMMANDS: Sequence[str] = (
    "status",
    "why --summary",
    "why URL",
    "page URL --links",
    "duplicates",
    "aliases",
    "diff",
    "report",
    "report --format html",
    "report --politeness",
    "plot --out OUT",
    "graph",
    "graph --all --links all",
    "graph --export gexf --out OUT",
    "graph --picture --out OUT",
    "check --offline",
    "check --offline --skip fragment --skip invalid-link --skip missing-alt",
    "search --rebuild queue",
    "search priority queue",
    "search --rank pagerank regular expression",
    "topic score --terms TERMS",
    "verify",
    "export --format jsonl -o OUT/pages.jsonl",
    "export --format csv --table links -o OUT/links.csv",
)

#: These use the figures of the command before them.
WITH_FIGURES = ("report --format html",)

TERMS = "50: regular expression=P\n30: queue=P\n20: thread=P\n40: index=P.Database\n10: class=P\n"

#: Exit statuses: done, and problems found.
EXPECTED = (0, 1)


def words(command: str, directory: Path, names: Mapping[str, str]) -> Iterator[str]:
    """The command line of `ttcrawl`, with the crawl as its first argument."""
    name, *rest = command.split()
    subcommand = [rest.pop(0)] if name == "topic" else []
    yield from (sys.executable, "-m", "ttcrawl", name, *subcommand, str(directory))
    for word in rest:
        first, mark, path = word.partition("/")
        yield names.get(first, first) + mark + path


def row(command: str, directory: Path) -> str:
    """A line of figures."""
    if command not in WITH_FIGURES:
        (directory / CACHE).unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=directory.parent, prefix="commands-") as folder:
        terms = Path(folder) / "terms.txt"
        terms.write_text(TERMS)
        names = {"URL": a_page(directory), "TERMS": str(terms), "OUT": folder}
        done = finished([*words(command, directory, names)], Path(folder) / "output", TIMEOUT, accepted=EXPECTED)
    memory = max(size for _, size in done.memory)
    return f"| `{command}` | {done.cpu:,.1f} | {memory / 1e6:,.0f} |"


def a_page(directory: Path) -> str:
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        (url,) = db.execute("SELECT url FROM url WHERE state = 'fetched' ORDER BY id LIMIT 1 OFFSET 100").fetchone()
    return str(url)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, metavar="DIR")
    parser.add_argument("names", nargs="*", metavar="COMMAND", help="all of them if none is named: report, check ...")
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--save", action="store_true", help="write the result into docs/guides/operations.md")
    options = parser.parse_intermixed_args()  # names may follow --pages
    copies = copied(options.directory, options.pages)
    lines = ["| command | CPU, s | memory, MB |", "|---|--:|--:|"]
    print("\n".join(lines), flush=True)
    for command in COMMANDS:
        if not options.names or command.split()[0] in options.names:
            lines.append(row(command, copies))
            print(lines[-1], flush=True)
    if options.save:
        manual.write(MANUAL, BEGIN, END, "\n".join(lines))


if __name__ == "__main__":
    main()
