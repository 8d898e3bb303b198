"""A page of the archive as another page that loads only what the archive has. Pure.

Nothing of the source is copied as markup: tags are written anew, and no other text can begin one, whatever state a
browser's parser is in. So a browser reads exactly the tags that are written here. Scripts, handlers, base, refresh,
comments, and links that only announce a request are left out.

It reads tokens (HTML standard 13.2.5), not a tree: a tree of a crafted page can take minutes, and loses framesets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from ttcrawl.parse.links.attributes import unescaped
from ttcrawl.parse.links.css import may_refer
from ttcrawl.parse.links.css import with_urls as css_with
from ttcrawl.parse.links.query import with_query
from ttcrawl.parse.links.srcset import with_urls as srcset_with
from ttcrawl.web.charset.detect import UTF8
from ttcrawl.web.late import late
from ttcrawl.web.url import absolute

#: Maximum characters and tags of a page; what comes after them is left out, and the page says so. Later URLs lead to
#: nothing.
LONGEST, MOST, MOST_URLS = 10 << 20, 300_000, 100_000

#: Characters of an attribute srcset that count.
LONGEST_SRCSET = 1 << 16

#: srcdoc in srcdoc.
DEEPEST = 3

_SPACE = "\t\n\f\r "
_CONTROLS = "".join(map(chr, range(33)))  # that a URL parser strips
_OPEN = late(rf"<(/?)([A-Za-z][^{_SPACE}/>]*+)")
_VALUE = rf"""(?:"([^"]*+)"|'([^']*+)'|([^{_SPACE}>"'][^{_SPACE}>]*+|(?=>)))"""
_ATTRIBUTE = late(rf"[{_SPACE}/]*+([^{_SPACE}/>][^{_SPACE}/>=]*+)(?:[{_SPACE}]*+=[{_SPACE}]*+{_VALUE})?+")
_REST = late(rf"[{_SPACE}/]*+")
_COMMENT = late("<!--(?:-?>|.*?(?:--!?>|\\Z))", re.DOTALL)
_DOCTYPE = late(r"""(?:\s|<\?[^>]*+>|<!--.*?-->)*+(<!doctype[\w\s"'/.:+()-]*>)""", re.IGNORECASE | re.DOTALL)
_NAME = late(r"[A-Za-z][\w:.-]*", re.ASCII)
_ATTRIBUTE_NAME = late(r"[\w:.@-]+", re.ASCII)
_CDATA = late(r"<!\[CDATA\[|\]\]>|<!--|-->")

