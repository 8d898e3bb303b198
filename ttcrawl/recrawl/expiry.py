"""Until when the server calls an answer fresh: Cache-Control, Expires, Date and Age (RFC 9111), for a private cache.

`s-maxage` is for shared caches, and `Pragma` for requests. Without an explicit lifetime the moment is None: a guess
from Last-Modified (section 4.2.2) is what the estimate of the rate is for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ttcrawl.recrawl.validators import modified_at

#: The greatest lifetime and age that count, seconds (section 1.2.2).
GREATEST = 2**31

#: Characters of a header that are read.
LONGEST = 4096

_DIRECTIVE = re.compile(r"""([^\s=,;"]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?""")


def fresh_until(
    cache_control: Sequence[str],
    expires: Sequence[str],
    date: Sequence[str],
    age: Sequence[str],
    *,
    sent: float,
    received: float,
) -> float | None:
    """Return the moment at which an answer becomes stale; None: the server states none.

    Each header has all its values. `sent` and `received`: when the request began and its answer was there, seconds
    since the epoch. The answer is as old as the worse of its Age and its Date says (section 4.2.3).

    >>> fresh_until(["max-age=60"], [], [], ["20"], sent=1000.0, received=1001.0)
    1040.0
    """
    directives = _directives(",".join(cache_control)[:LONGEST])
    dated = _moment(date)
    if not ("max-age" in directives or expires or _unusable(directives)):
        return None
    if _unusable(directives):
        return received
    since = received if dated is None else dated
    lifetime = _seconds(directives["max-age"]) if "max-age" in directives else _until(expires, since)
    return min(sent - _age(age), since, received) + lifetime


def _directives(text: str) -> dict[str, str | None]:
    """Return directive in lower case -> its argument, None: it has none. The first of equal directives counts."""
    result: dict[str, str | None] = {}
    for name, quoted, plain in _DIRECTIVE.findall(text):
        result.setdefault(name.lower(), quoted or plain or None)
    return result


def _unusable(directives: dict[str, str | None]) -> bool:
    """Whether the answer must not be used without a request. With an argument, no-cache is about some headers alone
    (section 5.2.2.4)."""
    return "no-store" in directives or ("no-cache" in directives and directives["no-cache"] is None)


def _seconds(text: str | None) -> float:
    """Return a lifetime; 0 unless it is a number (section 4.2.1)."""
    if not text or not (text.isascii() and text.isdigit()):
        return 0.0
    return float(GREATEST if len(text) > len(str(GREATEST)) else min(int(text), GREATEST))


def _age(values: Sequence[str]) -> float:
    """Return the first Age; 0 unless it is a number (section 5.1)."""
    return _seconds(values[0].partition(",")[0].strip()) if values else 0.0


def _until(expires: Sequence[str], since: float) -> float:
    """Return the lifetime by Expires; anything but a date is in the past (section 5.3)."""
    moment = _moment(expires)
    return 0.0 if moment is None else min(max(moment - since, 0.0), GREATEST)


def _moment(values: Sequence[str]) -> float | None:
    """Return the first date; None: there is none."""
    return modified_at(values[0].strip()) if values else None
