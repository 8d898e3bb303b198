"""What a reader chose: at most one value of each facet, and a text. The same as conditions of `--where`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ttcrawl.errors import UsageError
from ttcrawl.inspect.listing.facets import BY_NAME, FACETS, NONE, YES, Facet
from ttcrawl.snapshot.snapshot import View

#: Of SQLite's GLOB, whose patterns have more signs than ours.
_GLOB = str.maketrans({"[": "[[]", "?": "[?]"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """`values`: facet -> value, `none` for a missing one. `text` is in the URL or the title; * is any text."""

    values: Mapping[str, str] = field(default_factory=dict)
    text: str = ""

    def without(self, facet: str) -> Selection:
        return Selection(values={name: self.values[name] for name in self.values if name != facet}, text=self.text)

    def with_value(self, facet: str, value: str) -> Selection:
        return Selection(values={**self.values, facet: value}, text=self.text)

    @property
    def conditions(self) -> list[str]:
        """Conditions on `ttcrawl export --table overview`.

        >>> Selection(values={"status": "404", "language": "none"}, text='a "b"').conditions
        ['status=404', 'language=""', 'url~"*a ""b""*" OR title~"*a ""b""*"']
        """
        all_of = [_condition(each, self.values[each.name]) for each in FACETS if each.name in self.values]
        if self.text:
            pattern = _quoted(f"*{self.text}*")
            all_of.append(f"url~{pattern} OR title~{pattern}")
        return all_of

    @property
    def rules(self) -> list[str]:
        """Rules of `ttcrawl why --as-if` that exclude it, as far as one can: by host, depth and the text of the URL.

        >>> Selection(values={"host": "a.test", "depth": "3"}, text="/print/").rules
        ['exclude=host:a.test', 'crawl.max_depth=2', 'exclude=*/print/*']
        """
        of_rule = []
        if host := self.values.get("host"):
            of_rule.append(f"exclude=host:{host}")
        if (depth := self.values.get("depth", "")).isdigit() and int(depth):
            of_rule.append(f"crawl.max_depth={int(depth) - 1}")
        if self.text and not any(map(str.isspace, self.text)):
            of_rule.append(f"exclude=*{self.text}*")
        return of_rule

    @property
    def query(self) -> dict[str, str]:
        """The parameters of an address."""
        return {**self.values, "q": self.text}


def selection_of(query: Mapping[str, str]) -> Selection:
    """The selection of an address. Raises UsageError for a value that is none."""
    values = {each.name: query[each.name] for each in FACETS if query.get(each.name)}
    for name, value in values.items():
        if BY_NAME[name].is_number and value != NONE and not (value.isascii() and value.isdigit() and len(value) < 10):
            raise UsageError(f"{name}={value}: write a number, or {NONE}")
    return Selection(values=values, text=query.get("q", "").strip())


def stored_values(db: View, selection: Selection) -> dict[str, object]:
    """Facet -> its value as table `listed` has it; None for a missing one."""
    values: dict[str, object] = {}
    for name, value in selection.values.items():
        if value == NONE:
            values[name] = None
        elif name == "host":
            row = db.execute("SELECT id FROM site WHERE host = ?", (value,)).fetchone()
            values[name] = row[0] if row else -1
        elif BY_NAME[name].conditions:
            values[name] = YES if value == YES else None
        else:
            values[name] = int(value) if BY_NAME[name].is_number else value
    return values


def text_condition(text: str) -> tuple[str, str]:
    """(The SQL that holds for {} with this text, its value)."""
    if "*" not in text:
        return "instr({}, ?) > 0", text
    return "{} GLOB ?", f"*{text.translate(_GLOB)}*"


def _condition(facet: Facet, value: str) -> str:
    if facet.conditions:
        return facet.conditions[value != YES]
    return f"{facet.name}={_quoted(value)}"


def _quoted(value: str) -> str:
    if value == NONE:
        return '""'
    plain = value.isascii() and value.replace("/", "").replace(".", "").replace("-", "").isalnum()
    return value if plain else '"' + value.replace('"', '""') + '"'
