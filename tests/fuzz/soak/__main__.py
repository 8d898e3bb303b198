"""Plays rounds for so many minutes; says every minute how far it is; exit status 1 when anything was found."""

from __future__ import annotations

import argparse
import hashlib
import re
import shlex
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from tests.fuzz.soak.responses import web
from tests.fuzz.soak.shrink import How, Played, play, put, shrunk

#: Answers of a round; of so many rounds one is played with processes, and one with the commands that take seconds.
SIZE, RING, DEAR = 60, 5, 6

#: Findings of a kind that is not made small: each trial would take minutes.
SLOW = "the round hangs"


class Soak:
    def __init__(self, seed: int, into: Path, size: int) -> None:
        self._seed, self._into, self._size = seed, into, size
        self.counts: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self._began = self._said = time.monotonic()

    def round(self, number: int) -> tuple[int, How, Played]:
        how = How(
            options=self._seed * 1_000_003 + number, dear=number % DEAR == DEAR - 1, ring=number % RING == RING - 1
        )
        return number, how, play(web(how.options, self._size), how)

    def took(self, number: int, how: How, played: Played) -> None:
        self.counts.update(played.counts, rounds=1, answers=self._size)
        for kind, detail in played.findings.items():
            self.kinds[kind] += 1
            if self.kinds[kind] == 1:
                self._keep(number, how, kind, detail)

    def _keep(self, number: int, how: How, kind: str, detail: str) -> None:
        """The first finding of a kind: as it came, then small."""
        slug = re.sub(r"[^\w.]+", "-", kind).strip("-")[:60]
        place = self._into / f"{slug}-{hashlib.sha1(kind.encode()).hexdigest()[:6]}"
        answers = web(how.options, self._size)
        put(place / "as-it-came", answers)
        again = shlex.join(["python", "-m", "tests.fuzz.soak.play", str(place), *how.flags])
        (place / "finding.txt").write_text(
            f"{kind}\nround {number}\nplay it again: {again}\n\n{detail}\n", "utf-8", "replace"
        )
        print(f"found: {kind} (round {number}) -> {place}", flush=True)
        if kind != SLOW:
            put(place, shrunk(answers, kind, how))

    def say(self, *, at_last: bool = False) -> None:
        """Now and then, and at last."""
        now = time.monotonic()
        if now - self._said < 60 and not at_last:
            return
        self._said = now
        counts = self.counts
        urls = sum(counts[state] for state in ("fetched", "moved", "failed", "refused", "queued"))
        minutes = (now - self._began) / 60
        print(
            f"{minutes:.0f} min: {counts['rounds']:,} rounds, {counts['answers']:,} answers, {urls:,} URLs"
            f" ({counts['fetched']:,} fetched, {counts['failed']:,} failed), {counts['ran']:,} commands and checks,"
            f" {sum(self.kinds.values()):,} findings of {len(self.kinds)} kinds",
            flush=True,
        )


def soak(
    minutes: float, seed: int, into: Path, *, jobs: int = 1, size: int = SIZE, first: int = 0, most: int = 1 << 30
) -> Soak:
    """Play rounds until the time is over, `first` and those after it, at most so many."""
    soaking, end = Soak(seed, into, size), time.monotonic() + 60 * minutes
    with ThreadPoolExecutor(jobs) as pool:
        under_way: set[Future[tuple[int, How, Played]]] = set()
        number = first
        while under_way or (time.monotonic() < end and number < first + most):
            while len(under_way) < jobs and time.monotonic() < end and number < first + most:
                under_way.add(pool.submit(soaking.round, number))
                number += 1
            done, under_way = wait(under_way, timeout=10, return_when=FIRST_COMPLETED)
            for each in done:
                soaking.took(*each.result())
            soaking.say()
    soaking.say(at_last=True)
    return soaking


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.soak", description="Fuzz the whole path.")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1, help="another one plays other rounds")
    parser.add_argument("--into", type=Path, help="where findings are kept (default: a new directory)")
    parser.add_argument("--jobs", type=int, default=1, help="rounds at once")
    parser.add_argument("--size", type=int, default=SIZE, help="answers of a round")
    parser.add_argument("--round", type=int, help="only this one")
    given = parser.parse_args()
    into = given.into or Path(tempfile.mkdtemp(prefix="soak-findings-"))
    only = {} if given.round is None else {"first": given.round, "most": 1}
    found = soak(given.minutes, given.seed, into, jobs=given.jobs, size=given.size, **only).kinds
    for kind, count in found.most_common():
        print(f"{count:6,} rounds: {kind}")
    print(f"findings are in {into}" if found else "nothing was found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(_main())
