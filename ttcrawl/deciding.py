"""Which line of a robots.txt decides about a URL. Pure; the verdict is that of `ttcrawl.robots`.

Both libraries tell the verdict alone. Protego reads the text here once more and each rule is noted with the line that
Protego was at; the other one hides more, so its records are put together again with its own parts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any
from urllib.parse import urlparse

from protego import Protego
from protego._utils import _quote_path
from robotexclusionrulesparser import _directive_regex, _end_of_line_regex, _Ruleset, _scrub_data

from ttcrawl.robots import MAX_BYTES, tame_rule

_LINE_END = re.compile("\r\n|\r|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deciding:
    """`number` is that of the line from 1, as an editor counts; 0 where no line decided: `text` says why then."""

    allowed: bool
    number: int
    text: str  # the line as it stands, without white space around it
    agent: str  # whose group it is: a name in lower case, "*", or "" where no group is for us

    def __str__(self) -> str:
        if not self.number:
            return self.text
        return f"{self.text} (line {self.number}, group of {self.agent})"


NO_GROUP = Deciding(allowed=True, number=0, text="no group is for this agent", agent="")
ITSELF = Deciding(allowed=True, number=0, text="robots.txt itself may always be read", agent="")


def deciding(text: str, agent: str, url: str, reading: str = "rfc9309") -> Deciding:
    """The line of a robots.txt that decides about `url` for `agent`; arguments as those of `ttcrawl.robots.parse`."""
    text = text.removeprefix("\ufeff")[:MAX_BYTES]
    return _first(text, agent, url) if reading == "1996" else _longest(text, agent, url)


def _no_rule(agent: str) -> Deciding:
    return Deciding(allowed=True, number=0, text=f"no rule of the group of {agent} matches", agent=agent)


# -- RFC 9309: the longest match --------------------------------------------------------------------------------------


class _Rules(list[Any]):
    """The rules of a group; each is noted with the line at which Protego was when it came."""

    def __init__(self, parser: Protego) -> None:
        super().__init__()
        self._parser = parser
        self.lines: dict[tuple[str, str], int] = {}  # the same rule may stand twice: the first counts

    def append(self, rule: Any) -> None:
        self.lines.setdefault((rule.field, rule.value._pattern), self._parser._total_line_seen)
        super().append(rule)


class _Groups(dict[str, Any]):
    """Groups by agent; each one that is new gets the list that notes lines."""

    def __init__(self, parser: Protego) -> None:
        super().__init__()
        self._parser = parser

    def __setitem__(self, agent: str, group: Any) -> None:
        group._rules = _Rules(self._parser)
        super().__setitem__(agent, group)


@lru_cache(maxsize=16)
def _parsed(text: str) -> Protego:
    parser = Protego()
    parser._user_agents = _Groups(parser)
    parser._parse_robotstxt(text)
    return parser


def _longest(text: str, agent: str, url: str) -> Deciding:
    parser = _parsed(text)
    if "/robots.txt" in url and urlparse(url).path == "/robots.txt":
        return ITSELF
    group = parser._get_matching_rule_set(agent)
    if group is None:
        return NO_GROUP
    path = _quote_path(url)
    name = str(group.user_agent)
    rules: Any = group._rules
    for rule in rules:  # the longest first, of equal ones Allow
        if rule.value.match(path):
            number = rules.lines[rule.field, rule.value._pattern]
            return _found(text, number, rule.field == "allow", name)
    return _no_rule(name)


def _found(text: str, number: int, allowed: bool, agent: str) -> Deciding:
    """`number` as `str.splitlines` counts, which knows more ends of lines than an editor."""
    before = text.splitlines(keepends=True)[: number - 1]
    line = text.splitlines()[number - 1]
    editor = len(_LINE_END.findall("".join(before))) + 1
    return Deciding(allowed=allowed, number=editor, text=line.strip(), agent=agent)


# -- 1996: the first match --------------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class _Record:
    """A record as robotexclusionrulesparser has it, and the line of each of its rules."""

    rules: Any
    lines: list[int]


def _first(text: str, agent: str, url: str) -> Deciding:
    lines = _end_of_line_regex.sub("\n", text).split("\n")
    records = [each for each in _records(lines) if each.rules.is_not_empty()]
    for record in sorted(records, key=lambda each: bool(each.rules.is_default())):
        if record.rules.does_user_agent_match(agent):
            return _in_record(record, lines, url)
    return NO_GROUP


def _records(lines: list[str]) -> list[_Record]:
    """Its loop over the lines, less what is not asked for here."""
    records: list[_Record] = []
    current: _Record | None = None
    naming = False
    for number, line in enumerate(map(str.strip, lines), 1):
        if line.startswith("#"):
            continue
        line = line.partition("#")[0].strip()
        if not line:  # the end of a record
            current, naming = None, False
            continue
        directive = _directive_regex.search(line)
        if directive is None:
            continue
        field, data = directive[1].lower(), _scrub_data(directive[2])
        if field in ("useragent", "user-agent"):
            if not naming:
                current = _Record(rules=_Ruleset(), lines=[])
                records.append(current)
            if current is not None and data:
                current.rules.add_robot_name(data)
        elif current is not None and field in ("allow", "disallow"):
            add = current.rules.add_allow_rule if field == "allow" else current.rules.add_disallow_rule
            add(data)
            current.lines.append(number)
        naming = field in ("useragent", "user-agent")
    return records


def _in_record(record: _Record, lines: list[str], url: str) -> Deciding:
    name = ", ".join(record.rules.robot_names)
    matches = partial(_matches, url)
    for (kind, path), number in zip(record.rules.rules, record.lines, strict=True):
        tamed = tame_rule(record.rules, kind, path)
        if tamed is not None and matches(tamed[1]):
            # a rule without a path is the opposite of itself: "Disallow:" allows everything
            allowed = (kind == _Ruleset.ALLOW) is bool(path)
            return Deciding(allowed=allowed, number=number, text=lines[number - 1].strip(), agent=name)
    return _no_rule(name)


def _matches(url: str, path: str) -> bool:
    alone = _Ruleset()
    alone.rules = [(_Ruleset.DISALLOW, path)]
    return not path or not alone.is_url_allowed(url)
