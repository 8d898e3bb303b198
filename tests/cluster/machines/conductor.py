"""The conductor of a cluster of the lab, on its own machine: rings are started over wires to other machines.

    python -m tests.cluster.machines.conductor DIRECTORY SPECIFICATION

SPECIFICATION is JSON: `seed`, `settings` (keys of config.ini), `rings` (the number at the begin), `shares` (of letters
that are lost, doubled, delayed). A cluster that is there is continued. SIGTERM stops it.
It prints how the crawl has ended.
"""

from __future__ import annotations

import contextlib
import json
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from ttcrawl.cluster.members import founding
from ttcrawl.cluster.plan import CONFIG, PLAN, Plan, existing, fresh, read_plan, write_plan
from ttcrawl.cluster.process import Process
from ttcrawl.cluster.route import table
from ttcrawl.cluster.supervisor import Supervisor
from ttcrawl.config import Config, read


def say(line: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)


def conduct(directory: Path, specification: dict[str, Any], *, new: bool) -> str:
    """Crawl to the end; return how it has ended."""
    plan, config = read_plan(directory), read(directory / CONFIG)
    wire = (sys.executable, "-m", "tests.cluster.machines.wire", *map(str, specification["shares"]))

    def launch(ring: int) -> Process:
        return Process(directory, ring, wire)

    supervisor = Supervisor(directory, plan, launch, config, lambda snapshot: None, say, fresh=new)
    signal.signal(signal.SIGTERM, lambda *_: supervisor.stop("interrupted"))
    with contextlib.closing(supervisor):
        finished = supervisor.run()
    write_plan(directory, replace(supervisor.plan, finished=finished))
    return finished


def main(path: str, text: str) -> None:
    directory, specification = Path(path), json.loads(text)
    if there := (directory / PLAN).exists():
        opened = existing(directory)
    else:
        members = founding(table(range(1, specification["rings"] + 1)))
        plan = Plan(members=members, seeds=(specification["seed"],), allowed=(), finished="")
        opened = fresh(directory, plan, Config().changed(specification["settings"]))
    with opened:
        print(conduct(directory, specification, new=not there), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
