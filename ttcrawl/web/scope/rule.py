"""One rule: its line is parsed, and refused if it is invalid or could never match."""

from __future__ import annotations

import re

from msgspec import Struct

from ttcrawl.errors import ConfigError
from ttcrawl.vocabulary.reason import SCOPE_BLACKLIST, SCOPE_DEPTH, SCOPE_EXTENSION, SCOPE_HOPS, SCOPE_RULE, Code
from ttcrawl.web.line import Line
from ttcrawl.web.scope import patterns


class Rule(Struct, frozen=True, kw_only=True):
    """The subject and the pattern to compare it with; `section` is a host or *.domain ("": every host)."""

    allow: bool
    subject: str  # url, host: `pattern` is searched in it; domain: it equals `pattern`; depth, hops: it exceeds `limit`
    pattern: str
    limit: int = 0
    section: str = ""
    reason: Code = SCOPE_RULE  # for a URL that the rule excludes
    line: Line

    def __str__(self) -> str:
        section = f"[host:{self.section}]" if self.section else ""
        return f"{self.line.text} ({', '.join(filter(None, (self.line.position, section)))})"


def parse_rule(line: Line, section: str = "") -> Rule:
    """`allow PATTERN` or `exclude PATTERN`. Raises ConfigError with the position of the rule and the error."""
    action, _, pattern = line.text.partition(" ")
    if action not in ("allow", "exclude") or not pattern.strip():
        raise ConfigError(f"{line.position}: {line.text}: write allow PATTERN or exclude PATTERN")
    try:
        subject, text, limit = _read(action == "allow", pattern.strip())
    except ValueError as error:
        raise ConfigError(f"{line.position}: {line.text}: {error}") from None
    return Rule(
        allow=action == "allow",
        subject=subject,
        pattern=text,
        limit=limit,
        section=section,
        reason={"depth": SCOPE_DEPTH, "hops": SCOPE_HOPS}.get(subject, SCOPE_RULE),
        line=line,
    )


def blacklisted(line: Line) -> Rule:
    """A wildcard pattern that overrides all other rules. Raises ConfigError."""
    if line.text.partition(":")[0] in KINDS:
        remedy = f"write exclude {line.text} in [scope] rules"
        raise ConfigError(f"{line.position}: {line.text}: a blacklist has only wildcard patterns: {remedy}")
    try:
        pattern = patterns.wildcard(line.text)
    except ValueError as error:
        raise ConfigError(f"{line.position}: {line.text}: {error}") from None
    return Rule(allow=False, subject="url", pattern=pattern, reason=SCOPE_BLACKLIST, line=line)


def unwanted(extensions: str) -> Rule:
    """A rule that refuses these extensions unless another rule matches. Raises ConfigError."""
    line = Line(text="extensions", file="[scope]")
    try:
        pattern = patterns.extensions(extensions)
    except ValueError as error:
        raise ConfigError(f"[scope] extensions: {error}") from None
    return Rule(allow=False, subject="url", pattern=pattern, reason=SCOPE_EXTENSION, line=line)


def host_depth(section: str, depth: int) -> Rule:
    """The max_depth of a section [host:NAME]."""
    line = Line(text=f"max_depth = {depth}")
    return Rule(allow=False, subject="depth", pattern="", limit=depth, section=section, reason=SCOPE_DEPTH, line=line)


def _read(allow: bool, text: str) -> tuple[str, str, int]:
    """(subject, pattern, limit). Raises ValueError."""
    kind, colon, operand = text.partition(":")
    if not colon or kind not in KINDS:
        return "url", patterns.wildcard(text), 0
    if not operand.strip():
        raise ValueError(f"a value is missing after {kind}:")
    if kind in ("depth", "hops"):
        return kind, "", _limit(kind, allow, operand)
    if kind == "domain":
        return "domain", patterns.domain(operand), 0
    if kind == "host-regex":
        return "host", f"(?i){patterns.expression(operand)}", 0
    return "url", patterns.OF_URLS[kind](operand), 0


KINDS = {*patterns.OF_URLS, "depth", "hops", "domain", "host-regex"}


def _limit(kind: str, allow: bool, operand: str) -> int:
    # Any other comparison would let a URL fall out of scope when its depth decreases, possibly after it was fetched.
    wanted = r"<=(\d{1,9})" if allow else r">(\d{1,9})"
    match = re.fullmatch(wanted, operand)
    if not match:
        meaning = {"depth": "links from the seeds", "hops": "links since the seeds' domains were left"}[kind]
        raise ValueError(f"write exclude {kind}:>N ({meaning}) or allow {kind}:<=N")
    return int(match[1])
