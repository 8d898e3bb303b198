"""The log of a soak: for each piece a line of JSON and one for people; and the table of the manual."""

from __future__ import annotations

import json
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.soak.matched import Judgement
from tests.soak.piece import Piece

#: What the processors must have left in the undisturbed samples, and in which share of them: else others slowed the
#: crawl down, and what honest hosts got says nothing about it.
IDLE, SAMPLES = 0.1, 0.9

#: What honest hosts get at least, in the mean, of the requests that their delays allow.
SHARE = 0.9

#: Growth of memory and descriptors of a role from piece to piece that is none: that of caches, and of measurement.
GROWTH, FEW_FILES = 1.25, 16

#: Columns of the table.
ROLES = ("crawl", "fetch", "parse")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """`kind`: crawl, kills, rules or fuzzing. `killed`: "command role" -> how often. `memory` (MB), `descriptors`: of
    the largest process of a role in the undisturbed part of the piece: the most, but see `kept`."""

    kind: str
    begun: float
    seconds: float
    wrong: list[str]
    killed: dict[str, int] = field(default_factory=dict)
    done: dict[str, int] = field(default_factory=dict)  # stops, full disks, wrong clocks ... -> how often
    requests: int = 0
    pages: int = 0
    gaps: int = 0
    shortest: float = 0.0  # gap, as a share of the delay that was due
    undone: int = 0
    late: int = 0
    lost: int = 0
    doubled: int = 0
    urls: int = 0
    memory: dict[str, float] = field(default_factory=dict)
    descriptors: dict[str, int] = field(default_factory=dict)
    share: float | None = None  # of what the delays of honest hosts allow, in the mean
    least: float | None = None  # of the host with the least
    room: bool = False  # whether `share` is judged
    pressure: float = 0.0  # share of the time in which processes waited for a processor
    hostile: int = 0


def crawl_record(piece: Piece, judgement: Judgement, earlier: Sequence[Record], urls: int) -> Record:
    operator, quiet = piece.operator, piece.undisturbed
    memory = {role: kept(role, [each.memory[role] for each in quiet]) for role in quiet[-1].memory}
    descriptors = {role: max(each.descriptors[role] for each in quiet) for role in quiet[-1].descriptors}
    room = sum(each.idle >= IDLE for each in quiet) >= SAMPLES * len(quiet)
    share = statistics.mean(judgement.shares) if judgement.shares else None
    wrong = [*judgement.wrong, *growth(memory, descriptors, earlier)]
    if room and share is not None and share < SHARE:
        wrong.append(f"share: honest hosts got {share:.3f} of what their delays allow")
    return Record(
        kind="crawl",
        begun=piece.begun,
        seconds=piece.ended - piece.begun,
        wrong=wrong,
        killed={f"{command} {role}": number for (command, role), number in operator.killed.items()},
        done=dict(Counter(what for _, what in operator.disturbances if "kill" not in what)),
        requests=judgement.requests,
        pages=judgement.pages,
        gaps=judgement.gaps,
        shortest=round(judgement.shortest, 6),
        undone=judgement.undone,
        late=judgement.late,
        lost=judgement.lost,
        doubled=judgement.doubled,
        urls=urls,
        memory={role: round(size / 1e6, 1) for role, size in memory.items()},
        descriptors=descriptors,
        share=share,
        least=min(judgement.shares, default=None),
        room=room,
        pressure=round(statistics.mean(each.pressure for each in quiet), 3),
        hostile=operator.hosts.settings.hostile,
    )


def kept(role: str, sizes: Sequence[int]) -> int:
    """What the processes of a role keep, by samples of the largest one. A parse process has the page that it reads,
    too, and a hostile one takes hundreds of MB: it keeps what it has between them."""
    return min(sizes) if role == "parse" else max(sizes)


def growth(memory: dict[str, int], descriptors: dict[str, int], earlier: Iterable[Record]) -> Iterator[str]:
    """Memory and descriptors are those of the pieces before it."""
    before = [each for each in earlier if each.kind == "crawl"][1:]  # the first one only fills the caches
    for role in memory if len(before) > 1 else ():
        size = statistics.median(each.memory.get(role, 0.0) for each in before)
        files = statistics.median(each.descriptors.get(role, 0) for each in before)
        if memory[role] / 1e6 > GROWTH * size > 0:
            yield f"memory: {role} {memory[role] / 1e6:.0f} MB, {size:.0f} MB in earlier pieces"
        if descriptors[role] > GROWTH * files + FEW_FILES:
            yield f"descriptors: {role} {descriptors[role]}, {files:.0f} in earlier pieces"


