"""The attributes of one start tag, by regular expressions; linear in the length of any tag."""

from __future__ import annotations

import html as entities
import re
from html.entities import html5

from ttcrawl.web.late import late

_SPACE = rb"\t\n\f\r "
_ASSIGNED = rb"""[%b]*+=[%b]*+(?:"([^"]*+)"?|'([^']*+)'?|([^%b>]*+))""" % (_SPACE, _SPACE, _SPACE)
_SKIPPED = rb"""[%b]*+=[%b]*+(?:"[^"]*+"?|'[^']*+'?|[^%b>]*+)""" % (_SPACE, _SPACE, _SPACE)
# HTML standard 13.2.5.73: in an attribute, a name without ";" before "=" or an alphanumeric is not a reference
_NAME = r"[A-Za-z][A-Za-z0-9]{0,31}(?:;|(?![A-Za-z0-9=]))"
_REFERENCE = late(rf"&(?:#(?:[xX][0-9a-fA-F]{{1,32}}(?![0-9a-fA-F])|[0-9]{{1,32}}(?![0-9]));?|({_NAME}))")


def first(name: bytes) -> re.Pattern[bytes]:
    """A pattern for the first attribute with that name; it matches at the position after the tag name."""
    attribute = rb"(?i:%b)(?=[%b/>=]|\Z)" % (name, _SPACE)
    other = rb"(?!%b)[^%b/>][^%b/>=]*+(?:%b)?+" % (attribute, _SPACE, _SPACE, _SKIPPED)
    return late(rb"(?:[%b/]*+%b)*+[%b/]*+%b(?:%b)?" % (_SPACE, other, _SPACE, attribute, _ASSIGNED))


def value(pattern: re.Pattern[bytes], attributes: bytes) -> str | None:
    """The value of the attribute that `pattern` (from `first`) finds, "" without a value, None if absent."""
    match = pattern.match(attributes)
    return _decoded(match[1] or match[2] or match[3] or b"") if match else None


def _decoded(source: bytes) -> str:
    return unescaped(source.decode("utf-8", "replace"))


def unescaped(text: str) -> str:
    """The value of an attribute as it is in the source, without quotes."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(reference: re.Match[str]) -> str:
    name = reference[1]
    return entities.unescape(reference[0]) if name is None else html5.get(name, reference[0])
