"""Table `fields`: a row for each page with fields of a hook, whose names are the columns.

All fields are read twice: first for the names and types, then for the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from ttcrawl.errors import UsageError
from ttcrawl.export import FIELDS
from ttcrawl.export.field_kinds import convert, joined, kind_of
from ttcrawl.export.sources import SOURCES, Source
from ttcrawl.output.display import tell
from ttcrawl.snapshot.json_columns import parse
from ttcrawl.snapshot.pieces import Pieces, of_query
from ttcrawl.snapshot.rows import MOMENT, Moment, Name
from ttcrawl.snapshot.snapshot import View

#: Different names at most: SQLite has 2,000 columns, and what pages name makes as many as there are pages.
MOST = 1000

#: In front of the name of a field that another column has, and of the empty one.
PREFIX = "field_"

_PLAIN: Mapping[str, Any] = {"int": int, "float": float, "str": str, "bool": bool}


@dataclass(frozen=True, slots=True)
class Visited:
    """The columns in front of the fields."""

    id: int
    url: str
    state: Name
    time: Moment | None
    status: int | None
    score: float | None


_FIXED = tuple(Visited.__dataclass_fields__)
_EXPRESSIONS = "url.id, url.url, url.state, page.time, page.status, fields.score, fields.fields"
_FROM = "fields LEFT JOIN url ON url.id = fields.url LEFT JOIN page ON page.url = fields.url"
_WHERE = "fields.fields != ''"


def source_of(db: View, table: str) -> Source:
    """The source of a table. Raises UsageError for fields that make no table."""
    return _fields(db) if table == FIELDS else SOURCES[table]


def columns_of(values: Iterable[Mapping[str, object]]) -> dict[str, str]:
    """Name -> kind of all fields, in the order in which they were found. Raises UsageError for too many names.

    >>> columns_of(iter([{"price": 3, "name": None}, {"price": 2.5}]))
    {'price': 'float', 'name': 'str'}
    """
    kinds: dict[str, str] = {}
    for fields in values:
        for name, value in fields.items():
            kinds[name] = joined(kinds.get(name, ""), kind_of(value))
        if len(kinds) > MOST:
            raise UsageError(
                f"the fields have more than {MOST:,} different names, one is {name!r}: let the function put what comes"
                " from pages into one dict, or write JSON lines"
            )
    return {name: kind or "str" for name, kind in kinds.items()}


def column_names(fields: Mapping[str, str], fixed: Sequence[str] = _FIXED) -> dict[str, str]:
    """Field -> column, behind the `fixed` ones. No two columns differ in case alone, which SQL does not tell apart.

    >>> column_names({"url": "str", "Price": "int", "price": "int", "": "int"})
    {'url': 'field_url', 'Price': 'Price', 'price': 'field_price', '': 'field_'}
    """
    taken, columns = set(fixed), {}
    for field in fields:
        column = field or PREFIX
        while column.lower() in taken:
            column = PREFIX + column
        taken.add(column.lower())
        columns[field] = column
    return columns


def _fields(db: View) -> Source:
    kinds = columns_of(_values(db))
    if not kinds:
        tell("no page has fields: the hook for pages adds them ([hooks] page)")
    rows = FieldRows(Visited, kinds)
    pieces = of_query(_EXPRESSIONS, _FROM, "fields.url", rows, where=_WHERE)
    return Source(name=FIELDS, row=rows.row, pieces=pieces, count=f"SELECT count(*) FROM fields WHERE {_WHERE}")


def _values(db: View) -> Iterator[Mapping[str, object]]:
    """The fields of all pages."""
    pieces: Pieces[Any] = of_query("fields.fields", "fields", "fields.url", parse, where=_WHERE)
    return (each for each in pieces.rows(db) if isinstance(each, dict))


def _hint(kind: str) -> Any:
    of_kind: Any = Annotated[float if kind == MOMENT else str, kind]
    return _PLAIN.get(kind, of_kind) | None


class FieldRows:
    """Makes rows of the values of some fixed columns and of fields, JSON.

    The attributes of a row are its columns, whatever the fields are called. `row` is their class.
    """

    def __init__(self, fixed: type, kinds: Mapping[str, str]) -> None:
        """`fixed`: a dataclass; `kinds`: of the fields."""
        self._fixed = tuple(fixed.__annotations__)
        names = column_names(kinds, self._fixed)
        hints = fixed.__annotations__ | {names[field]: _hint(kind) for field, kind in kinds.items()}
        self.row = type("Fields", (), {"__annotations__": hints, "__module__": fixed.__module__})
        self._empty = dict.fromkeys((*self._fixed, *names.values()))
        self._columns: dict[str, tuple[str, Callable[[object], object]]] = {
            field: (names[field], convert(kind)) for field, kind in kinds.items()
        }
        self._late = False

    def __call__(self, *stored: Any) -> Any:
        *fixed, text = stored
        values = self._empty | dict(zip(self._fixed, fixed, strict=True))
        fields = parse(text)
        for field, value in fields.items() if isinstance(fields, dict) else ():
            if value is not None:
                self._put(values, field, value)
        row = self.row()
        row.__dict__ = values
        return row

    def _put(self, values: dict[str, object], field: str, value: object) -> None:
        try:
            column, converted = self._columns[field]
            values[column] = converted(value)
        except (KeyError, ValueError, TypeError, OverflowError):
            if not self._late:
                tell("the crawl has meanwhile added fields of other names or types, which are missing: export again")
            self._late = True
