"""The report where changes are reviewed: SARIF, Markdown, and the annotations of GitHub's actions."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from itertools import groupby
from urllib.parse import quote

from ttcrawl.inspect.check.catalogue.kind import LEVELS, Kind
from ttcrawl.inspect.check.health import Health, verdict
from ttcrawl.inspect.check.kinds import KINDS, Problem
from ttcrawl.inspect.check.results.baseline import identity
from ttcrawl.inspect.check.results.groups import Group, groups
from ttcrawl.inspect.check.results.history import History, line_of
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.output.json_form import json_form
from ttcrawl.output.number import counted
from ttcrawl.output.untrusted import escape_untrusted

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

#: SARIF 2.1.0 section 3.27.10 has its own word for the last level, and GitHub the same as we.
SARIF_LEVELS = dict(zip(LEVELS, ("error", "warning", "note"), strict=True))

#: Items of a list in Markdown, and annotations of a level: GitHub shows ten of a step.
GROUPS, ANNOTATIONS = 20, 10

#: The file into which an action writes its summary (GitHub's documentation, "Adding a job summary").
SUMMARY = "GITHUB_STEP_SUMMARY"

_MARKED = re.compile(r"([\\`*_{}\[\]<>#|~])")


def as_sarif(health: Health, history: History, rules: Rules) -> str:
    """SARIF 2.1.0 (OASIS), for code scanning: a result for each problem; its location is the page."""
    kinds = [kind for kind in KINDS if kind.name in rules.kinds]
    driver = {
        "name": "ttcrawl check",
        "rules": [
            {
                "id": kind.name,
                "shortDescription": {"text": kind.title},
                "fullDescription": {"text": f"{kind.meaning}. {kind.why}"},
                "helpUri": kind.source,
                "defaultConfiguration": {"level": SARIF_LEVELS[rules.level(kind.name)]},
            }
            for kind in kinds
        ],
    }
    new = frozenset(map(identity, history.last_check.new)) if history.last_check else None
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(each, rules) | _state(each, new) for each in health.problems],
        "properties": {"in_baseline": history.in_baseline},
    }
    return json_form({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _result(problem: Problem, rules: Rules) -> dict[str, object]:
    identity = "\t".join(problem.identity).encode("utf-8", "surrogatepass")
    location: dict[str, object] = {"artifactLocation": {"uri": escape_untrusted(_uri(problem))}}
    if problem.line:  # SARIF counts UTF-16 code units unless the run says otherwise
        location["region"] = {"startLine": problem.line, "startColumn": problem.column}
    return {
        "ruleId": problem.kind,
        "level": SARIF_LEVELS[rules.level(problem.kind)],
        "message": {"text": _sentence(problem)},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"problem/v1": hashlib.sha256(identity).hexdigest()},
    }


def _uri(problem: Problem) -> str:
    """A file is relative to the directory of the command: to the root of a repository, in its workflow."""
    return quote(problem.file, errors="surrogateescape") if problem.file else problem.source or problem.url


def _state(problem: Problem, new: Set[tuple[str, ...]] | None) -> dict[str, object]:
    """Section 3.27.24; nothing for a first check."""
    return {} if new is None else {"baselineState": "new" if identity(problem) in new else "unchanged"}


def _sentence(problem: Problem) -> str:
    quoted = f' ("{problem.text}")' if problem.text else ""
    detail = f": {problem.detail}" if problem.detail else ""
    return escape_untrusted(f"{problem.kind}: {problem.url}{quoted}{detail}")


def as_markdown(health: Health, history: History, rules: Rules) -> str:
    """For a comment or a job's summary: a table of kinds, then the groups of each, folded."""
    counts = Counter(each.kind for each in health.problems)
    lines = [f"### {_marked(health.directory)}: {verdict(health, rules)}", ""]
    lines += ["| problems | level | kind | |", "|--:|---|---|---|"] if counts else []
    for kind in rules.by_level():
        if counts[kind.name]:
            lines.append(f"| {counts[kind.name]:,} | {rules.level(kind.name)} | `{kind.name}` | {kind.meaning} |")
    if history.in_baseline:
        lines += ["", f"{counted(history.in_baseline, 'problem')} in the baseline."]
    if history.last_check:
        lines += ["", f"**{history.last_check.sentence}**"]
        for title, problems in (("New", history.last_check.new), ("Mended", history.last_check.mended)):
            lines += _folded(title, len(problems), [_marked(line_of(each)) for each in problems], "problem")
    for kind, of_kind in _groups(health, rules):
        lines += _folded(kind.title, counts[kind.name], list(map(_item, of_kind)), "group")
    return "\n".join(lines)


def _folded(title: str, number: int, items: Sequence[str], noun: str) -> list[str]:
    """The first items of a list, which opens with a click; nothing if there is none."""
    if not items:
        return []
    more = len(items) - GROUPS
    lines = ["", f"<details><summary>{title} ({number:,})</summary>", "", *(f"- {each}" for each in items[:GROUPS])]
    return [*lines, *([f"- and {counted(more, f'more {noun}')}"] if more > 0 else []), "", "</details>"]


def as_github(health: Health, history: History, rules: Rules) -> str:
    """Workflow commands that annotate, the largest groups first; as_markdown goes into the job's summary."""
    lines = []
    left = Counter(dict.fromkeys(LEVELS, ANNOTATIONS))
    for kind, of_kind in _groups(health, rules):
        level = rules.level(kind.name)
        shown = of_kind[: left[level]]
        left[level] -= len(shown)
        title = f"title={_property(kind.title)}"
        lines += [f"::{level} {_file(each)}{title}::{_data(_item(each, marked=False))}" for each in shown]
    if summary := os.environ.get(SUMMARY):
        with open(summary, "a", encoding="utf-8") as file:
            file.write(as_markdown(health, history, rules) + "\n")
    since = [history.last_check.sentence] if history.last_check else []
    return "\n".join([*lines, f"{escape_untrusted(health.directory)}: {verdict(health, rules)}", *since])


def _file(group: Group) -> str:
    """The file of the first problem of a group, with the line, for an annotation beside it."""
    first = group.faults[0].pages[0].first
    if not first.file:
        return ""
    return f"file={_property(first.file)}," + (f"line={first.line},col={first.column}," if first.line else "")


def _groups(health: Health, rules: Rules) -> Iterator[tuple[Kind, list[Group]]]:
    """The groups of each kind that there is, errors first."""
    problems = {name: list(each) for name, each in groupby(health.problems, key=lambda each: each.kind)}
    yield from ((kind, groups(problems[kind.name])) for kind in rules.by_level() if kind.name in problems)


def _item(group: Group, *, marked: bool = True) -> str:
    """A group in one line, with a page that shows it."""
    mark = _marked if marked else escape_untrusted
    fault = group.faults[0]
    words = [mark(group.pattern or fault.url)]
    words += [f"({counted(len(group.faults), 'URL')})"] if group.pattern else []
    words += [mark(each) for each in (fault.detail, group.text) if each]
    pages = [page for each in group.faults for page in each.pages if page.url]
    if pages:
        position = f" ({mark(pages[0].position)})" if pages[0].position else ""
        more = f" and {len(pages) - 1:,} more" if len(pages) > 1 else ""
        words.append(f"on {mark(pages[0].url)}{position}{more}")
    return " ".join(words)


def _marked(text: str) -> str:
    """A text from a page in Markdown: it neither marks up nor links nor mentions anybody."""
    return _MARKED.sub(r"\\\1", escape_untrusted(text)).replace("@", "&#64;")


def _data(text: str) -> str:
    """A text in a workflow command (actions/toolkit, command.ts)."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
