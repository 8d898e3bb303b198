"""What a reader chose: values of facets, of each one or several, and a text. The same as conditions of `--where`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ttcrawl.errors import UsageError
from ttcrawl.inspect.listing.facets import BY_NAME, FACETS, NONE, YES, Facet
from ttcrawl.snapshot.condition_text import values_of
from ttcrawl.snapshot.snapshot import View

#: Of SQLite's GLOB, whose patterns have more signs than ours.
_GLOB = str.maketrans({"[": "[[]", "?": "[?]"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """`values`: facet -> values, any of which a URL has; `none` for a missing one. `text` is in the URL or the title; *
    is any text."""

    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    text: str = ""

    def without(self, facet: str) -> Selection:
        return Selection(values={name: self.values[name] for name in self.values if name != facet}, text=self.text)

    def only(self, facet: str, value: str) -> Selection:
        return Selection(values={**self.values, facet: (value,)}, text=self.text)

    def toggled(self, facet: str, value: str) -> Selection:
        """With a value as another one of its facet, or without it."""
        values = self.values.get(facet, ())
        left = tuple(each for each in values if each != value) if value in values else (*values, value)
        return Selection(values={**self.values, facet: left}, text=self.text) if left else self.without(facet)

    @property
    def conditions(self) -> list[str]:
        """Conditions on `ttcrawl export --table overview`.

        >>> Selection(values={"status": ("404", "500"), "language": ("none",)}, text='a "b"').conditions
        ['status=404,500', 'language=""', 'url~"*a ""b""*" OR title~"*a ""b""*"']
        """
        of_facets = ((each, self.values[each.name]) for each in FACETS if each.name in self.values)
        all_of = [condition for facet, values in of_facets if (condition := _condition(facet, values))]
        if self.text:
            pattern = _quoted(f"*{self.text}*")
            all_of.append(f"url~{pattern} OR title~{pattern}")
        return all_of

    @property
    def rules(self) -> list[str]:
        """Rules of `ttcrawl why --as-if` that exclude it, as far as one can: by host, depth and the text of the URL.

        >>> Selection(values={"host": ("a.test",), "depth": ("3",)}, text="/print/").rules
        ['exclude=host:a.test', 'crawl.max_depth=2', 'exclude=*/print/*']
        """
        of_rule = [f"exclude=host:{host}" for host in self.values.get("host", ())]
        depths = [int(depth) for depth in self.values.get("depth", ()) if depth.isdigit()]
        if min(depths, default=0) > 0:
            of_rule.append(f"crawl.max_depth={min(depths) - 1}")
        if self.text and not any(map(str.isspace, self.text)):
            of_rule.append(f"exclude=*{self.text}*")
        return of_rule

    @property
    def query(self) -> dict[str, str]:
        """The parameters of an address: values as in `--where`, so that one with a comma stands in quotation marks."""
        return {name: ",".join(map(_quoted, values)) for name, values in self.values.items()} | {"q": self.text}


def selection_of(query: Mapping[str, str]) -> Selection:
    """The selection of an address. Raises UsageError for a value that is none.

    >>> selection_of({"status": "404,none", "reason": '"a, b"'}).values
    {'reason': ('a, b',), 'status': ('404', 'none')}
    """
    values = {each.name: values_of(each.name, query[each.name]) for each in FACETS if query.get(each.name)}
    for name, several in values.items():
        for value in several if BY_NAME[name].is_number else ():
            if value != NONE and not (value.isascii() and value.isdigit() and len(value) < 10):
                raise UsageError(f"{name}={value}: write a number, or {NONE}")
    return Selection(values=values, text=query.get("q", "").strip())


def stored_values(db: View, selection: Selection) -> dict[str, list[object]]:
    """Facet -> its values as table `listed` has them; None for a missing one. A facet that allows all is left out."""
    values = {name: [_stored(db, name, each) for each in several] for name, several in selection.values.items()}
    return {name: several for name, several in values.items() if not BY_NAME[name].conditions or len({*several}) == 1}


def _stored(db: View, name: str, value: str) -> object:
    if value == NONE:
        return None
    if name == "host":
        row = db.execute("SELECT id FROM site WHERE host = ?", (value,)).fetchone()
        return row[0] if row else -1
    if BY_NAME[name].conditions:
        return YES if value == YES else None
    return int(value) if BY_NAME[name].is_number else value


def text_condition(text: str) -> tuple[str, str]:
    """(The SQL that holds for {} with this text, its value)."""
    if "*" not in text:
        return "instr({}, ?) > 0", text
    return "{} GLOB ?", f"*{text.translate(_GLOB)}*"


def _condition(facet: Facet, values: tuple[str, ...]) -> str:
    """Empty if all URLs fulfil it."""
    if facet.conditions:
        with_yes = {value == YES for value in values}
        return facet.conditions[True not in with_yes] if len(with_yes) == 1 else ""
    texts = ('""' if value == NONE else _quoted(value) for value in values)
    return f"{facet.name}={','.join(texts)}"


def _quoted(value: str) -> str:
    plain = value.isascii() and value.replace("/", "").replace(".", "").replace("-", "").isalnum()
    return value if plain else '"' + value.replace('"', '""') + '"'
