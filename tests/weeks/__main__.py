"""Play a long crawl: `python -m tests.weeks --hosts 5000 --minutes 60`; exit status 1 when anything does not hold."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.weeks.judge import estimates, wrong
from tests.weeks.play import Play


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.weeks", description="Crawl many hosts, with interruptions.")
    parser.add_argument("--hosts", type=int, default=5000)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--into", type=Path, help="a new directory for everything (default: a temporary one)")
    options = parser.parse_args()
    into = options.into or Path(tempfile.mkdtemp(prefix="weeks-"))
    into.mkdir(exist_ok=True)
    play = Play(into, options.hosts, 60 * options.minutes, say=lambda text: print(text, flush=True))
    play.play()
    print(f"{len(play.hits):,} requests, {play.runs} runs, {play.killed} kills")
    for left, true, bound in estimates(play):
        print(f"left by status {left:8,.0f} s, until the end {true:8,.0f} s  ({bound})")
    found = wrong(play)
    for line in found[:50]:
        print(f"wrong: {line}")
    for kind, number in Counter(line.partition(":")[0].rstrip("0123456789") for line in found).most_common(9):
        print(f"{number:6,}  {kind}")
    print(f"everything is in {into}" if found else f"all holds; everything is in {into}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(_main())
