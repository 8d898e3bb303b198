"""Links by lexbor, the main parser: the tree of the HTML standard.

Measured on the Python documentation (150 pages of 33 KB with 121 links each, one core): 0.15 ms per page for the parse
alone; with anchors, frames and refresh 0.24, with links of every kind 0.36, with landmarks and anchor texts 0.49. One
query returns every possible link, in document order and each element once. Each alternative in the query costs some 4
µs per page, so it has only the necessary ones. Calls on elements are kept to a minimum.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from ttcrawl.parse.links import css, element, forms, frames, inner, jsonld, location, plain
from ttcrawl.parse.links.around import A, Around
from ttcrawl.parse.links.element import ANCHOR, CSS, FORM, IMAGE, JSON_LD, LOCATION, TEXT
from ttcrawl.parse.links.element_text import element_text
from ttcrawl.parse.links.landmarks import DEEPEST, DEPTH, IN_LINK, LANDMARK, LETTERS, ROOT, landmark
from ttcrawl.parse.links.nearby import has_neighbours, nearby
from ttcrawl.parse.links.plan import COMMENT, KNOWN, SILENT, plan_of
from ttcrawl.parse.links.raw_links import ANCHOR_LENGTH, Gathered, RawLinks, anchor_text, is_nofollow
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.read.regions import FLAG
from ttcrawl.vocabulary.region import CONTENT, ELSEWHERE

# Without events the parser is slightly faster and does not copy the chosen option (with its links) into
# <selectedcontent>. That copy is what a browser displays, not content of the page, and is quadratic in the options.
OPTIONS = int(LexborDocumentOptions.WO_EVENTS)
#: Possible first characters of a javascript: URL, a quick check before the exact one.
_MAYBE_SCRIPT = frozenset(("j", "J", *map(chr, range(33))))
_NEAR = 64  # ancestors of a script that are searched for links
_CONTROLS = f":is({','.join(sorted(forms.CONTROLS))})"
#: Controls that the user fills in, present in nearly every form that is not a link: the first match is a quick check.
_FILLED_IN = ":is(input:not([type]),input[type=text],input[type=search],select,textarea):not([disabled]):not([form])"


def find(html: bytes, url: str, flagged: bool, wanted: Wanted, charset: str) -> RawLinks:
    """The links of `html` (UTF-8, received in `charset`); `flagged`: regions.flag marked the content regions. Raises
    what selectolax raises."""
    return _PageReader(html, url, flagged, wanted, charset, inner.Room()).read()


class _PageReader:
    """The state while one page is read."""

    def __init__(self, html: bytes, url: str, flagged: bool, wanted: Wanted, charset: str, room: inner.Room) -> None:
        self._rare = inner.RARE.search(html) is not None
        html, self._frames = frames.marked(html) if self._rare else (html, [])
        self._tree = LexborHTMLParser(html, options=OPTIONS)
        self._room = room
        self._url, self._charset = url, charset
        self._wanted = wanted
        self.gathered = Gathered(flagged=flagged, wanted=wanted)
        self._around = Around()
        self.base: str | None = None
        self._metas: list[tuple[str, str]] = []
        self._linked: dict[int, int] = {}  # mem_id of an <a> whose text was read once -> its index among the links
        self._forms = 0
        self._remaining_texts = forms.MOST

    def read(self) -> RawLinks:
        self.gather()
        return self.gathered.raw_links(self.base, self._title(), self._metas, self._tree)

    def gather(self) -> None:
        wanted, tree, gathered, context_of = self._wanted, self._tree, self.gathered, self._around.node
        anchors, kinds, anchor, context = wanted.anchors, wanted.kinds, "", ROOT
        links, scripts, styles, images = ANCHOR in kinds, LOCATION in kinds, CSS in kinds, IMAGE in kinds
        needs_context, flagged, near = wanted.landmarks or anchors, gathered.flagged, wanted.nearby
        hrefs, letters, landmarks, texts = gathered.hrefs, gathered.kinds, gathered.landmarks, gathered.anchors
        plan = plan_of(wanted, rare=self._rare)
        tag_ids, linked = plan.tag_ids, self._linked
        hrefs_alone = links and not (needs_context or flagged or styles)
        for node in tree.css(plan.query) if not self._frames else self._every():
            attributes = node.attributes  # one dict is faster than several calls to node.attrs
            tag = node.tag_id
            if tag != A:
                if "role" in attributes and wanted.landmarks and (role := attributes["role"]) and landmark(role):
                    self._around.role(node, role)
                if (
                    tag in tag_ids
                    or (tag > KNOWN and images and _uses(attributes))
                    or (styles and "style" in attributes and css.may_refer(attributes["style"] or ""))
                    or (scripts and "onclick" in attributes)
                ):
                    self._other(node, _plain(attributes))
                continue
            href = attributes.get("href") or _unusual_href(attributes)
            if (
                hrefs_alone
                and href
                and not ("rel" in attributes or "onclick" in attributes or href[0] in _MAYBE_SCRIPT)
            ):
                hrefs.append(href)  # the usual link of a crawl that records nothing else
                letters.append(ANCHOR)
                continue
            if needs_context:
                context = context_of(node)
                if anchors:
                    anchor = "" if context & DEPTH else " ".join(node.text_lexbor().split())[:ANCHOR_LENGTH]
                    if not anchor or (flagged and "<" in anchor):
                        anchor = _unusual_anchor(node, context)
            if links and href is not None:
                if "rel" in attributes and is_nofollow(attributes["rel"] or ""):
                    gathered.nofollow.append(len(hrefs))
                if anchors:
                    linked[node.mem_id] = len(hrefs)
                hrefs.append(href)
                letters.append(ANCHOR)
                landmarks.append(LETTERS[context & LANDMARK])
                texts.append(anchor)
                if near and has_neighbours(context, href) and (words := nearby(node)):
                    gathered.nearby[len(texts) - 1] = words
                if flagged:
                    gathered.regions.append(CONTENT if FLAG in attributes else ELSEWHERE)
            if scripts and ("onclick" in attributes or (href and href[0] in _MAYBE_SCRIPT)):
                self._locations(_plain(attributes), context, anchor, href or "")
            if styles and "style" in attributes:
                self._styled(_plain(attributes), context)
        if TEXT in kinds:
            self._texts()

    def _every(self) -> Iterator[LexborNode]:
        """All elements, and the comments that represent frames."""
        for node in self._tree.root.traverse(include_text=True) if self._tree.root else ():
            if node.is_element_node or node.is_comment_node:
                yield node

    def _other(self, node: LexborNode, attributes: dict[str, str]) -> None:
        """Read an element other than <a>."""
        tag = node.tag or ""
        context, kinds = self._around.node(node), self._wanted.kinds
        namespace = Around.namespace(context)
        if node.tag_id == COMMENT:
            self._frame(node, context)
            return
        if tag in SILENT and context & DEPTH:
            self._silent(node, context)
        if namespace:
            href = attributes.get("href", attributes.get("xlink:href"))
            links = element.of_svg(tag, href) if namespace == "svg" else []
        else:
            if tag == "base" and self.base is None:
                self.base = attributes.get("href")
            elif tag == "meta" and "name" in attributes:
                self._metas.append((attributes["name"], attributes.get("content", "")))
            elif tag == "form" and FORM in kinds:
                self._form(node, attributes, context)
            parent = node.parent if tag == "source" else None
            links = element.references(tag, attributes, (parent.tag or "") if parent else "")
        if tag == "style" and CSS in kinds and namespace != "math" and element.is_style(attributes):
            links += element.in_style(node.text_lexbor())
        elif tag == "script" and JSON_LD in kinds and element.is_json_ld(attributes):
            links += [(JSON_LD, url) for url in jsonld.urls(node.text_lexbor())]
        nofollow = tag == "area" and is_nofollow(attributes.get("rel", ""))
        if links:
            label = element.label(tag, attributes)
            for kind, href in links:
                if kind in kinds:
                    self._add(kind, href, context, label, attributes, nofollow)
        if tag in inner.TAGS and not namespace:
            self._inner(node, tag, attributes, context)
        if "style" in attributes and CSS in kinds:
            self._styled(attributes, context)
        if LOCATION in kinds and (tag == "area" or "onclick" in attributes):
            label = attributes.get("alt", "") if tag == "area" else self._element_text(node)
            self._locations(attributes, context, label, attributes.get("href", "") if tag == "area" else "")
        if (
            tag == "select"
            and not namespace
            and LOCATION in kinds
            and location.goes_to_choice(attributes.get("onchange", ""))
        ):
            for option in node.css("option"):
                choice = _plain(option.attributes)
                if location.is_choice(choice.get("value", "")):
                    self._add(LOCATION, choice["value"], context, self._element_text(option), choice)

    def _add(
        self, kind: int, href: str, context: int, label: str, attributes: dict[str, str], nofollow: bool = False
    ) -> None:
        anchor = anchor_text(label) if label and self._wanted.anchors else ""
        self.gathered.add(kind, href, LETTERS[context & LANDMARK], anchor, inside=FLAG in attributes, nofollow=nofollow)

    def _frame(self, comment: LexborNode, context: int) -> None:
        """Read a frame that is missing in the tree."""
        before, around = comment.prev, comment.parent
        if any(node is not None and node.tag == "frame" for node in (before, around)):
            return
        attributes = frames.marked_by(comment.comment_content or "", self._frames)
        for kind, href in element.references("frame", attributes, ""):
            if kind in self._wanted.kinds:
                self._add(kind, href, context, element.label("frame", attributes), attributes)

    def _inner(self, node: LexborNode, tag: str, attributes: dict[str, str], context: int) -> None:
        """Read markup that is not part of the tree."""

        def text() -> str:
            if tag != "template":
                return node.text_lexbor()
            # selectolax returns the content of a template only as part of its outer HTML
            return "<div" + (node.html or "").removeprefix("<template")

        for html, own in inner.markups(tag, attributes, text):
            if self._room.enter():
                flagged = self.gathered.flagged and not own
                reader = _PageReader(html.encode(), self._url, flagged, self._wanted, self._charset, self._room)
                reader.gather()
                self._room.leave()
                letter, base = LETTERS[context & LANDMARK], reader.base if own else None
                self.gathered.take(reader.gathered, letter, base, inside=FLAG in attributes)

    def _styled(self, attributes: dict[str, str], context: int) -> None:
        for kind, href in element.in_style(attributes["style"]):
            self._add(kind, href, context, "", attributes)

    def _locations(self, attributes: dict[str, str], context: int, label: str, href: str) -> None:
        nofollow = is_nofollow(attributes.get("rel", ""))
        for each in (*location.in_href(href), *location.locations(attributes.get("onclick", ""))):
            self._add(LOCATION, each, context, label, attributes, nofollow)

    def _element_text(self, node: LexborNode) -> str:
        """The text of an element that is not a link; limited to the first such elements of a page."""
        self._remaining_texts -= 1
        return element_text(node) if self._wanted.anchors and self._remaining_texts >= 0 else ""

    def _form(self, form: LexborNode, attributes: dict[str, str], context: int) -> None:
        self._forms += 1
        if self._forms > forms.MOST:
            return
        filled = form.css_first(_FILLED_IN)
        if filled is not None and self._is_html(filled):
            return
        name = attributes.get("id")
        inside = (node for node in form.css(_CONTROLS) if self._is_html(node))
        nodes = [node for node in inside if _owner(node, name) == name]
        controls = [(node.tag or "", _plain(node.attributes)) for node in nodes]
        if any(forms.is_filled_in(tag, control) for tag, control in controls):
            return  # the usual case; this avoids a search of the page for controls outside the form
        strays = {node.mem_id for node in self._tree.css("[form]") if _owner(node, None) == name}
        if strays:
            own = strays | {node.mem_id for node in nodes}
            nodes = [node for node in self._tree.css(_CONTROLS) if node.mem_id in own and self._is_html(node)]
            controls = [(node.tag or "", _plain(node.attributes)) for node in nodes]
        submission = forms.submission(attributes, controls, self._url, self._charset)
        if submission is None:
            return
        tag, button = controls[submission.button]
        label = (
            button.get("value") or button.get("alt", "")
            if tag == "input"
            else self._element_text(nodes[submission.button])
        )
        nofollow = is_nofollow(attributes.get("rel", ""))
        self._add(FORM, submission.href, context, label, attributes, nofollow)

    def _is_html(self, node: LexborNode) -> bool:
        """Whether the element is HTML, not SVG or MathML with the same name."""
        return not Around.namespace(self._around.node(node))

    def _silent(self, node: LexborNode, context: int) -> None:
        """A script or a style inside links: its text is not part of their anchor text."""
        links, ancestor = (context & DEPTH) // IN_LINK, node.parent
        for _ in range(_NEAR):
            if not links or ancestor is None:
                return
            if ancestor.tag_id == A:
                links -= 1
                self._read_again(ancestor)
            ancestor = ancestor.parent

    def _read_again(self, link: LexborNode) -> None:
        """Read the text of a link again, once."""
        if (index := self._linked.pop(link.mem_id, None)) is not None:
            self.gathered.anchors[index] = anchor_text(element_text(link))

    def _texts(self) -> None:
        for node in self._tree.root.traverse(include_text=True) if self._tree.root else ():
            if not node.is_text_node or "://" not in (text := node.text_content or ""):
                continue
            around, context = node.parent, self._around.node(node)
            if around is None or context & DEPTH or around.tag in plain.NO_TEXT:
                continue
            for url in plain.urls(text):
                self._add(TEXT, url, context, "", _plain(around.attributes))

    def _title(self) -> str:
        """The text of the first HTML <title>."""
        first = self._tree.css_first("title")
        if first is None:
            return ""
        # a query for all titles takes as long as the query for links
        for node in (first, *(() if self._is_html(first) else self._tree.css("title"))):
            if self._is_html(node):
                return str(node.text_lexbor())
        return ""


def _plain(attributes: dict[str, str | None]) -> dict[str, str]:
    """Attributes without a value get the empty value."""
    if None in attributes.values():
        return {name: value or "" for name, value in attributes.items()}
    return cast(dict[str, str], attributes)


def _owner(control: LexborNode, around: str | None) -> str | None:
    """The id of the form of a control; `around`: of the form that it is in."""
    attributes = control.attributes
    return attributes["form"] or "" if "form" in attributes else around


def _uses(attributes: dict[str, str | None]) -> bool:
    """Whether an element may show a part of another document, as <use> does; most show one of their own page."""
    href = attributes.get("href") or attributes.get("xlink:href")
    return href is not None and href[:1] not in ("", "#")


def _unusual_anchor(node: LexborNode, context: int) -> str:
    """The anchor text of a link without text, inside other links, or with possible region marks in its text."""
    if context & DEPTH >= DEEPEST * IN_LINK:
        return ""
    return anchor_text(node.text_lexbor()) or anchor_text(element_text(node))


def _unusual_href(attributes: dict[str, str | None]) -> str | None:
    """The href of an <a> without a value of href: "" if the attribute is present, else xlink:href (SVG), else None."""
    if "href" in attributes:
        return ""
    return attributes["xlink:href"] or "" if "xlink:href" in attributes else None
