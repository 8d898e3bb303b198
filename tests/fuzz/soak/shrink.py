"""A round that found something made small: fewer answers, then fewer bytes of each, as long as it is found still."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

#: Seconds a round may take before it is held to hang.
PATIENCE = 600.0

#: Seconds and rounds that making one finding small may take.
BUDGET, TRIALS = 300.0, 80

Answers = dict[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """How a round is played."""

    options: int
    dear: bool
    ring: bool

    @property
    def flags(self) -> list[str]:
        return ["--options", str(self.options), *["--dear"] * self.dear, *["--ring"] * self.ring]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    findings: dict[str, str]  # kind -> detail of the first
    counts: dict[str, int]


def put(directory: Path, answers: Mapping[str, bytes]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    for name, answer in answers.items():
        (directory / name).write_bytes(answer)


def play(answers: Mapping[str, bytes], how: How, patience: float = PATIENCE) -> Played:
    """A round in a process of its own: what it finds, its end included."""
    with tempfile.TemporaryDirectory(prefix="soak-") as place:
        put(Path(place), answers)
        command = [sys.executable, "-m", "tests.fuzz.soak.play", place, *how.flags]
        try:
            done = subprocess.run(command, capture_output=True, timeout=patience)
        except subprocess.TimeoutExpired:
            return Played(findings={"the round hangs": f"more than {patience:g} s"}, counts={})
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]
    found = {}
    for each in lines:
        if "kind" in each:
            found.setdefault(each["kind"], each["detail"])
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace")[-3000:]
        how_ended = f"signal {-done.returncode}" if done.returncode < 0 else f"status {done.returncode}"
        found[f"the process ended: {how_ended}"] = said
    return Played(findings=found, counts=lines[-1] if lines and "ran" in lines[-1] else {})


def shrunk(answers: Answers, kind: str, how: How) -> Answers:
    """As few answers and bytes as the budget allows that still bring a finding of this kind."""
    end, trials = time.monotonic() + BUDGET, 0

    def shows(fewer: Answers) -> bool:
        nonlocal trials
        trials += 1
        if trials > TRIALS or time.monotonic() > end:
            return False
        return kind in play(fewer, how, patience=60.0).findings

    names = _fewest(list(answers), lambda some: shows({name: answers[name] for name in some}))
    answers = {name: answers[name] for name in names}
    for name in names:
        pieces = _pieces(answers[name])
        kept = _fewest(pieces, lambda some, name=name: shows(answers | {name: b"".join(some)}))  # type: ignore[misc]
        answers[name] = b"".join(kept)
    return answers


def _pieces(answer: bytes) -> list[bytes]:
    size = max(1, len(answer) // 64)
    return [answer[start : start + size] for start in range(0, len(answer), size)]


def _fewest(items: list, shows: Callable[[list], bool]) -> list:
    """A few of the items that still show it (A. Zeller and R. Hildebrandt, Simplifying and Isolating Failure-Inducing
    Input, TSE 28, 2002)."""
    parts = 2
    while len(items) > 1:
        size = -(-len(items) // parts)
        starts = range(0, len(items), size)
        alone = [items[start : start + size] for start in starts]
        without = [items[:start] + items[start + size :] for start in starts] if parts > 2 else []
        fewer = next((some for some in (*alone, *without) if shows(some)), None)
        if fewer is not None:
            parts = 2 if fewer in alone else max(2, parts - 1)
            items = fewer
        elif size == 1:
            break
        else:
            parts = min(len(items), parts * 2)
    return items
