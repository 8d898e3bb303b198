"""Links by html5lib, the reference: the same tree as lexbor's in fifty times the time. Imported on first use."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import html5lib

from ttcrawl.parse.links import element as elements
from ttcrawl.parse.links import forms, frames, inner, jsonld, location, plain
from ttcrawl.parse.links.element import ANCHOR, CSS, FORM, JSON_LD, LOCATION, TEXT
from ttcrawl.parse.links.element_text import ELEMENTS, PIECE, SILENT, chosen
from ttcrawl.parse.links.etree_node import Family, TreeNode, text_of
from ttcrawl.parse.links.landmarks import DEEPEST, DEPTH, IN_LINK, LANDMARK, LETTERS, ROOT, within
from ttcrawl.parse.links.nearby import has_neighbours, nearby
from ttcrawl.parse.links.raw_links import Gathered, RawLinks, anchor_text, is_nofollow
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.read.regions import FLAG

_SVG, _MATH = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1998/Math/MathML}"
_LINKS = frozenset(("a", f"{_SVG}a", f"{_MATH}a"))
_XLINK = "{http://www.w3.org/1999/xlink}href"


def find(html: bytes, url: str, flagged: bool, wanted: Wanted, charset: str) -> RawLinks:
    """The links of `html` (UTF-8, received in `charset`); `flagged`: regions.flag marked the content regions. Raises
    what html5lib raises."""
    return _PageReader(html, url, flagged, wanted, charset, inner.Room()).read()


class _PageReader:
    """The state while one page is read."""

    def __init__(self, html: bytes, url: str, flagged: bool, wanted: Wanted, charset: str, room: inner.Room) -> None:
        html, self._frames = frames.marked(html) if inner.RARE.search(html) else (html, [])
        text = html.decode("utf-8", "replace")
        self._root = html5lib.parse(text, treebuilder="etree", namespaceHTMLElements=False)
        self._room = room
        self._url, self._charset = url, charset
        self._wanted = wanted
        self.gathered = Gathered(flagged=flagged, wanted=wanted)
        self.base: str | None = None
        self._title: str | None = None
        self._metas: list[tuple[str, str]] = []
        self._family = Family(self._root) if wanted.nearby else None
        self._forms = 0
        self._remaining_texts = forms.MOST

    def read(self) -> RawLinks:
        self.gather()
        return self.gathered.raw_links(self.base, self._title or "", self._metas)

    def gather(self) -> None:
        self._walk()
        if TEXT in self._wanted.kinds:
            self._texts()

    def _walk(self) -> None:
        # a stack instead of recursion: a page may be nested deeper than Python's stack
        stack = [(self._root, ROOT, "")]
        before: object = ""  # the tag of the previous element
        while stack:
            element, context, parent = stack.pop()
            last, before = before, element.tag
            tag = element.tag
            if _is_apart(element):
                continue
            if len(element):
                inside = _inside(element, context)
                stack.extend((child, inside, str(tag)) for child in reversed(element))
            if not isinstance(tag, str):
                if self._frames and str(last).rpartition("}")[2] != "frame":
                    self._frame(element.text or "", context)
                continue
            if tag in _LINKS:
                self._link(element, context)
            else:
                self._other(element, tag, context, parent)

    def _link(self, element: Element, context: int) -> None:
        kinds, attributes = self._wanted.kinds, element.attrib
        href = attributes.get("href", attributes.get(_XLINK)) if element.tag != "a" else attributes.get("href")
        anchor = self._anchor(element, context)
        if href is not None and ANCHOR in kinds:
            family = self._family if has_neighbours(context, href) else None
            if family is not None and (words := nearby(TreeNode(family, element))):
                self.gathered.nearby[len(self.gathered.hrefs)] = words
            self._add(ANCHOR, href, context, anchor, element)
        if LOCATION in kinds:
            self._locations(element, context, anchor, href or "")
        if CSS in kinds and "style" in attributes:
            self._styled(element, context)

    def _other(self, element: Element, tag: str, context: int, parent: str) -> None:
        kinds, attributes = self._wanted.kinds, element.attrib
        if tag.startswith("{"):
            href = attributes.get("href", attributes.get(_XLINK))
            links = elements.of_svg(tag.removeprefix(_SVG), href) if tag.startswith(_SVG) else []
        else:
            if tag == "base" and self.base is None:
                self.base = attributes.get("href")
            elif tag == "title" and self._title is None:
                self._title = "".join(element.itertext())
            elif tag == "meta" and "name" in attributes:
                self._metas.append((attributes["name"], attributes.get("content", "")))
            elif tag == "form" and FORM in kinds:
                self._form(element, context)
            links = elements.references(tag, attributes, parent)
        if tag in ("style", f"{_SVG}style") and CSS in kinds and elements.is_style(attributes):
            links += elements.in_style("".join(element.itertext()))
        elif tag in ("script", f"{_SVG}script") and JSON_LD in kinds and elements.is_json_ld(attributes):
            links += [(JSON_LD, url) for url in jsonld.urls("".join(element.itertext()))]
        for kind, href in links:
            if kind in kinds:
                self._add(kind, href, context, elements.label(tag, attributes), element)
        if tag in inner.TAGS and tag != "template":
            self._inner(element, tag, context)
        if CSS in kinds and "style" in attributes:
            self._styled(element, context)
        if LOCATION in kinds and (tag == "area" or "onclick" in attributes):
            label = attributes.get("alt", "") if tag == "area" else self._element_text(element)
            self._locations(element, context, label, attributes.get("href", "") if tag == "area" else "")
        if tag == "select" and LOCATION in kinds and location.goes_to_choice(attributes.get("onchange", "")):
            for option in element.iter("option"):
                if location.is_choice(option.get("value", "")):
                    self._add(LOCATION, option.get("value", ""), context, self._element_text(option), option)

    def _add(self, kind: int, href: str, context: int, label: str, element: Element) -> None:
        has_rel = element.tag in _LINKS or element.tag in ("area", "form") or kind == LOCATION
        nofollow = has_rel and is_nofollow(element.get("rel", ""))
        anchor = anchor_text(label) if self._wanted.anchors else ""
        self.gathered.add(
            kind, href, LETTERS[context & LANDMARK], anchor, inside=FLAG in element.attrib, nofollow=nofollow
        )

    def _frame(self, comment: str, context: int) -> None:
        """Read a comment that may represent a frame missing in the tree."""
        attributes = frames.marked_by(comment, self._frames)
        for kind, href in elements.references("frame", attributes, ""):
            if kind in self._wanted.kinds:
                self._add(kind, href, context, elements.label("frame", attributes), Element("frame", attributes))

    def _inner(self, element: Element, tag: str, context: int) -> None:
        """Read markup that is not part of the tree."""
        for html, own in inner.markups(tag, element.attrib, lambda: "".join(element.itertext())):
            if self._room.enter():
                flagged = self.gathered.flagged and not own
                reader = _PageReader(html.encode(), self._url, flagged, self._wanted, self._charset, self._room)
                reader.gather()
                self._room.leave()
                letter, base = LETTERS[context & LANDMARK], reader.base if own else None
                self.gathered.take(reader.gathered, letter, base, inside=FLAG in element.attrib)

    def _styled(self, element: Element, context: int) -> None:
        for kind, href in elements.in_style(element.get("style", "")):
            self._add(kind, href, context, "", element)

    def _locations(self, element: Element, context: int, label: str, href: str) -> None:
        for each in (*location.in_href(href), *location.locations(element.get("onclick", ""))):
            self._add(LOCATION, each, context, label, element)

    def _anchor(self, element: Element, context: int) -> str:
        if not self._wanted.anchors or context & DEPTH >= DEEPEST * IN_LINK:
            return ""
        text = anchor_text(text_of(element))
        silent = any(child.tag in ("script", "style", f"{_SVG}script", f"{_SVG}style") for child in element.iter())
        return element_text(element) if silent or not text else text

    def _element_text(self, element: Element) -> str:
        """The text of an element that is not a link; limited to the first such elements of a page."""
        self._remaining_texts -= 1
        return element_text(element) if self._wanted.anchors and self._remaining_texts >= 0 else ""

    def _form(self, form: Element, context: int) -> None:
        self._forms += 1
        if self._forms > forms.MOST:
            return
        inside = set(form.iter())
        nodes = [
            node
            for node in self._root.iter()
            if node.tag in forms.CONTROLS
            and (node.get("form") == form.get("id") if "form" in node.attrib else node in inside)
        ]
        controls = [(str(node.tag), node.attrib) for node in nodes]
        submission = forms.submission(form.attrib, controls, self._url, self._charset)
        if submission is None:
            return
        tag, button = controls[submission.button]
        label = (
            button.get("value") or button.get("alt", "")
            if tag == "input"
            else self._element_text(nodes[submission.button])
        )
        self._add(FORM, submission.href, context, label, form)

    def _texts(self) -> None:
        stack = [(self._root, "", ROOT, self._root)]
        while stack:
            element, text, context, around = stack.pop()
            if text:
                if "://" in text and not context & DEPTH and around.tag not in plain.NO_TEXT:
                    for url in plain.urls(text):
                        self._add(TEXT, url, context, "", around)
                continue
            if _is_apart(element):
                continue
            inside = _inside(element, context)
            for child in reversed(element):
                if child.tail:
                    stack.append((child, child.tail, inside, element))
                stack.append((child, "", inside, element))
            if element.text and isinstance(element.tag, str):
                stack.append((element, element.text, inside, element))


def _is_apart(element: Element) -> bool:
    """Whether this is a template other than a shadow tree: its content is not part of the document. html5lib 1.1 does
    not know the element."""
    return element.tag == "template" and not inner.is_shadow(element.attrib)


def _inside(element: Element, context: int) -> int:
    """The context inside an element."""
    tag = element.tag
    if tag in _LINKS:
        return within(context, "a", "")
    if not isinstance(tag, str) or tag.startswith("{"):
        return context
    return within(context, tag, element.get("role", ""))


def element_text(element: Element) -> str:
    """The same as ttcrawl.parse.links.element_text.element_text, for html5lib's tree."""
    texts, alts, count = [(element.text or "")[:PIECE]], list[str](), 0
    stack = [*reversed(element)]
    tails: set[int] = set()
    while stack:
        node = stack.pop()
        if id(node) in tails:
            texts.append((node.tail or "")[:PIECE])
            continue
        tails.add(id(node))
        stack.append(node)
        if not isinstance(node.tag, str) or node.tag.rpartition("}")[2] in SILENT:
            continue
        count += 1
        if count > ELEMENTS:
            break
        if node.tag == "img":
            alts.append(node.get("alt", "")[:PIECE])
        texts.append((node.text or "")[:PIECE])
        stack.extend(reversed(node))
    return chosen(texts, alts)
