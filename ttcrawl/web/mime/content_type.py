"""The type and charset of all Content-Type headers of a response (Fetch standard, "extract a MIME type"). Pure.

Both come from one header: if there are several, the last valid MIME type counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_TYPE = re.compile(rf"[\t\n\r ]*({_TOKEN}/{_TOKEN})[\t\n\r ]*(?:;|\Z)")
_CHARSET = re.compile(r"""(?:^|[;,\s])charset\s*=\s*(?:"([^"]*)|'([^']*)|([^\s;,"']+))""", re.IGNORECASE)


class ContentType(NamedTuple):
    """type/subtype in lower case, and the label of the charset unchanged; "" if absent."""

    essence: str
    charset: str


def content_type(values: Iterable[str]) -> ContentType:
    """An earlier charset for the same type counts if the last header has none. The charset of an invalid MIME type
    counts only if no other is known: `text/html,charset=utf-8` is not rare.

    >>> content_type(["text/html; charset=utf-8", "text/html", "nonsense; charset=x"])
    ContentType(essence='text/html', charset='utf-8')
    >>> content_type(["text/html; charset=utf-8, Text/Plain"])
    ContentType(essence='text/plain', charset='')
    """
    return _of_list(", ".join(values))  # several headers form one list (RFC 9110 section 5.3)


@lru_cache(maxsize=64)  # called five times per response; most responses of a site have the same value
def _of_list(line: str) -> ContentType:
    media_type = charset = ""
    for value in _split(line):
        each = essence(value)
        if each == "*/*":
            continue
        label = _charset(value)
        if each:
            charset = label or (charset if each == media_type else "")
            media_type = each
        else:
            charset = charset or label
    return ContentType(media_type, charset)


def declared_type(values: Sequence[str]) -> str:
    """The valid type; if there is none, the text of the last value before its parameters, in lower case."""
    return content_type(values).essence or (values[-1].partition(";")[0].strip().lower() if values else "")


def essence(value: str) -> str:
    """type/subtype of one value in lower case, "" if invalid."""
    match = _TYPE.match(value)
    return match[1].lower() if match else ""


def _charset(value: str) -> str:
    """The charset parameter, unchanged (RFC 9110 section 8.3.2)."""
    match = _CHARSET.search(value)
    return next(filter(None, match.groups()), "").strip() if match else ""


def _split(line: str) -> list[str]:
    """A list split at commas outside quotes."""
    return line.split(",") if '"' not in line else re.findall(r'(?:[^,"]|"(?:[^"\\]|\\.)*+"?)+', line)
