"""How the items of two versions of an extractor differ, on the answers that both have seen."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from typing import Any, TypeAlias

from ttcrawl.extract.captures import Capture
from ttcrawl.extract.items import ItemsFile, Outcome
from ttcrawl.extract.run import Selection, chosen
from ttcrawl.snapshot.json_columns import parse
from ttcrawl.snapshot.snapshot import View

Fields: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemChange:
    """`before` and `after`: the fields that differ, or all of an item that only one version has.

    `error`: why one of them has none.
    """

    page_url: str
    page_time: float
    item: int  # position on the page, of the new version if that has it
    change: str  # new, gone, changed, fails, works
    before: Fields = field(default_factory=dict)
    after: Fields = field(default_factory=dict)
    error: str = ""


@dataclass(slots=True)
class Compared:
    """Figures of a comparison: answers that both versions have seen, those with a change, and items by their change."""

    pages: int = 0
    changed: int = 0
    items: Counter[str] = field(default_factory=Counter)


def item_changes(
    db: View, file: ItemsFile, versions: tuple[int, int], selection: Selection, figures: Compared
) -> Iterator[ItemChange]:
    """The changes from the first version to the second one, page by page; `figures` are counted meanwhile."""
    for captures in chosen(db, selection):
        before, after = (file.outcomes(version, captures) for version in versions)
        for capture in captures:
            key = (capture.id, capture.time)
            if key not in before or key not in after:
                continue
            changes = [*_changes(capture, before[key], after[key])]
            figures.pages, figures.changed = figures.pages + 1, figures.changed + bool(changes)
            figures.items.update(each.change for each in changes)
            yield from changes


def _changes(capture: Capture, before: Outcome, after: Outcome) -> Iterator[ItemChange]:
    change = partial(ItemChange, page_url=capture.url, page_time=capture.time)
    if bool(before.error) != bool(after.error):
        yield change(item=0, change="fails" if after.error else "works", error=after.error or before.error)
    if before.error or after.error:
        return
    same = Counter(before.items) & Counter(after.items)
    pairs = zip_longest(_others(before.items, same), _others(after.items, same))
    for one, other in pairs:
        if one is None:
            yield change(item=other[0], change="new", after=other[1])
        elif other is None:
            yield change(item=one[0], change="gone", before=one[1])
        elif names := [name for name in one[1] | other[1] if one[1].get(name) != other[1].get(name)]:
            values = ({name: fields.get(name) for name in names} for _, fields in (one, other))
            yield change(item=other[0], change="changed", before=next(values), after=next(values))


def _others(items: Sequence[str], same: Counter[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """(position, fields) of the items that are not the same in both."""
    left = same.copy()
    for position, text in enumerate(items, 1):
        if left[text]:
            left[text] -= 1
        else:
            fields = parse(text)
            yield position, fields if isinstance(fields, dict) else {}


def lines_of(change: ItemChange) -> Iterator[str]:
    """A change for reading: what is gone with a minus, what is new with a plus."""
    if change.error:
        yield f"  {change.change}: {change.error}"
        return
    yield f"  item {change.item} is {change.change}"
    for name in change.before | change.after:
        for sign, fields in (("-", change.before), ("+", change.after)):
            if fields.get(name) is not None:
                yield f"    {sign} {name}: {value_text(fields[name])}"


def value_text(value: object) -> str:
    """A value in one line."""
    return " ".join(value.split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
