"""Table `crawl` of the whole: what the rings have in common, and the sums of their counters."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from ttcrawl.store.seeds import REDIRECTS, redirects_of, seeds_of
from ttcrawl.store.totals import TOTALS
from ttcrawl.vocabulary.reason import KIND

About: TypeAlias = Mapping[str, str]

#: Of a ring alone, or of one of its runs, or made anew.
_OF_RING = {
    "ring",
    "members",
    "announced",
    "moving",
    "incarnation",
    "first_visit",
    "visits_spent",
    "judged",
    "revisit_plan",
    "indexed",
    "bucketed",
    "marked_by",
    "compared",
}

_SUMS = ("seen_tests", "seen_maybe", "seen_false", "total_bytes", "total_no_page", "total_refused", "total_unrecorded")

#: Counted in the gathered tables.
_COUNTS = TOTALS | {
    "aside": f"SELECT count(*) FROM url WHERE reason = '{KIND}'",
    "in_scope": "SELECT coalesce(max(in_scope), 0) FROM growth",
}


def join(db: sqlite3.Connection, rings: Sequence[About]) -> None:
    """Write table `crawl`, except what is counted."""
    joined = {name: value for each in reversed(rings) for name, value in each.items() if _is_joined(name)}
    joined |= {name: str(sum(int(each.get(name, 0)) for each in rings)) for name in _SUMS}
    (sampled,) = db.execute("SELECT coalesce(max(seconds), 0) FROM growth").fetchone()
    ends = [float(each.get("seconds", 0)) + float(each["started"]) - began(rings) for each in rings]
    joined |= {
        "started": str(began(rings)),
        "seconds": str(max(sampled, *ends)),
        "clock": str(max(float(each.get("clock", 0)) for each in rings)),
        "seeds": "\n".join(seeds(rings)),
        # rings of an earlier version have none: the next run finds the redirects in the tables
        **{name: json.dumps(items) for name, items in _redirects(rings).items() if name in joined},
        "allowed": json.dumps(
            sorted({tuple(pair) for each in rings for pair in json.loads(each.get("allowed", "[]"))})
        ),
        "finished": _finished([each.get("finished", "") for each in rings]),
        "readers": json.dumps(sum((Counter(json.loads(each.get("readers", "{}"))) for each in rings), Counter[str]())),
        "in_flight": "",
        "run": uuid.uuid4().urn,
        "gathered": str(len(rings)),
    }
    db.executemany("INSERT OR REPLACE INTO crawl VALUES (?, ?)", joined.items())


def count(db: sqlite3.Connection) -> None:
    """Write what is counted in the other tables, once they are complete."""
    for name, query in _COUNTS.items():
        db.execute(f"INSERT OR REPLACE INTO crawl VALUES (?, ({query}))", (f"total_{name}",))
    db.execute(
        "UPDATE crawl SET value = 'interrupted' WHERE name = 'finished' AND value = 'done'"
        " AND EXISTS (SELECT 1 FROM url WHERE state = 'queued')"
    )


def _is_joined(name: str) -> bool:
    """Whether the first ring that has a value has it for all."""
    return name not in _OF_RING and not name.startswith(f"{REDIRECTS} ")


def _redirects(rings: Sequence[About]) -> dict[str, list[Any]]:
    """Return the redirects of seeds of all rings, and the targets that are due, without repetitions."""
    due = (target for each in rings for target in json.loads(each.get("seed_targets", "[]")))
    redirects = (redirect for each in rings for redirect in redirects_of(each))
    return {REDIRECTS: list(dict.fromkeys(redirects)), "seed_targets": list(dict.fromkeys(due))}


def began(rings: Iterable[About]) -> float:
    """Return when the first ring began."""
    return min(float(each["started"]) for each in rings)


def seeds(rings: Iterable[About]) -> list[str]:
    """Return the canonical URLs of the seeds."""
    return list(dict.fromkeys(seed for each in rings for seed in seeds_of(each)))


def _finished(ends: Sequence[str]) -> str:
    """Return how the whole ended: "" if a ring has not, else how the first one that was not done."""
    return "" if "" in ends else next((end for end in ends if end != "done"), "done")
