"""The script of a JSON-LD element as data (JSON-LD 1.1 section 7)."""

from __future__ import annotations

import json
import re
from typing import Any

#: What may stand around it, so that old parsers of HTML or XML do not take it for text.
_BEGIN = re.compile(r"\s*+(?://|/\*)?+\s*+(?:<!\[CDATA\[|<!--)\s*+(?:\*/)?+")
_END = re.compile(r"(?://|/\*)?\s*(?:\]\]>|-->)\s*(?:\*/)?\s*\Z")
#: Characters at the end, in which its mark stands.
_TAIL = 100


def loads(script: str) -> Any:
    """The value; None if the script is no JSON.

    >>> loads('//<![CDATA[\\n{"a": 1}\\n//]]>'), loads('<!-- ["b"] -->'), loads("{no json")
    ({'a': 1}, ['b'], None)
    """
    try:
        return json.loads(_unwrapped(script), strict=False)  # strings often contain line ends
    except (ValueError, RecursionError):  # ValueError: also for a number of 5000 digits
        return None


def _unwrapped(script: str) -> str:
    begin = _BEGIN.match(script)  # no JSON begins so
    end = _END.search(script, max(0, len(script) - _TAIL)) if begin else None
    return script[begin.end() : end.start()] if begin and end else script
