"""The names that version 1 promises, as the program has them now. docs/stability.md says what the promise is."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec.structs import fields as struct_fields

import ttcrawl
from ttcrawl import errors
from ttcrawl.cli import commands, parser
from ttcrawl.cli.command_line import OLD_WORDS, with_parts
from ttcrawl.config import CONVERTERS, SECTIONS, HostSection, extractors, keys
from ttcrawl.config.file import RENAMED
from ttcrawl.config.profiles import PROFILES
from ttcrawl.engine.run.api import HookFunctions
from ttcrawl.export import formats
from ttcrawl.export.postgresql import crawldb, tables
from ttcrawl.export.postgresql.views import VIEWS
from ttcrawl.export.sources import SOURCES
from ttcrawl.lab.candidates import Candidate
from ttcrawl.lab.policies import POLICIES
from ttcrawl.recrawl.interval import POLICIES as VISITS
from ttcrawl.store.columns import columns
from ttcrawl.store.schema import TABLES
from ttcrawl.vocabulary.kind import HOOK, INDEX, KINDS, REDIRECT
from ttcrawl.vocabulary.reason import REASONS
from ttcrawl.vocabulary.region import REGIONS
from ttcrawl.vocabulary.state import STATES

DOCS = Path(__file__).parents[2] / "docs"

#: What stands behind the names by which rows say how a frame keeps a column.
TYPES = {"Name": "str", "Moment": "float", "Object": "dict", "Counts": "dict", "Points": "dict", "Texts": "dict"}
TYPES |= {"Terms": "list[str]", "Headings": "list[list]"}
ALIASES = re.compile(rf"\b({'|'.join(TYPES)})\b")


def library() -> Iterator[str]:
    """Functions with their parameters, classes with their fields, properties and methods."""
    for name in ttcrawl.__all__:
        value = getattr(ttcrawl, name)
        if isinstance(value, type):
            yield from _class(name, value)
        elif callable(value):
            yield from _call(name, value)
        else:
            yield name
    yield from (f"crawl(*, {hook})" for hook in HookFunctions.__annotations__)


def _class(name: str, value: type) -> Iterator[str]:
    bases = [each.__name__ for each in value.__bases__ if each is not object and issubclass(value, Exception)]
    yield f"class {name}({', '.join(bases)})" if bases else f"class {name}"
    own = {each.name: each.type for each in fields(value) if each.repr} if is_dataclass(value) else {}
    yield from (f"{name}.{field}: {ALIASES.sub(lambda alias: TYPES[alias[0]], kind)}" for field, kind in own.items())
    if not own and not bases:  # attributes of an object that is no record
        yield from (f"{name}.{each}" for each in re.findall(r"self\.([a-z]\w*) = ", inspect.getsource(value)))
    for member, found in inspect.getmembers_static(value):
        if member.startswith("_") or member in own or hasattr(Exception, member):
            continue
        if isinstance(found, property | cached_property):
            yield f"{name}.{member}"
        elif isinstance(found, staticmethod) or inspect.isfunction(found):
            yield from _call(f"{name}.{member}", getattr(found, "__func__", found))


def _call(name: str, function: Callable[..., Any]) -> Iterator[str]:
    """A line with the parameters that have a position, and a line for each that has none: their order is free."""
    parameters = [each.replace(annotation=each.empty) for each in inspect.signature(function).parameters.values()]
    placed = [str(each) for each in parameters if each.kind < each.KEYWORD_ONLY and each.name != "self"]
    yield f"{name}({', '.join(placed)})"
    yield from (f"{name}(*, {each})" for each in parameters if each.kind == each.KEYWORD_ONLY)


def command_line() -> Iterator[str]:
    """Each command, its words and options with their values; then the words of earlier versions."""
    for name in commands.names():
        for each in with_parts(parser(name).commands[name]):
            if not each.parts:
                words = each.prog.removeprefix("ttcrawl ")
                yield words
                yield from (f"{words} {_option(action)}" for action in each.actions if action.dest != "help")
    yield from (f"{old} = {' '.join(new)}" for old, new in OLD_WORDS.items())


def _option(action: argparse.Action) -> str:
    value = "|".join(map(str, action.choices)) if action.choices else str(action.metavar or action.dest.upper())
    many = {"*": f"[{value}...]", "+": f"{value}...", "?": f"[{value}]", 0: ""}
    return f"{', '.join(action.option_strings)} {many.get(action.nargs, value)}".strip()


def configuration() -> Iterator[str]:
    """Each key with the type or the choices of its value."""
    sections: dict[str, Any] = {each.name: each.default for each in SECTIONS} | {"host:NAME": HostSection}
    for section, declared in sections.items():
        for key in keys(declared):
            yield f"[{section}] {key.name}: {'|'.join(key.metadata['choices']) or key.type}"
    yield from (f"[converters] {each.type}" for each in CONVERTERS)
    yield from (f"[{section}] {old} = {new}" for (section, old), new in RENAMED.items())


def crawl_db() -> Iterator[str]:
    """The columns of the tables, but of those that docs/stability.md excepts."""
    for table in sorted({*re.findall(r"CREATE (?:TABLE|VIEW) (\w+)", TABLES)} - _not_promised()):
        if not table.startswith("earlier_"):  # the view `answer` has their rows
            yield from (f"{table}.{name} {kind}".rstrip() for name, kind in columns(table).items())


def _not_promised() -> set[str]:
    """The tables that docs/stability.md excepts."""
    (names,) = re.findall(r"^Not promised are the tables (.+?)\.$", (DOCS / "stability.md").read_text(), re.M | re.S)
    return set(re.findall(r"`(\w+)`", names))


def postgresql() -> Iterator[str]:
    """The tables of both schemas, but of those that are not promised in crawl.db."""
    not_promised = _not_promised()
    for table in (*tables.TABLES, *crawldb.TABLES):
        name = table.name.removeprefix("ttcrawl.")
        if name not in not_promised and not name.startswith("earlier_"):
            kinds = {column: kind for column, kind in (table.columns | table.generated).items() if column != "one"}
            yield from (f"{table.name}.{column} {kind}" for column, kind in kinds.items())
    yield from (f"view {name}" for name in VIEWS)


def json_keys() -> Iterator[str]:
    """The keys of docs/json.md and docs/json-report.md, which tests compare with what commands print."""
    for page, of in (("json.md", ""), ("json-report.md", "report DIR")):
        for section in (DOCS / page).read_text().split("\n## ")[1:]:
            heading = of or section.partition("\n")[0].strip("`")
            yield from (f"{heading}: {key}: {kind}" for key, kind in documented(section).items())


def documented(section: str) -> dict[str, str]:
    """The types of the keys in the table of a section. A record may have the keys of another one above it."""
    kinds = dict[str, str]()
    for key, kind, other in re.findall(r"^\| `([^`]+)` \| (.*?) \| (?:.*?keys as of `(.+?)`)?", section, re.MULTILINE):
        kinds[key] = kind
        if other:
            kinds |= {f"{key}{each.removeprefix(other)}": kinds[each] for each in kinds if each.startswith(f"{other}.")}
    return kinds


def words() -> Iterator[str]:
    """Words that data, files and programs have: each with what it is a word of."""
    for of, names in _words().items():
        yield from (f"{of}: {name}" for name in names)


def _words() -> Mapping[str, list[str]]:
    return {
        "exit status": [f"{name} {getattr(errors, name)}" for name in ("DONE", "FAILED", "USAGE", "STOPPED")],
        "state": [*STATES],
        "reason": [code for code in REASONS if code],
        "kind of link": [f"{each.letter} {each.name}" for each in (*KINDS, REDIRECT, INDEX, HOOK)],
        "region of a link": [f"{each.letter} {each.name}" for each in REGIONS],
        "format of export": [*formats.names()],
        "table of export": [*SOURCES],
        "profile": [each.name for each in PROFILES],
        "extractor": [extractors.CSS, extractors.EACH, extractors.JSONLD, extractors.MICRODATA, extractors.TABLE],
        "policy": [*POLICIES],
        "policy for visits": [*VISITS],
        "field of a candidate": [each.name for each in struct_fields(Candidate)],
    }


#: File beside this one -> its lines.
LISTS: Mapping[str, Callable[[], Iterator[str]]] = {
    "library.txt": library,
    "commands.txt": command_line,
    "config.txt": configuration,
    "tables.txt": crawl_db,
    "postgresql.txt": postgresql,
    "json.txt": json_keys,
    "words.txt": words,
}
