"""What the header fields Content-Type of an answer say together (Fetch standard, "extract a MIME type"). Pure.

Type and charset are those of one field: of several the last one that is a MIME type counts.
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
    """type/subtype in lower case and the label of the charset as it stands; "" where none is said."""

    essence: str
    charset: str


def content_type(values: Iterable[str]) -> ContentType:
    """The charset of an earlier field of the same type counts where the last one names none. A part that is no MIME
    type names a charset only where none is known: `text/html,charset=utf-8` is not rare.

    >>> content_type(["text/html; charset=utf-8", "text/html", "nonsense; charset=x"])
    ContentType(essence='text/html', charset='utf-8')
    >>> content_type(["text/html; charset=utf-8, Text/Plain"])
    ContentType(essence='text/plain', charset='')
    """
    return _of_list(", ".join(values))  # several fields are one list (RFC 9110 section 5.3)


@lru_cache(maxsize=64)  # an answer is asked for it five times, and most answers of a site say the same
def _of_list(line: str) -> ContentType:
    named = charset = ""
    for part in _parts(line):
        each = essence(part)
        if each == "*/*":
            continue
        label = _charset(part)
        if each:
            charset = label or (charset if each == named else "")
            named = each
        else:
            charset = charset or label
    return ContentType(named, charset)


def declared_type(values: Sequence[str]) -> str:
    """The type that counts; where none is one, what stands in the place of the last, in lower case."""
    return content_type(values).essence or (values[-1].partition(";")[0].strip().lower() if values else "")


def essence(value: str) -> str:
    """type/subtype of one value in lower case, "" if it is none."""
    found = _TYPE.match(value)
    return found[1].lower() if found else ""


def _charset(part: str) -> str:
    """The parameter as it stands (RFC 9110 section 8.3.2)."""
    found = _CHARSET.search(part)
    return next(filter(None, found.groups()), "").strip() if found else ""


def _parts(line: str) -> list[str]:
    """A list, split at commas outside of quotes."""
    return line.split(",") if '"' not in line else re.findall(r'(?:[^,"]|"(?:[^"\\]|\\.)*+"?)+', line)