#: Elements whose content is text for a browser without scripts; the last one has no end.
_TEXTS = ("script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "plaintext")
_END = {name: late(rf"</{name}(?=[{_SPACE}/>])", re.IGNORECASE) for name in _TEXTS[:-1]}
_LEFT_OUT = frozenset(("script", "base", "param", "portal", "fencedframe", "noembed", "noframes", "bgsound", "applet"))
_PREFORMATTED = ("xmp", "plaintext")
_ANIMATIONS = frozenset(("animate", "set", "animatecolor", "animatemotion", "animatetransform"))

_URLS = frozenset(("href", "src", "xlink:href", "poster", "background", "data", "lowsrc", "dynsrc", "longdesc", "cite"))
#: Attributes with a request of their own, with a right, or that would keep what is changed from being shown.
_DROPPED_NAMES = (
    "action formaction ping target manifest integrity crossorigin nonce autoplay autofocus attributionsrc archive code"
    " codebase classid profile allow csp sandbox credentialless download browsingtopics sharedstoragewritable"
    " privatetoken http-equiv imagesrcset imagesizes"
)
#: Presentation attributes of SVG with url(...).
_PAINT_NAMES = "fill stroke filter mask clip-path cursor marker marker-start marker-mid marker-end"
_DROPPED, _PAINTS = frozenset(_DROPPED_NAMES.split()), frozenset(_PAINT_NAMES.split())
_METAS = ("viewport", "color-scheme")

#: Elements whose content the usual scripts load late, and the attributes from which they do (see parse.links.element).
_LATE = frozenset(("img", "source", "video", "iframe"))
_LATE_NAMES = {
    "src": ("data-src", "data-lazy-src", "data-lazy", "data-original", "data-orig-src"),
    "srcset": ("data-srcset", "data-lazy-srcset", "data-original-set", "data-orig-srcset"),
    "poster": ("data-poster",),
}
#: Elements that show a document or lead to one, which is never in the URL itself.
_DOCUMENTS = frozenset(("a", "area", "iframe", "frame", "object", "embed"))

_NO_NOSCRIPT = "<style>noscript { display: none !important }</style>"
_CUT = "<p><b>ttcrawl shows the beginning of this page: it is too long.</b></p>"


#: A value that is no option of a script such as "true".
_URL_OF_DATA = late(r"\s*+[^#{}<>]*[./?]")


def rewritten(html: str, url: str, charset: str, to: Callable[[str], str], *, after_scripts: bool = False) -> str:
    """The page at `url`. `charset`: in which it was written; `to`: the address in the archive of an absolute URL.

    `after_scripts`: it is a document after its scripts, so elements for browsers without scripts are not shown.
    """
    doctype = _DOCTYPE.match(html)
    begin = f"{doctype[1] if doctype else ''}{_NO_NOSCRIPT if after_scripts else ''}"
    return begin + _Page(url, charset, to).document(html, 0)


def stylesheet(css: str, url: str, to: Callable[[str], str]) -> str:
    """The style sheet at `url`, as `rewritten`."""
    return css_with(css, _Page(url, UTF8, to).reference)


class _Page:
    def __init__(self, url: str, charset: str, to: Callable[[str], str]) -> None:
        self._base, self._charset = url, charset
        self._to = to
        self._has_base = False
        self._tags = self._urls = 0
        self._in_svg = False  # where a script or style may be an empty element

    def document(self, html: str, depth: int) -> str:
        pieces = list(self._pieces(html[:LONGEST], depth))
        return "".join(pieces) + (_CUT if len(html) > LONGEST or self._tags > MOST else "")

    def _pieces(self, html: str, depth: int) -> Iterator[str]:
        position = 0
        while (start := html.find("<", position)) >= 0:
            yield html[position:start]
            tag = _OPEN.match(html, start)
            self._tags += 1
            if tag is None and self._tags <= MOST:
                text, position = _no_tag(html, start)
                yield text
                continue
            attributes, end = _attributes(html, tag.end()) if tag else ({}, None)
            if tag is None or end is None or self._tags > MOST:  # the page ends within the tag
                return
            position, name = end, tag[2].lower()
            if tag[1]:
                self._in_svg = self._in_svg and name != "svg"
                yield f"</{_written(name)}>" if name not in _LEFT_OUT and _NAME.fullmatch(name) else ""
                continue
            closed = html.startswith("/", end - 2)
            yield self._start(name, attributes, closed=closed, depth=depth)
            if name in _TEXTS and not (closed and self._in_svg):
                text, position = self._content(html, position, name)
                yield text
            if name == "svg":
                self._in_svg = not closed
        yield html[position:]

    def _content(self, html: str, start: int, name: str) -> tuple[str, int]:
        """The text of an element that has no other elements, and where its end tag is."""
        end = _END[name].search(html, start) if name in _END else None
        stop = end.start() if end else len(html)
        text = html[start:stop]
        if name == "style":
            return css_with(_CDATA.sub("", text), self.reference), stop
        if name in ("script", "iframe", "noembed", "noframes"):
            return "", stop
        if name in _PREFORMATTED:
            text = text.replace("&", "&amp;")
        return text.replace("<", "&lt;"), stop

    # -- one tag ------------------------------------------------------------------------------------------------------

    def _start(self, name: str, attributes: dict[str, str], *, closed: bool, depth: int) -> str:
        if name == "base" and not self._has_base and "href" in attributes:
            self._has_base = True
            self._base = self._absolute(unescaped(attributes["href"])) or self._base
        if not _NAME.fullmatch(name) or _is_left_out(name, attributes):
            return ""
        written = [_written(name)]
        for attribute, source in (attributes | _late(attributes) if name in _LATE else attributes).items():
            value = self._value(name, attribute, source, depth)
            if value is not None:
                written.append(f'{attribute}="{value}"')
        return f"<{' '.join(written)}{' /' if closed else ''}>"

    def _value(self, name: str, attribute: str, source: str, depth: int) -> str | None:
        """The value of an attribute in double quotes; None: it is left out."""
        if attribute in _DROPPED or attribute.startswith("on") or not _ATTRIBUTE_NAME.fullmatch(attribute):
            return None
        if attribute in _URLS:
            if source == "" and attribute != "href":
                return None
            return _escaped(self.reference(unescaped(source), document=name in _DOCUMENTS)) or None
        if attribute == "srcset":
            return _escaped(srcset_with(unescaped(source)[:LONGEST_SRCSET], self.reference))
        if attribute == "style" or attribute in _PAINTS:
            css = unescaped(source)
            return _escaped(css_with(css, self.reference)) if may_refer(css) else _quoted(source)
        if attribute == "srcdoc":
            return _escaped(self.document(unescaped(source), depth + 1)) if depth < DEEPEST else None
        return _quoted(source)

    def reference(self, reference: str, *, document: bool = False) -> str:
        """The address in the archive of what a reference leads to; "": it leads to nothing that may be shown."""
        self._urls += 1
        text = reference.strip(_CONTROLS)
        if text.startswith("#"):
            return text
        if text[:5].lower() == "data:":
            return "" if document else text
        url, _, fragment = text.partition("#")
        absolute = self._absolute(url) if self._urls <= MOST_URLS else ""
        return f"{self._to(absolute)}{f'#{fragment}' if fragment else ''}" if absolute else ""

    def _absolute(self, reference: str) -> str:
        url = absolute(self._base, with_query(reference, self._charset))
        return url if url.startswith(("http://", "https://", "ftp://")) else ""


def _late(attributes: Mapping[str, str]) -> dict[str, str]:
    """What a script would put in the place of a picture that only holds the room, or of none."""
    urls = {each: attributes[each] for each in attributes if _URL_OF_DATA.match(attributes[each])}
    loaded = {name: next(filter(None, map(urls.get, names)), "") for name, names in _LATE_NAMES.items()}
    return {name: url for name, url in loaded.items() if url}


def _is_left_out(name: str, attributes: Mapping[str, str]) -> bool:
    if name == "meta":
        return attributes.get("name", "").lower() not in _METAS
    if name == "link":
        return "stylesheet" not in unescaped(attributes.get("rel", "")).lower().split()
    if name in _ANIMATIONS:  # of a link
        return unescaped(attributes.get("attributename", "")).strip().lower().endswith("href")
    return name in _LEFT_OUT


def _written(name: str) -> str:
    return "pre" if name in _PREFORMATTED else name


def _no_tag(html: str, start: int) -> tuple[str, int]:
    """What a "<" becomes that begins no tag, and the position after it; comments and the like become nothing."""
    if comment := _COMMENT.match(html, start):
        return "", comment.end()
    if html[start + 1 : start + 2] in ("!", "?", "/") and html[start + 1 : start + 2]:
        end = html.find(">", start)
        return "", end + 1 if end >= 0 else len(html)
    return "&lt;", start + 1


def _attributes(html: str, position: int) -> tuple[dict[str, str], int | None]:
    """The attributes of a tag as they are in the source, the first of each name, and the position after the tag; None:
    the page ends before."""
    attributes: dict[str, str] = {}
    while match := _ATTRIBUTE.match(html, position):
        name, *values = match.groups()
        attributes.setdefault(name.lower(), next(filter(None, values), ""))
        position = match.end()
    rest = _REST.match(html, position)
    position = rest.end() if rest else position
    return attributes, position + 1 if html.startswith(">", position) else None


def _quoted(source: str) -> str:
    """The source of a value, for double quotes."""
    return source.replace('"', "&quot;").replace("<", "&lt;")


def _escaped(value: str) -> str:
    return _quoted(value.replace("&", "&amp;"))
