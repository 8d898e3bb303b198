"""The pages that link to a URL: a scan of the packed links with a time limit."""

from __future__ import annotations

import json
import time
from collections.abc import Set

from ttcrawl.inspect.why.facts import Linked, Linking
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary import region
from ttcrawl.vocabulary.kind import NAMES, REQUISITES

#: Ids of pages between two checks of the time limit.
SEGMENT = 5_000
EXAMPLES = 5

#: Part of the phrase for a page requisite.
SHOWN = "a page requisite"
RECORDED = chr(region.RECORDED)
REGIONS = {each.letter: each.sentence for each in region.REGIONS}


def linked(db: View, key: int, seconds: float, segment: int = SEGMENT) -> Linked:
    """Pages in order of discovery. Takes about 1 s for 100,000 pages of 100 links."""
    end = time.monotonic() + seconds
    (last,) = db.execute("SELECT coalesce(max(source), 0) FROM outlinks").fetchone()
    times = pages = start = 0
    examples: list[Linking] = []
    shown = REQUISITES if db.config.links.page_requisites else frozenset()
    while start < last and (start == 0 or time.monotonic() < end):
        rows = db.execute(
            # search the text before parsing it: few of thousands of pages have the key
            "SELECT source, targets, kinds, regions FROM outlinks"
            " WHERE source > ? AND source <= ? AND instr(targets, ?)",
            (start, start + segment, str(key)),
        )
        for source, packed, kinds, regions in rows:
            indexes = [index for index, each in enumerate(json.loads(packed)) if each == key]
            times += len(indexes)
            pages += bool(indexes)
            if indexes and len(examples) < EXAMPLES:
                phrases = {_phrase(chr(kinds[each]), chr(regions[each]), shown) for each in indexes}
                examples.append(Linking(page=db.url_of(source), kinds=tuple(sorted(phrases)), times=len(indexes)))
        start += segment
    return Linked(
        times=times,
        pages=pages,
        examples=tuple(examples),
        looked_through=_pages(db, min(start, last)),
        of=_pages(db, last),
    )


def _phrase(kind: str, letter: str, shown: Set[int]) -> str:
    name = NAMES.get(kind, kind)
    if ord(kind) in shown:
        return f"{name}{'' if letter == RECORDED else f' {REGIONS.get(letter, letter)}'}, {SHOWN}"
    return name if kind == "R" else f"{name} {REGIONS.get(letter, letter)}"


def _pages(db: View, to: int) -> int:
    count: int = db.execute("SELECT count(*) FROM outlinks WHERE source <= ?", (to,)).fetchone()[0]
    return count
