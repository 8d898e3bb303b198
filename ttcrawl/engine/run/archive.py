"""What the first record of each WARC file says about the crawl (WARC 1.1, section 6.2)."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from ttcrawl import __version__
from ttcrawl.config import Config
from ttcrawl.config.public import public_settings
from ttcrawl.output.number import counted
from ttcrawl.ring.position import LONGEST, Run

#: Seeds that are named; the others are counted.
SEEDS = 1000

#: The names that the standard has for the robots policy: "classic" is the standard of 1994, revised in 1996.
ROBOTS = {"1996": "classic"}


def run_of(directory: Path, id: str, config: Config, seeds: Sequence[str], now: float, *, ring: bool = False) -> Run:
    """Return the run that begins `now`, in seconds since the epoch; `id`: its id in the table `crawl`.

    `ring`: the directory belongs to a ring, in the directory of its cluster. Its files are named after both, so that
    files of several rings fit into one directory.
    """
    path, host = directory.resolve(), socket.gethostname()
    crawl = path.name or "crawl"
    if ring:
        crawl = f"{path.parent.name[: LONGEST - len(crawl) - 1]}-{crawl}"
    return Run(
        id=id,
        crawl=crawl,
        time=datetime.fromtimestamp(now, UTC).strftime("%Y%m%d%H%M%S"),
        host=host,
        information=tuple((name, _line(value)) for name, value in _fields(crawl, host, config, seeds) if value),
    )


def _fields(crawl: str, host: str, config: Config, seeds: Sequence[str]) -> list[tuple[str, str]]:
    robots = config.politeness.robots
    return [
        ("software", f"ttcrawl/{__version__}"),
        ("format", "WARC File Format 1.1"),
        ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
        ("hostname", host),
        ("operator", config.archive.operator),
        ("contact", config.agent.contact),
        ("http-header-user-agent", config.agent.header),
        ("robots", ROBOTS.get(robots, robots)),
        ("description", f"crawl {crawl} of {counted(len(seeds), 'seed')}"),
        *(("seed", each) for each in seeds[:SEEDS]),
        *(("setting", each) for each in public_settings(config)),
    ]


def _line(text: str) -> str:
    return "".join(each if each.isprintable() else " " for each in text).strip()