class Log:
    """`log.jsonl` and `log.txt` in the directory of a soak."""

    def __init__(self, directory: Path) -> None:
        self._lines, self._text = directory / "log.jsonl", directory / "log.txt"
        self._lines.touch()
        text = self._lines.read_text()
        if not text.endswith("\n"):  # a power failure has cut the last line, or it is new
            self._lines.write_text(text[: text.rfind("\n") + 1])
        self.records = read(self._lines)

    def add(self, record: Record) -> str:
        """Return the line for people."""
        self.records.append(record)
        text = line(self.records)
        with open(self._lines, "a") as lines, open(self._text, "a") as people:
            lines.write(json.dumps(asdict(record)) + "\n")
            people.write(text + "\n")
        return text

    @property
    def hours(self) -> float:
        return sum(each.seconds for each in self.records) / 3600


def read(file: Path) -> list[Record]:
    return [Record(**json.loads(each)) for each in file.read_text().splitlines()]


def line(records: Sequence[Record]) -> str:
    last = records[-1]
    hours = sum(each.seconds for each in records) / 3600
    parts = [
        f"{time.strftime('%F %T', time.localtime(last.begun))}  {last.kind}, {last.seconds / 60:.1f} min",
        f"so far {hours:.2f} h, {sum(sum(each.killed.values()) for each in records):,} kills",
        f"kills {_counts(last.killed)}",
    ]
    if last.kind == "crawl":
        judged = "" if last.room else f" (not judged: pressure {last.pressure:.2f})"
        share = f"{last.share:.3f}, least {last.least:.3f}" if last.share is not None else "no run was long enough"
        parts += [
            f"also {_counts(last.done)}",
            f"{last.requests:,} requests, {last.pages:,} pages, {last.urls:,} URLs",
            f"{last.gaps:,} gaps, the shortest {last.shortest:.4f} of its delay",
            f"lost {last.lost}, doubled {last.doubled}, undone by kills {last.undone}, read late {last.late}",
            f"MB {_counts(last.memory)}; descriptors {_counts(last.descriptors)}",
            f"share of what delays allow {share}{judged}; {last.hostile} hostile hosts",
        ]
    parts.append(f"{len(last.wrong)} WRONG: {last.wrong[0]}" if last.wrong else "all holds")
    return "; ".join(parts)


def _counts(counts: dict[str, int] | dict[str, float]) -> str:
    return ", ".join(f"{number:g} {name}" for name, number in counts.items()) or "none"


def table(records: Sequence[Record]) -> str:
    """For the manual: what was done and found, by kind of piece, and the crawl hour by hour."""
    rows = ["| pieces | number | hours | kills | requests | gaps judged | lost | doubled | wrong |"]
    rows.append("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for kind in dict.fromkeys(each.kind for each in records):
        own = [each for each in records if each.kind == kind]
        sums = [sum(getattr(each, name) for each in own) for name in ("requests", "gaps", "lost", "doubled")]
        kills, wrong = (sum(sum(each.killed.values()) for each in own), sum(bool(each.wrong) for each in own))
        hours = sum(each.seconds for each in own) / 3600
        cells = [kind, len(own), f"{hours:.1f}", kills, *(f"{each:,}" for each in sums), wrong]
        rows.append(f"| {' | '.join(map(str, cells))} |")
    crawls = [each for each in records if each.kind == "crawl"]
    rows += ["", "| hour | URLs | shortest gap / delay | MB: crawl, fetch, parse | descriptors | share | least |"]
    rows.append("|--:|--:|--:|---|---|--:|--:|")
    hours = 0.0
    for each in crawls:
        hours += each.seconds / 3600
        sizes, files = (
            [of.get(role, 0) for role in ("crawl", "fetch", "parse")] for of in (each.memory, each.descriptors)
        )
        share = f"{each.share:.3f} | {each.least:.3f}" if each.share is not None and each.room else "busy | busy"
        shown = [f"{hours:.1f}", f"{each.urls:,}", f"{each.shortest:.4f}"]
        shown += [", ".join(f"{size:.0f}" for size in sizes), ", ".join(map(str, files)), share]
        rows.append(f"| {' | '.join(shown)} |")
    return "\n".join(rows)
