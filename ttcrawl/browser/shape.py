"""What a page is like before its scripts run: whether it has any, whether it is an empty shell, and its signature.

Regular expressions of linear time read it: this runs in a fetch process, where nothing ends a parser of hostile markup.
What they get wrong costs a page in the browser, or is found by a sample; it does not decide what a page contains.
"""

from __future__ import annotations

from dataclasses import dataclass

import re2
import xxhash

#: Bytes of a page that are read.
MOST = 1 << 20

#: A page with scripts and this many words at most, and no link, image or frame, is an empty shell.
WORDS = 20

_SCRIPT = re2.compile(rb"(?is)<script\b([^>]*)>(.*?)</script\s*>")
#: Types of scripts that browsers do not run: data, templates, import maps (HTML standard, section 4.12.1).
_DATA = re2.compile(rb"(?i)^\s*(?:[a-z]+/(?:[\w.+-]*json|[\w.-]*template|html|plain)|importmap|spec)")
#: An attribute of a start tag, and its value in double quotes, single quotes or none.
_ATTRIBUTE = re2.compile(rb"(?s)([^\s\"'>/=]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+)))?")
#: Other places of scripts that run without a user.
_HANDLER = re2.compile(
    rb"(?i)<[a-z][^>]*\s(?:on(?:load|error|pageshow|focus|toggle|animation[a-z]*|transition[a-z]*)|srcdoc)\s*="
)
_UNSEEN = re2.compile(rb"(?i)<(script|style|noscript|template|title|svg)\b|<!--")
#: The end of each of them: in one pattern with its beginning, what never ends would be looked for again and again.
_ENDS = {name: re2.compile(rb"(?i)</%b\s*>" % name) for name in b"script style noscript template title svg".split()}
_ENDS[b""] = re2.compile(rb"-->")
_TAG = re2.compile(rb"<[^>]*>")
#: An element that scripts may fill.
_EMPTY = re2.compile(
    rb"(?i)<(div|main|section|article|aside|nav|header|footer|p|span|ul|ol|dl|table|tbody|form|[a-z]+-[a-z0-9-]*)"
    rb"((?:\s[^>]*)?)>\s*</"
)
#: What else than text a page with few words may show.
_CONTENT = re2.compile(rb"(?i)<(?:img|picture|video|audio|iframe|frame|object|embed)\b|<a\s[^>]*\bhref")
_NAMED = re2.compile(rb"(?i)\b(?:id|class)\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>]+)")
_DATA_ATTRIBUTE = re2.compile(rb"(?i)\sdata-[a-z0-9-]+")
_CUSTOM = re2.compile(rb"(?i)<[a-z]+-[a-z0-9-]*")
_VARIABLE = re2.compile(rb"(?i)\b[0-9a-f]{8,}\b|[0-9]+")
_BEFORE_TEXT = re2.compile(rb"^[^\"'`]{0,60}")


@dataclass(frozen=True, slots=True)
class Shape:
    """`signature`: pages with the same one are of one template; it is above 0, and fits into SQLite."""

    scripts: bool
    shell: bool
    signature: int


STILL = Shape(scripts=False, shell=False, signature=1)


def shape_of(html: bytes) -> Shape:
    """Return the shape of a page in any encoding.

    >>> shape_of(b"<p>Text<script type='application/ld+json'>{}</script>") == STILL
    True
    >>> shape_of(b"<div id=root></div><script src=/app.js></script>").shell
    True
    """
    html = _part_read(html)
    scripts = _scripts(html)
    if not scripts and not _HANDLER.search(html):
        return STILL
    visible = _visible(html)
    empty = [(name.lower(), attributes) for name, attributes in _EMPTY.findall(visible)]
    marks = {_script(attributes, text) for attributes, text in scripts}
    marks |= {_element(name, attributes) for name, attributes in empty}
    marks |= {each.lower().strip() for each in _DATA_ATTRIBUTE.findall(visible)}
    marks |= {each.lower() for each in _CUSTOM.findall(visible)}
    signature = xxhash.xxh3_64_intdigest(b"\n".join(sorted(marks))) >> 1 or 1
    return Shape(scripts=True, shell=_is_empty(visible), signature=signature)


def is_shell(html: bytes) -> bool:
    """Whether a page in any encoding has scripts and shows nothing without them."""
    html = _part_read(html)
    return bool(_scripts(html) or _HANDLER.search(html)) and _is_empty(_visible(html))


def _part_read(html: bytes) -> bytes:
    html = html[:MOST]
    return html.replace(b"\0", b"") if b"\0" in html[:1024] else html  # UTF-16


def _scripts(html: bytes) -> list[tuple[bytes, bytes]]:
    """Attributes and text of each script that browsers run."""
    return [pair for pair in _SCRIPT.findall(html) if not _DATA.search(_value(pair[0], b"type"))]


def _visible(html: bytes) -> bytes:
    """Return what is outside the elements and comments that are not shown; one that does not end is none."""
    parts, end, endless = list[bytes](), 0, set[bytes]()
    for beginning in _UNSEEN.finditer(html):
        name = (beginning[1] or b"").lower()
        if beginning.start() < end or name in endless:
            continue
        if (closed := _ENDS[name].search(html, beginning.end())) is None:
            endless.add(name)
            continue
        parts.append(html[end : beginning.start()])
        end = closed.end()
    return b" ".join((*parts, html[end:]))


def _is_empty(visible: bytes) -> bool:
    # nearly all pages have content, which is found soon: their tags are not replaced, one by one, for nothing
    return not _CONTENT.search(visible) and len(_TAG.sub(b" ", visible).split(None, WORDS)) <= WORDS


def _script(attributes: bytes, text: bytes) -> bytes:
    """What two scripts that do the same on two pages have in common."""
    source = _value(attributes, b"src").strip()
    if source:
        return b"src %b" % _VARIABLE.sub(b"#", source.partition(b"?")[0])
    beginning = _BEFORE_TEXT.search(text.strip())
    return b"text %b" % _VARIABLE.sub(b"#", beginning[0] if beginning else b"")


def _element(name: bytes, attributes: bytes) -> bytes:
    names = sorted(_VARIABLE.sub(b"#", each.lower()) for each in _NAMED.findall(attributes))
    return b" ".join((b"empty", name, *names))


def _value(attributes: bytes, name: bytes) -> bytes:
    """Return the value of an attribute, b"" if there is none."""
    for found, *values in _ATTRIBUTE.findall(attributes):
        if found.lower() == name:
            return b"".join(values)
    return b""
