"""RFC 9309: the longest matching rule of the group decides; among equal lengths Allow.

Rules without stars are found in a dictionary by their length. Rules with stars are checked in the order of their rank;
for most of them one part that is not in the path is sufficient.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import hexdigits
from sys import getsizeof
from urllib.parse import quote

from msgspec import Struct, field

from ttcrawl.web.robots.lines import bounded, directives, names, seconds, token
from ttcrawl.web.robots.paths import is_robots, path_of
from ttcrawl.web.robots.verdict import ITSELF, NO_RULE, Decision
from ttcrawl.web.robots.wildcards import MAX_LOOKS, Wildcard, matching, squeezed, wildcard

#: Characters and lines per step: about a millisecond.
STEP = 15_000

#: The cost of a line in addition to its characters.
LINE = 60

#: A verdict is an int of rank, Allow or not, and line: the greatest matching one decides. There are fewer than 500 Ki
#: lines.
_LINES = 1 << 20

#: Bytes of a rule without its text: an int and an entry of a dictionary or tuple.
_RULE = 90

#: Bytes of all other data.
_RULES = 800

_ESCAPES = {a + b: bytes.fromhex(a + b) for a in hexdigits for b in hexdigits}

#: A pattern that is already spelled as paths are.
_PLAIN = re.compile(r"[A-Za-z0-9_.~/=*-]*\$?").fullmatch


class Longest(Struct, frozen=True, kw_only=True):
    """The rules of one group. Their verdict is 0 if none matches."""

    agent: str
    delay: float | None
    prefixes: dict[str, int]
    lengths: tuple[int, ...]
    ends: dict[str, int]  # complete path -> verdict, for rules with $
    wildcards: tuple[Wildcard, ...]  # the strongest first
    size: int
    cost: int

    def allows(self, url: str) -> bool:
        path = spelled(path_of(url))
        decided = self._decide(path)
        return not decided or bool(decided & _LINES) or is_robots(path)

    def decide(self, url: str) -> Decision:
        path = spelled(path_of(url))
        if is_robots(path):
            return ITSELF
        decided = self._decide(path)
        return Decision(allowed=bool(decided & _LINES), line=_LINES - decided % _LINES) if decided else NO_RULE

    def _decide(self, path: str) -> int:
        decided, prefixes = self.ends.get(path, 0), self.prefixes
        for length in self.lengths:
            rule = prefixes.get(path[:length], 0)
            if rule > decided:
                decided = rule
        if self.wildcards:
            for rule, sure in matching(self.wildcards, path):
                if rule < decided:
                    break
                if sure or not rule & _LINES:  # a possible match is enough to forbid, but not to allow
                    return rule
        return decided


def spelled(path: str) -> str:
    """Spell a path as patterns are spelled.

    >>> spelled("/caf%C3%A9?a=1*"), spelled("/a%2fb%41")
    ('/café?a=1%2A', '/a%2FbA')
    """
    path = _unescaped(path, b"/%") if "%" in path else path
    return path.replace("*", "%2A").replace("$", "%24") if "*" in path or "$" in path else path


def _unescaped(text: str, reserved: bytes) -> str:
    """Decode escapes, except for the bytes in `reserved`, which become upper case."""
    first, *pieces = text.split("%")
    chunks = [first.encode("utf-8", "replace")]
    for piece in pieces:
        byte = _ESCAPES.get(piece[:2])
        if byte is None:
            chunks.append(b"%" + piece.encode("utf-8", "replace"))
        else:
            chunks.append((b"%%%02X" % byte[0] if byte in reserved else byte) + piece[2:].encode("utf-8", "replace"))
    return b"".join(chunks).decode("utf-8", "replace")


# -- compiling --------------------------------------------------------------------------------------------------------


class _Group(Struct, eq=False):
    """The rules of a group while they are read."""

    applies: bool = False
    delay: float | None = None
    prefixes: dict[str, int] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    wildcards: dict[int, list[Wildcard]] = field(default_factory=dict)  # by rank
    size: int = 0

    def add(self, kind: str, value: str, line: int) -> None:
        """Add one rule, unchanged from the text."""
        allow, pattern = kind == "allow", bounded(kind, value)
        if pattern is None:
            return
        if "$" in pattern:  # "$" may mean the character itself
            self._keep(*_spelled(pattern.replace("$", "%24")), allow, line)
        pattern, length = _spelled(pattern)
        self._keep(pattern, length, allow, line)
        if allow and pattern.endswith("/index.html"):  # allows the directory too
            self._keep(pattern.removesuffix("index.html") + "$", length - len("index.html") + 1, allow, line)

    def _keep(self, pattern: str, length: int, allow: bool, line: int) -> None:
        if not pattern:
            return
        rank = 2 * length + allow
        verdict = rank * _LINES + _LINES - line
        pattern = squeezed(pattern) if "*" in pattern else pattern
        if "*" in pattern:
            self.wildcards.setdefault(rank, []).append(wildcard(verdict, pattern))
            self.size += 2 * (_RULE + getsizeof(pattern))
            return
        rules = self.prefixes
        if pattern.endswith("$"):
            rules, pattern = self.ends, pattern[:-1]
        if verdict > rules.get(pattern, 0):
            rules[pattern] = verdict
            self.size += _RULE + getsizeof(pattern)

    def compiled(self, agent: str) -> Longest:
        lengths = sorted({len(each) for each in self.prefixes}, reverse=True)
        wildcards = tuple(each for rank in sorted(self.wildcards, reverse=True) for each in self.wildcards[rank])
        return Longest(
            agent=agent,
            delay=self.delay,
            prefixes=self.prefixes,
            lengths=tuple(lengths),
            ends=self.ends,
            wildcards=wildcards,
            size=_RULES + self.size,
            cost=1 + len(lengths) // 50 + len(wildcards) // 200 + min(len(wildcards), MAX_LOOKS) // 15,
        )


def _spelled(pattern: str) -> tuple[str, int]:
    """A pattern spelled as paths are, and its length with only unreserved characters unescaped."""
    if _PLAIN(pattern.removesuffix("%24")):
        return pattern, len(pattern)
    if pattern.startswith(("https://", "http://")):
        pattern = "/" + pattern  # a URL by mistake: it is compared with paths
    anchor = "$" if pattern.endswith("$") else ""
    pattern = _unescaped(pattern.removesuffix("$"), b"/%*")
    return pattern.replace("$", "%24") + anchor, len(quote(pattern, safe="/%*=", errors="replace")) + len(anchor)


def longest(text: str, agent: str) -> Iterator[Longest | None]:
    """Compile the rules for `agent` in the text of a robots.txt; the last step yields them.

    Groups for the same agent are merged (section 2.2.1). A group starts with User-agent lines; unknown lines may be
    between them (section 2.2.4). Crawl-delay belongs to a group, as its rules do.
    """
    agent = token(agent)
    ours, others = _Group(), _Group()
    groups: list[_Group] = []
    naming, work = False, 0
    for line, kind, value in directives(text):
        work += LINE + len(value)
        if work > STEP:
            work = 0
            yield None
        if kind == "user-agent":
            if not naming:
                groups, naming = [], True
            whom = names(value, agent)
            group = others if whom == "*" else ours
            if whom and group not in groups:
                group.applies = True
                groups.append(group)
        elif kind in ("allow", "disallow"):
            naming = False
            if value:
                for group in groups:
                    group.add(kind, value, line)
        elif kind == "crawl-delay":
            naming = False
            for group in groups:
                group.delay = group.delay if (delay := seconds(value)) is None else delay
    group = ours if ours.applies else others
    yield group.compiled(agent if ours.applies else "*" if others.applies else "")
