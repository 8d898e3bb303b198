"""Write what the manual repeats from the program: config.ini, the tables of its keys in docs/configuration.md, the
commands and their options in docs/commands.md, the formats in docs/export.md, the columns in docs/tables.md, the
kinds of links in docs/links.md, the states and reasons in docs/reasons.md, the profiles in docs/profiles.md, the export
for SQLite in docs/sqlite.md, and the figures of the report in docs/json-report.md. README.md and docs/release-1.0.md
repeat the table of docs/speed.md.

    python docs/reference.py

A key is declared once, in ttcrawl/config, a command and a format in their files, a column in ttcrawl/store/schema.py
and the files that it names, a kind of links in ttcrawl/vocabulary/kind.py, one of problems in
ttcrawl/inspect/check/catalogue. Prose between the tables stays as it is.
"""

from __future__ import annotations

import html
import inspect
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout, suppress
from dataclasses import Field, fields, is_dataclass
from io import StringIO
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ttcrawl.cli import commands as command_files
from ttcrawl.cli import parser
from ttcrawl.config import SECTIONS, HostSection, example, keys
from ttcrawl.config.order import first_keys
from ttcrawl.config.profiles import PROFILES, Profile
from ttcrawl.errors import EXTRAS
from ttcrawl.export import formats
from ttcrawl.export.format import format_of
from ttcrawl.export.sources import SOURCES
from ttcrawl.export.sqlite_schema import ABOUT, VIEWS, columns
from ttcrawl.export.sqlite_schema import Column as SqliteColumn
from ttcrawl.export.table_files import TEXTS
from ttcrawl.inspect.check import kinds as kinds_of_problems
from ttcrawl.report.study import PARTS, Study
from ttcrawl.store.descriptions import Column, descriptions
from ttcrawl.vocabulary.kind import KINDS
from ttcrawl.vocabulary.reason import REASONS
from ttcrawl.vocabulary.state import STATES

DOCS = Path(__file__).parent
HEAD = "| key | default | meaning |\n|---|---|---|\n"
FIRST_KEYS = "| section | keys that people set |\n|---|---|\n"
#: The heading of a section, then prose, then its table.
SECTION = re.compile(r"^## \[([\w:]+)\]\n.*?\n(?=\| key )", re.MULTILINE | re.DOTALL)

FORMATS = "| format | what is written | with `-o DIR`, a directory that exists |\n|---|---|---|\n"
PROBLEMS = "| kind | level | a problem is | why it matters |\n|---|---|---|---|\n"
#: Columns of the table of docs/speed.md that README.md has: the crawler, requests/s, CPU ms, MB. And its rows.
SPEED = "| crawler | requests/s | CPU, ms a request | memory, MB |\n|---|--:|--:|--:|\n"
SPEED_COLUMNS = (0, 3, 4, 5)
CRAWLERS = {each.lower(): each for each in ("ttcrawl", "ttcrawl, links only", "Scrapy", "Crawlee", "wget2")}
VIEW_ROWS = "| view | has | of the tables |\n|---|---|---|\n"
LINKS = "| letter | kind | |\n|---|---|---|\n"
STATE_ROWS = "| state | meaning |\n|---|---|\n"
REASON_ROWS = "| state | reason | meaning | keys |\n|---|---|---|---|\n"

COMMANDS = "| command | what it does |\n|---|---|\n"
OPTIONS = "| option | meaning |\n|---|---|\n"
EXAMPLES = re.compile(r"\nExamples:\n\n(?:    .*\n)+")
#: Options of all commands, which docs/commands.md has once.
OF_ALL = ("-h, --help", "-q, --quiet", "--color {auto,always,never}")
#: The first section of docs/commands.md that is about no command.
END = "## Exit status\n"


def config_ini() -> str:
    return example()


def configuration(text: str) -> str:
    """docs/configuration.md with the tables of today."""
    sections: dict[str, Any] = {each.name: each.default for each in SECTIONS} | {"host:NAME": HostSection}
    for name, section in sections.items():
        start = next(match.end() for match in SECTION.finditer(text) if match[1] == name)
        rows = "".join(_row(name, key) for key in keys(section))
        text = text[:start] + _with_rows(HEAD, rows, text[start:])
    return _with_rows(FIRST_KEYS, "".join(_first_keys(*each) for each in first_keys()), text)


def _first_keys(section: str, keys: list[Field[Any]]) -> str:
    names = ", ".join(f"[`{key.name}`](#{section}.{key.name})" for key in keys)
    return f"| [`[{section}]`](#{section}) | {names} |\n"


