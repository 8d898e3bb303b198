"""Visit a changing site for long: `python -m tests.changing --minutes 25`; exit status 1 if anything does not hold."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.changing.judge import figures, wrong
from tests.changing.play import Play


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.changing", description="Visit a changing site again.")
    parser.add_argument("--minutes", type=float, default=25.0)
    parser.add_argument("--hosts", type=int, default=10)
    parser.add_argument("--pages", type=int, default=30, help="of each host")
    parser.add_argument("--interval", type=float, default=60.0, help="seconds from one visit of a page to the next")
    parser.add_argument("--delay", type=float, default=1.0, help="seconds between two requests to a host")
    parser.add_argument("--kills", type=int, default=15)
    parser.add_argument("--into", type=Path, help="a new directory for everything (default: a temporary one)")
    options = parser.parse_args()
    into = options.into or Path(tempfile.mkdtemp(prefix="changing-"))
    into.mkdir(exist_ok=True)
    play = Play(
        directory=into,
        hosts=options.hosts,
        pages=options.pages,
        interval=options.interval,
        delay=options.delay,
        seconds=60 * options.minutes,
        kills=options.kills,
        say=lambda text: print(text, flush=True),
    )
    play.play()
    for line in figures(play):
        print(line)
    found = wrong(play)
    for line in found[:50]:
        print(f"wrong: {line}")
    print(f"{len(found)} wrong; everything is in {into}" if found else f"all holds; everything is in {into}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(_main())
