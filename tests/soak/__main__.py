"""Soak for hours: `python -m tests.soak DIR --hours 24`; exit status 1 if anything did not hold."""

from __future__ import annotations

import argparse
import signal
import sys
from contextlib import ExitStack
from pathlib import Path

from benchmarks import manual
from tests.soak.database import database
from tests.soak.kept import settings_in
from tests.soak.others import KINDS
from tests.soak.play import TURNS, Soak
from tests.soak.record import Log, table

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "soak.md"
BEGIN, END = "<!-- soak -->\n", "<!-- soak end -->\n"


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Crawl for hours, with everything.")
    parser.add_argument("directory", type=Path, help="of the soak; one that was begun earlier is continued")
    parser.add_argument("--hours", type=float, default=24.0, help="in all, with those of earlier runs")
    parser.add_argument("--minutes", type=float, default=20.0, help="of a piece")
    parser.add_argument("--hosts", type=int, default=5000)
    parser.add_argument("--hostile", type=int, default=60)
    parser.add_argument("--delay", type=float, default=60.0, help="seconds between two requests to most hosts")
    parser.add_argument("--interval", type=float, default=300.0, help="seconds from one visit of a page to the next")
    parser.add_argument("--only", choices=("crawl", *KINDS), help="pieces of this kind")
    parser.add_argument("--save", action="store_true", help="only write the table of what was done into the manual")
    options = parser.parse_args()
    if options.save:
        manual.write(MANUAL, BEGIN, END, table(Log(options.directory).records))
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
    directory = options.directory.resolve()
    settings = settings_in(directory, options.hosts, options.hostile, options.delay, options.interval)
    with ExitStack() as opened:
        soak = Soak(directory, settings, opened.enter_context(database(directory)))
        opened.callback(soak.disk.close)
        while soak.log.hours < options.hours:
            kind = options.only or TURNS[len(soak.log.records) % len(TURNS)]
            soak.piece(kind, 60 * options.minutes)
    return 1 if any(each.wrong for each in soak.log.records) else 0


if __name__ == "__main__":
    sys.exit(_main())
