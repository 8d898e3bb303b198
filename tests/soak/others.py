"""Pieces beside the long crawl, each in a new directory."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tests.fuzz.soak.__main__ import soak as fuzz
from tests.soak.kills.ground import Ground
from tests.soak.kills.kinds import kinds
from tests.soak.kills.play import Play as Kills
from tests.soak.kills.web import site
from tests.soak.record import Record
from tests.soak.weeks.judge import wrong
from tests.soak.weeks.play import Play as Rules
from tests.support.crawls.postgresql import INITDB, postgresql
from tests.support.web.site import Web


def kills(directory: Path, seed: int, seconds: float, say: Callable[[str], None]) -> Record:
    """One trial of each command that writes, more of those that were not killed at their work."""
    begun = time.time()
    with ExitStack() as opened:
        web = opened.enter_context(Web(site()))
        server = opened.enter_context(postgresql()) if INITDB else None
        play = Kills(directory, kinds(Ground(web, directory, server)), seed, say)
        play.play(1, alone=True)
    idle = [f"never killed at work: {name}" for name, record in play.records.items() if not record.at_work]
    killed: Counter[str] = Counter()
    for name, record in play.records.items():
        killed[name] += record.killed.total()
    return Record(
        kind="kills",
        begun=begun,
        seconds=time.time() - begun,
        wrong=[*play.failures, *idle],
        killed=dict(killed),
    )


def rules(directory: Path, seed: int, seconds: float, say: Callable[[str], None]) -> Record:
    """A crawl whose rules, seeds and servers change on its way."""
    begun = time.time()
    play = Rules(directory, 400, seconds / 2, say)
    play.play()
    return Record(
        kind="rules",
        begun=begun,
        seconds=time.time() - begun,
        wrong=wrong(play),
        killed={"crawl": play.killed},
        requests=len(play.hits),
    )


def fuzzing(directory: Path, seed: int, seconds: float, say: Callable[[str], None]) -> Record:
    begun = time.time()
    found = fuzz(seconds / 120, seed, directory)
    return Record(kind="fuzzing", begun=begun, seconds=time.time() - begun, wrong=list(found.kinds))


KINDS = {"kills": kills, "rules": rules, "fuzzing": fuzzing}
