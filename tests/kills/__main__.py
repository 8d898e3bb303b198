"""Kill commands that write: `python -m tests.kills --kills 200 --seed 1`; exit status 1 if anything does not hold."""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.kills.ground import Ground
from tests.kills.kinds import kinds
from tests.kills.play import Play
from tests.kills.web import site
from tests.support.crawls.postgresql import INITDB, postgresql
from tests.support.web.site import Web


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kills", description="Kill commands that write.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="kinds whose names begin with this")
    parser.add_argument("--into", type=Path, help="a new directory for everything (default: a temporary one)")
    options = parser.parse_args()
    into = options.into or Path(tempfile.mkdtemp(prefix="kills-"))
    into.mkdir(exist_ok=True)
    with ExitStack() as opened:
        web = opened.enter_context(Web(site()))
        server = opened.enter_context(postgresql()) if INITDB else None
        chosen = [each for each in kinds(Ground(web, into, server)) if each.name.startswith(options.only or "")]
        play = Play(into, chosen, options.seed, say=lambda text: print(text, flush=True))
        play.play(options.kills, alone=True)
    for name, record in play.records.items():
        killed = ", ".join(f"{number} {role}" for role, number in record.killed.most_common()) or "none"
        outcome = f"{len(record.failures)} wrong" if record.failures else "all holds"
        kills = f"{record.killed.total():4} kills, {record.at_work:3} at work ({killed})"
        print(f"{name:20} {record.trials:3} trials {kills} in {record.seconds:.0f} s: {outcome}")
    if server is None:
        print(f"{'mirror':20} skipped: PostgreSQL is not installed")
    idle = [name for name, record in play.records.items() if not record.at_work]
    print(f"never killed at work: {', '.join(idle) or 'none'}")
    print(f"{play.killed} kills, {len(play.failures)} wrong; everything is in {into}")
    return 1 if play.failures or idle else 0


if __name__ == "__main__":
    sys.exit(_main())
