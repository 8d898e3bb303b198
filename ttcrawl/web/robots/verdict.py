"""The decision of rules about a URL."""

from __future__ import annotations

from msgspec import Struct


class Decision(Struct, frozen=True, kw_only=True):
    """`line` is the line of the rule, counted from 1; 0: no rule decided."""

    allowed: bool
    line: int = 0
    itself: bool = False  # the URL is the robots.txt itself


#: No rule matches.
NO_RULE = Decision(allowed=True)

#: RFC 9309 section 2.2.2: "The /robots.txt URI is implicitly allowed."
ITSELF = Decision(allowed=True, itself=True)
