"""The pieces of a soak, one after the other."""

from __future__ import annotations

import random
import shutil
import sqlite3
import time
import traceback
from contextlib import closing
from pathlib import Path

from tests.soak.hosts import Hosts
from tests.soak.judge import judge
from tests.soak.kept import Disk, Settings, WrongClock
from tests.soak.operate import Operator
from tests.soak.others import KINDS
from tests.soak.piece import Piece
from tests.soak.record import Log, Record, crawl_record
from tests.soak.served import Served
from tests.support.crawls.crawling import verified
from tests.support.crawls.postgresql import Postgresql
from tests.support.web.site import Hit

#: The kinds of pieces in turn.
TURNS = ("crawl", "kills", "crawl", "rules", "crawl", "kills", "crawl", "fuzzing")

#: Each so many pieces of the crawl are followed by `ttcrawl verify`, which reads all of it.
VERIFIED = 2


class Soak:
    def __init__(self, directory: Path, settings: Settings, server: Postgresql | None) -> None:
        self._directory, self._hosts, self._server = directory, Hosts(settings), server
        self._clock, self.disk = WrongClock(directory / "clock"), Disk(directory)
        self.log = Log(directory)
        self._before: dict[str, Hit] = {}  # the last request to each host

    def piece(self, kind: str, seconds: float) -> None:
        """A piece that ends by an error is wrong; the next one goes on."""
        number, begun = len(self.log.records), time.time()
        try:
            record = self._crawl(number, seconds) if kind == "crawl" else self._other(kind, number, seconds)
        except Exception as error:
            traceback.print_exc()
            record = Record(kind=kind, begun=begun, seconds=time.time() - begun, wrong=[f"ended: {error!r:.500}"])
        _say(self.log.add(record))

    def _other(self, kind: str, number: int, seconds: float) -> Record:
        """Its directory stays if anything is wrong."""
        place = self._directory / f"{kind}-{number}"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        record = KINDS[kind](place, number, seconds, _say)
        if not record.wrong:
            shutil.rmtree(place)
        return record

    def _crawl(self, number: int, seconds: float) -> Record:
        rng = random.Random(number)
        operator = Operator(self._directory, self._hosts, self.disk, self._clock, self._server, rng)
        operator.take_over()
        piece = Piece(number, seconds, operator, _say)
        try:
            with Served(self._hosts) as served:
                piece.play(served)
        finally:
            operator.take_over()
        judgement = judge(piece, served, self._before)
        crawls = sum(each.kind == "crawl" for each in self.log.records)
        if crawls % VERIFIED == 0 and (text := verified(operator.crawl)):
            judgement.wrong.append(f"verify: {text[:500]}")
        if "Traceback" in operator.output.read_text(errors="replace"):
            judgement.wrong.append(f"a traceback is in {operator.output}")
        return crawl_record(piece, judgement, self.log.records, _urls(operator.crawl))


def _urls(crawl: Path) -> int:
    with closing(sqlite3.connect(f"file:{crawl}/crawl.db?mode=ro", uri=True)) as db:
        found: int = db.execute("SELECT count(*) FROM url").fetchone()[0]
        return found


def _say(text: str) -> None:
    print(text, flush=True)
