"""Data as a script that hands them to search.js."""

from __future__ import annotations

import json


def script(name: str, value: object) -> bytes:
    """Return the script with which the page gets a value. All of it is ASCII, so nothing ends it early.

    >>> script("w0", {"a": "</script>"})
    b'ttcrawlSearch.add("w0",{"a":"<\\\\/script>"});\\n'
    """
    data = json.dumps(value, separators=(",", ":")).replace("</", "<\\/")
    return f'ttcrawlSearch.add("{name}",{data});\n'.encode()