def _row(section: str, key: Field[Any]) -> str:
    """Each key is an anchor: configuration.md#fetch.max_body."""
    value = key.default
    shown = ("yes" if value else "no") if isinstance(value, bool) else str(value)
    if isinstance(value, float):
        shown = repr(value).removesuffix(".0")
    default = f"`{shown}`" if shown else ""
    meaning = _cell(key.metadata["meaning"])
    anchor = f'<a id="{section.removesuffix(":NAME")}.{key.name}"></a>'
    return f"| {anchor}`{key.name}` | {default} | {meaning} |\n"


def _cell(text: str) -> str:
    return html.escape(text, quote=False).replace("|", "&#124;")


def commands(text: str) -> str:
    """docs/commands.md with the commands of today and their options. A new command gets a section at the end."""
    of_crawl = set(_options("crawl"))
    rows = ""
    for group, members in command_files.by_group().items():
        rows += f"| **{group}** | |\n"
        for name, command in members.items():
            parts = re.findall(r"^    ([a-z][\w-]*)", _help(name), re.MULTILINE)
            for words in [(name, part) for part in parts] or [(name,)]:
                text = _with_options(text, words, of_crawl if name != "crawl" else set())
            rows += f"| [`{name}`](#{_anchor(_heading(name, text)[1])}) | {_cell(command.SUMMARY)} |\n"
    return _with_rows(COMMANDS, rows, text)


def _with_options(text: str, words: tuple[str, ...], of_crawl: set[tuple[str, str]]) -> str:
    """The manual with the options of a command in its section, if there are any."""
    name, rows = " ".join(words), _options(*words)
    table = "".join(f"| {row[0]} | {row[1]} |\n" for row in rows if row not in of_crawl)
    if shared := [flag for row in rows if row in of_crawl for flag in re.findall(r"--?[a-z][a-z-]*", row[0])]:
        names = ", ".join(f"`{flag}`" for flag in shared)
        table += f"| {names} | as for [`crawl`](#ttcrawl-crawl-seed) |\n"
    if _heading(name, text) is None:
        usage, about = re.match(r"usage: (.*)\n\n(.*)\n", _help(*words)).groups()
        heading = usage.replace(" [OPTIONS]", "")
        text = text.replace(END, f"### `{heading}`\n\n{about}.\n\n{END}")
    start = _heading(name, text).end()
    end = text.index("\n##", start)
    section = text[start:end]
    if rows and OPTIONS not in section:
        section += f"\n{OPTIONS}"
    return text[:start] + _with_examples(words, _with_rows(OPTIONS, table, section)) + text[end:]


def _with_examples(words: tuple[str, ...], section: str) -> str:
    """The section with the examples of the command at its end."""
    declared = parser(words[0]).commands[words[0]]
    for part in words[1:]:
        declared = declared.parts[part]
    shown = "".join(f"    # {about}\n    ttcrawl {line}\n" for about, line in declared.examples)
    return EXAMPLES.sub("", section).rstrip("\n") + f"\n\nExamples:\n\n{shown}"


def _heading(name: str, text: str) -> re.Match[str] | None:
    return re.search(rf"^### (`ttcrawl {name}(?: .*)?`.*)\n", text, re.MULTILINE)


