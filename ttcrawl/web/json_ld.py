"""The script of a JSON-LD element as data (JSON-LD 1.1 section 7)."""

from __future__ import annotations

import json
from typing import Any

from ttcrawl.web.late import late

#: What may stand around it, so that old parsers of HTML or XML do not take it for text.
_BEGIN = late(r"\s*+(?://|/\*)?+\s*+(?:<!\[CDATA\[|<!--)\s*+(?:\*/)?+")
_END = late(r"(?://|/\*)?\s*(?:\]\]>|-->)\s*(?:\*/)?\s*\Z")
_BEFORE, _BEHIND = "\ufeff \t\r\n", "; \t\r\n"
#: Characters at the end, in which its mark stands.
_TAIL = 100


def loads(script: str) -> Any:
    """The value; None unless the script is JSON. A byte order mark before it (RFC 8259 section 8.1) and semicolons
    behind it are ignored.

    >>> loads('//<![CDATA[\\n{"a": 1}\\n//]]>'), loads('<!-- ["b"] -->'), loads("{no json"), loads("\\ufeff[2]; ")
    ({'a': 1}, ['b'], None, [2])
    """
    try:
        return json.loads(
            _unwrapped(script.lstrip(_BEFORE)).rstrip(_BEHIND), strict=False
        )  # strings often contain line ends
    except (ValueError, RecursionError):  # ValueError: also for a number of 5000 digits
        return None


def _unwrapped(script: str) -> str:
    begin = _BEGIN.match(script)  # no JSON begins so
    end = _END.search(script, max(0, len(script) - _TAIL)) if begin else None
    return script[begin.end() : end.start()] if begin and end else script