def _anchor(heading: str) -> str:
    """The name of a heading in links, as mkdocs makes it."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def _options(*words: str) -> list[tuple[str, str]]:
    """(option with its value, meaning) in the help of a command, as Markdown."""
    rows = re.findall(r"^  (-\S.*?)(?:(?:  +|\n {24})(\S.*))?$", _help(*words), re.MULTILINE)
    return [(_flags(flags), _meaning(about)) for flags, about in rows if flags not in OF_ALL]


def _flags(text: str) -> str:
    *others, last = text.split(", ")
    last = re.sub(r"\{(.*)\}", lambda choices: choices[1].replace(",", "|"), last)
    shown = [f"`{each.split()[0]}`" for each in others]
    return ", ".join([*shown, f"<code>{_cell(last)}</code>" if "|" in last else f"`{last}`"])


def _meaning(about: str) -> str:
    """Versions of Python differ in whether they tell the default of a switch."""
    return _prose(about.removesuffix(" (default: True)")) or "the form of the output"


def _help(*words: str) -> str:
    """What --help says, each option on one line or two."""
    columns = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "2000"
    try:
        with redirect_stdout(StringIO()) as out, suppress(SystemExit):
            parser(words[0]).parse_args([*words, "--help"])
    finally:
        os.environ.pop("COLUMNS")
        if columns is not None:
            os.environ["COLUMNS"] = columns
    return out.getvalue()


def export(text: str) -> str:
    """docs/export.md with the formats of today."""
    rows = []
    for name in formats.names():
        format = format_of(name)
        another = " and" if "needs the extra" in format.about else "; needs the extra"
        extra = f"{another} `{EXTRAS[format.needs]}`" if format.needs else ""
        rows.append(f"| `{name}` | {format.about}{extra} | {format.directory} |\n")
    return _with_rows(FORMATS, "".join(rows), text)


#: Where the columns are in docs/tables.md.
COLUMNS = re.compile(r"(?<=\n## Columns\n\n).*?(?=\n## )", re.DOTALL)


def tables(text: str) -> str:
    """docs/tables.md with the columns of today."""
    sections = []
    for name, table in descriptions().items():
        about = _sentence(table.about.removesuffix(" ..."))
        rows = "".join(_column(each, column) for each, column in table.columns.items())
        sections.append(f"### `{name}`\n\n{_prose(about)}\n\n| column | type | meaning |\n|---|---|---|\n{rows}")
    return COLUMNS.sub(lambda _: "\n".join(sections), text, count=1)


def _column(name: str, column: Column) -> str:
    shown = f"{column.kind}, `{column.refers_to}.id`" if column.refers_to else column.kind
    return f"| `{name}` | {shown} | {_prose(column.meaning)} |\n"


def _sentence(about: str) -> str:
    return f"{about[0].upper()}{about[1:]}."


def _prose(comment: str) -> str:
    return _cell(comment).replace("*", r"\*")


def sqlite(text: str) -> str:
    """docs/sqlite.md with the tables, columns and views of the SQLite export of today."""
    sections = []
    for name, source in SOURCES.items():
        of_column = columns(source, TEXTS if name == "pages" else ())
        rows = "".join(_sqlite_column(*each) for each in of_column.items())
        sections.append(
            f"### `{name}`\n\n{_sentence(ABOUT[name])}\n\n| column | type | meaning |\n|---|---|---|\n{rows}"
        )
    views = "".join(f"| `{name}` | {about} | {', '.join(of)} |\n" for name, (of, about, _) in VIEWS.items())
    return _with_rows(VIEW_ROWS, views, COLUMNS.sub(lambda _: "\n".join(sections), text, count=1))


def _sqlite_column(name: str, column: SqliteColumn) -> str:
    kind = f"{column.kind}{', key' * column.key}"
    refers_to = ".".join(column.refers_to or ())
    return f"| `{name}` | {kind}{f', `{refers_to}`' * bool(refers_to)} | {_prose(column.meaning)} |\n"


#: A field of a record with its comment.
FIELD = re.compile(r"^    (\w+): .*?(?:  # (.*))?$", re.MULTILINE)
#: Keys above which a record of a part stands in its table once.
LARGE = 2
#: What a value of Python is in JSON.
IN_JSON = {int: "number", float: "number", int | float: "number", str: "text", bool: "true or false"}
#: What the field `how` of a record is.
HOW = "how it was computed"


def json_report(text: str) -> str:
    """docs/json-report.md with the figures of today, by the parts of the report."""
    tables = [text.partition("\n## ")[0].rstrip() + "\n"]
    for part in fields(Study):
        record = getattr(PARTS[part.name].file, str(part.type).rpartition(".")[2])
        figures = _figures(record, "" if part.name == "summary" else part.name, {})
        rows = "".join(f"| `{key}` | {kind} | {_prose(about)} |\n" for key, kind, about in figures)
        tables.append(f"\n## `{part.name}`\n\n| key | type | meaning |\n|---|---|---|\n{rows}")
    return "".join(tables)


def _figures(
    hint: Any, path: str, shown: dict[object, str], about: str = "", null: str = ""
) -> Iterator[tuple[str, str, str]]:
    """(key, type, meaning) of a value, and of what is in it. `shown`: record -> the path at which its keys stand."""
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if NoneType in inner:
        (hint,) = (each for each in inner if each is not NoneType)
        if get_origin(hint) is tuple:
            yield path, "list or null", about
        yield from _figures(hint, path, shown, about, " or null")
    elif hint in shown:
        yield path, f"object{null}", f"{about}{'; ' * bool(about)}keys as of `{shown[hint]}`"
    elif is_dataclass(hint):
        yield from _of_record(hint, path, shown, about, null)
    elif isinstance(origin, type) and issubclass(origin, Mapping):
        yield from _figures(inner[1], f"{path}.*", shown, about)
    elif origin is tuple and inner[1:] == (...,):
        yield from _figures(inner[0], f"{path}[]", shown, about)
    else:
        yield path, ("text" if origin is Literal else IN_JSON.get(hint, "list")) + null, about


def _of_record(
    record: Any, path: str, shown: dict[object, str], about: str, null: str
) -> Iterator[tuple[str, str, str]]:
    """The record with its docstring, then its fields with their comments."""
    if len(fields(record)) > LARGE:
        shown[record] = path
    doc = " ".join((record.__doc__ or "").split())
    declared = doc.startswith(f"{record.__name__}(")  # dataclasses write that where there is no docstring
    if path and (described := ". ".join(each for each in (about, "" if declared else doc) if each)):
        yield path, f"object{null}", _of_json(described)
    comments = dict[str, str]()
    for each in reversed(record.__mro__[:-1]):
        comments |= dict(FIELD.findall(inspect.getsource(each)))
    for name, hint in get_type_hints(record).items():
        comment = HOW if name == "how" else _of_json(comments[name])
        yield from _figures(hint, f"{path}.{name}".lstrip("."), shown, comment)


def _of_json(text: str) -> str:
    return re.sub(r"\bNone\b", "null", text)


def links(text: str) -> str:
    """docs/links.md with the kinds of today."""
    rows = (f"| {kind.letter} | {kind.name} | {kind.meaning} |\n" for kind in KINDS)
    return _with_rows(LINKS, "".join(rows), text)


def reasons(text: str) -> str:
    """docs/reasons.md with the states and reasons of today. In a reason, `*` stands for what varies."""
    states = "".join(f"| `{state}` | {each.sentence} |\n" for state, each in STATES.items())
    rows = ""
    for each in REASONS.values():
        of = ", ".join(f"`{state}`" for state in each.family.states)
        keys = ", ".join(f"[`{key}`](configuration.md#{key})" for key in each.setting)
        code, sentence = (words.replace("{}", "*") for words in (each.code, each.sentence))
        rows += f"| {of} | `{code}` | {_prose(sentence)} | {keys} |\n"
    return _with_rows(REASON_ROWS, rows, _with_rows(STATE_ROWS, states, text))


def problems(text: str) -> str:
    """docs/check.md with the kinds of today, by area."""
    rows = ""
    for area in dict.fromkeys(kind.area for kind in kinds_of_problems.KINDS):
        rows += f"| **{area}** | | | |\n"
        for kind in (each for each in kinds_of_problems.KINDS if each.area == area):
            level = kind.level if kind.default else f"{kind.level}, off"
            rows += f"| `{kind.name}` | {level} | {_cell(kind.meaning)} | {_cell(kind.why)} [Source]({kind.source}) |\n"
    return _with_rows(PROBLEMS, rows, text)


def measured_speed(text: str) -> str:
    """README.md, or the notes of a release, with the measured speed."""
    table = (DOCS / "speed.md").read_text().partition("| crawler |")[2].partition("\n\n")[0]
    rows = ""
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] in CRAWLERS:
            chosen = (cells[column] for column in SPEED_COLUMNS[1:])
            rows += f"| {CRAWLERS[cells[0]]} | {' | '.join(chosen)} |\n"
    return _with_rows(SPEED, rows, text)


def _with_rows(head: str, rows: str, text: str) -> str:
    """A page in which the first table with this head has these rows."""
    return re.sub(re.escape(head) + r"(?:\|.*\n)*", lambda _: head + rows, text, count=1)


def profiles(text: str) -> str:
    """docs/profiles.md with the profiles of today, each with its keys."""
    head = text[: text.index("\n## ")] if "\n## " in text else text
    return head.rstrip() + "\n" + "".join(map(_profile, PROFILES))


def _profile(profile: Profile) -> str:
    keys = "".join(
        f"| [`{name}`](configuration.md#{name}) | {value and f'`{value}`'} |\n" for name, value in profile.keys.items()
    )
    return f"\n## {profile.name}\n\nFor {profile.about}. {profile.why}\n\n| key | value |\n|---|---|\n{keys}"


PAGES = {
    "configuration.md": configuration,
    "commands.md": commands,
    "export.md": export,
    "links.md": links,
    "profiles.md": profiles,
    "reasons.md": reasons,
    "sqlite.md": sqlite,
    "json-report.md": json_report,
    "tables.md": tables,
    "check.md": problems,
    "../README.md": measured_speed,
    "release-1.0.md": measured_speed,
}

if __name__ == "__main__":
    (DOCS.parent / "config.ini").write_text(config_ini())
    for name, written in PAGES.items():
        page = DOCS / name
        page.write_text(written(page.read_text()))
