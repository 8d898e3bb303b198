"""Links by lexbor, the parser that does the work: the tree of the HTML standard.

Measured on the Python documentation (150 pages of 33 KB with 121 links each, one core): 0.15 ms a page for the bare
parse; with anchors, frames and refresh 0.24, with links of every kind 0.36, with parts of the page and anchor texts
0.49. One query brings everything that can be a link, in document order and each element once; it costs some 4 µs a
page for each of its alternatives, so it has no more than are needed, and elements are asked as little as may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from ttcrawl.parse.links import element, forms, frames, inner, jsonld, location, plain
from ttcrawl.parse.links.around import A, Around
from ttcrawl.parse.links.element import ANCHOR, CSS, FORM, JSON_LD, LOCATION, TEXT
from ttcrawl.parse.links.found import ANCHOR_LENGTH, Found, Gathered, anchor_text, is_nofollow
from ttcrawl.parse.links.parts import DEEPEST, DEPTH, IN_LINK, LETTERS, PART, ROOT, landmark
from ttcrawl.parse.links.plan import COMMENT, SILENT, plan_of
from ttcrawl.parse.links.spoken import spoken
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.read.regions import FLAG
from ttcrawl.vocabulary.region import CONTENT, ELSEWHERE

# Without events the parser is a little faster and does not copy the chosen option (with the links in it) into
# <selectedcontent>, which is what a browser shows, not what the page says (and quadratic in the options).
OPTIONS = int(LexborDocumentOptions.WO_EVENTS)
#: How a javascript: URL can begin, before it is looked at closely.
_MAYBE_SCRIPT = frozenset(("j", "J", *map(chr, range(33))))
_NEAR = 64  # ancestors of a script that are looked at for links
_CONTROLS = f":is({','.join(sorted(forms.CONTROLS))})"
#: What nearly every form has that is no link: asking for the first one is cheap.
_FILLED_IN = ":is(input:not([type]),input[type=text],input[type=search],select,textarea):not([disabled]):not([form])"


def find(html: bytes, url: str, flagged: bool, wanted: Wanted) -> Found:
    """The links of `html` (UTF-8); `flagged`: regions.flag marked what is in a region. Raises what selectolax does."""
    return _Reading(html, url, flagged, wanted, inner.Room()).read()


class _Reading:
    """One page while it is being read."""

    def __init__(self, html: bytes, url: str, flagged: bool, wanted: Wanted, room: inner.Room) -> None:
        self._rare = inner.RARE.search(html) is not None
        html, self._frames = frames.marked(html) if self._rare else (html, [])
        self._tree = LexborHTMLParser(html, options=OPTIONS)
        self._room = room
        self._url = url
        self._wanted = wanted
        self.gathered = Gathered(flagged=flagged, wanted=wanted)
        self._around = Around()
        self.base: str | None = None
        self._metas: list[tuple[str, str]] = []
        self._linked: list[LexborNode] = []  # the <a> elements among the links
        self._said: set[int] = set()  # mem_ids of those whose text was read anew
        self._forms = 0
        self._spoken = forms.MOST

    def read(self) -> Found:
        self.gather()
        return self.gathered.found(self.base, self._title(), self._metas, self._tree)

    def gather(self) -> None:
        wanted, tree, gathered, context_of = self._wanted, self._tree, self.gathered, self._around.node
        anchors, kinds, anchor, context = wanted.anchors, wanted.kinds, "", ROOT
        links, scripts, styles = ANCHOR in kinds, LOCATION in kinds, CSS in kinds
        places, flagged = wanted.parts or anchors, gathered.flagged
        hrefs, letters, parts, texts = gathered.hrefs, gathered.kinds, gathered.parts, gathered.anchors
        plan = plan_of(wanted, self._rare)
        looked_at, linked = plan.looked_at, self._linked
        for node in tree.css(plan.query) if not self._frames else self._every():
            known = node.attributes  # a dict at once is cheaper than a few questions to node.attrs
            tag = node.tag_id
            if tag != A:
                if "role" in known and wanted.parts and (role := known["role"]) and landmark(role):
                    self._around.role(node, role)
                if tag in looked_at or (styles and "style" in known) or (scripts and "onclick" in known):
                    self._other(node, _plain(known))
                continue
            href = known.get("href") or _unusual_href(known)
            if places:
                context = context_of(node)
                if anchors:
                    anchor = "" if context & DEPTH else " ".join(node.text_lexbor().split())[:ANCHOR_LENGTH]
                    if not anchor or (flagged and "<" in anchor):
                        anchor = _unusual_anchor(node, context)
            if links and href is not None:
                if "rel" in known and is_nofollow(known["rel"] or ""):
                    gathered.nofollow.append(len(hrefs))
                linked.append(node)
                hrefs.append(href)
                letters.append(ANCHOR)
                parts.append(LETTERS[context & PART])
                texts.append(anchor)
                if flagged:
                    gathered.regions.append(CONTENT if FLAG in known else ELSEWHERE)
            if scripts and ("onclick" in known or (href and href[0] in _MAYBE_SCRIPT)):
                self._locations(_plain(known), context, anchor, href or "")
            if styles and "style" in known:
                self._styled(_plain(known), context)
        if TEXT in kinds:
            self._texts()

    def _every(self) -> Iterator[LexborNode]:
        """All elements, and the comments that stand for frames."""
        for node in self._tree.root.traverse(include_text=True) if self._tree.root else ():
            if node.is_element_node or node.is_comment_node:
                yield node

    def _other(self, node: LexborNode, known: dict[str, str]) -> None:
        """An element that is no <a>."""
        tag = node.tag or ""
        context, kinds = self._around.node(node), self._wanted.kinds
        namespace = Around.namespace(context)
        parent = node.parent
        if node.tag_id == COMMENT:
            self._frame(node, context)
            return
        if tag in SILENT and context & DEPTH:
            self._silent(node, context)
        if namespace:
            href = known.get("href", known.get("xlink:href"))
            found = element.of_svg(tag, href) if namespace == "svg" else []
        else:
            if tag == "base" and self.base is None:
                self.base = known.get("href")
            elif tag == "meta" and "name" in known:
                self._metas.append((known["name"], known.get("content", "")))
            elif tag == "form" and FORM in kinds:
                self._form(node, known, context)
            found = element.references(tag, known, (parent.tag or "") if tag == "source" and parent else "")
        if tag == "style" and CSS in kinds and namespace != "math" and element.is_style(known):
            found += element.in_style(node.text_lexbor())
        elif tag == "script" and JSON_LD in kinds and element.is_json_ld(known):
            found += [(JSON_LD, url) for url in jsonld.urls(node.text_lexbor())]
        nofollow = tag == "area" and is_nofollow(known.get("rel", ""))
        if found:
            label = element.label(tag, known)
            for kind, href in found:
                if kind in kinds:
                    self._add(kind, href, context, label, known, nofollow)
        if tag in inner.TAGS and not namespace:
            self._inner(node, tag, known, context)
        if "style" in known and CSS in kinds:
            self._styled(known, context)
        if LOCATION in kinds and (tag == "area" or "onclick" in known):
            label = known.get("alt", "") if tag == "area" else self._say(node)
            self._locations(known, context, label, known.get("href", "") if tag == "area" else "")
        if (
            tag == "select"
            and not namespace
            and LOCATION in kinds
            and location.goes_to_choice(known.get("onchange", ""))
        ):
            for option in node.css("option"):
                choice = _plain(option.attributes)
                if location.is_choice(choice.get("value", "")):
                    self._add(LOCATION, choice["value"], context, self._say(option), choice)

    def _add(
        self, kind: int, href: str, context: int, label: str, known: dict[str, str], nofollow: bool = False
    ) -> None:
        anchor = anchor_text(label) if label and self._wanted.anchors else ""
        self.gathered.add(kind, href, LETTERS[context & PART], anchor, inside=FLAG in known, nofollow=nofollow)

    def _frame(self, comment: LexborNode, context: int) -> None:
        """A frame that the tree has not."""
        before, around = comment.prev, comment.parent
        if any(node is not None and node.tag == "frame" for node in (before, around)):
            return
        known = frames.marked_by(comment.comment_content or "", self._frames)
        for kind, href in element.references("frame", known, ""):
            if kind in self._wanted.kinds:
                self._add(kind, href, context, element.label("frame", known), known)

    def _inner(self, node: LexborNode, tag: str, known: dict[str, str], context: int) -> None:
        """Markup that is no part of the tree."""

        def text() -> str:
            if tag != "template":
                return node.text_lexbor()
            # what is in a template, selectolax gives only as the source of the whole
            return "<div" + (node.html or "").removeprefix("<template")

        for html, own in inner.markups(tag, known, text):
            if self._room.enter():
                flagged = self.gathered.flagged and not own
                reading = _Reading(html.encode(), self._url, flagged, self._wanted, self._room)
                reading.gather()
                self._room.leave()
                part, base = LETTERS[context & PART], reading.base if own else None
                self.gathered.take(reading.gathered, part, base, inside=FLAG in known)

    def _styled(self, known: dict[str, str], context: int) -> None:
        for kind, href in element.in_style(known["style"]):
            self._add(kind, href, context, "", known)

    def _locations(self, known: dict[str, str], context: int, label: str, href: str) -> None:
        nofollow = is_nofollow(known.get("rel", ""))
        for each in (*location.in_href(href), *location.locations(known.get("onclick", ""))):
            self._add(LOCATION, each, context, label, known, nofollow)

    def _say(self, node: LexborNode) -> str:
        """The text of an element that is no link, of the first ones of a page."""
        self._spoken -= 1
        return spoken(node) if self._wanted.anchors and self._spoken >= 0 else ""

    def _form(self, form: LexborNode, known: dict[str, str], context: int) -> None:
        self._forms += 1
        if self._forms > forms.MOST:
            return
        filled = form.css_first(_FILLED_IN)
        if filled is not None and self._is_html(filled):
            return
        name = known.get("id")
        inside = (node for node in form.css(_CONTROLS) if self._is_html(node))
        nodes = [node for node in inside if node.attributes.get("form", name) == name]
        controls = [(node.tag or "", _plain(node.attributes)) for node in nodes]
        if any(forms.is_filled_in(tag, control) for tag, control in controls):
            return  # as most are, and the whole page need not be asked for controls that stand elsewhere
        strays = {node.mem_id for node in self._tree.css("[form]") if node.attributes["form"] == name}
        if strays:
            own = strays | {node.mem_id for node in nodes}
            nodes = [node for node in self._tree.css(_CONTROLS) if node.mem_id in own and self._is_html(node)]
            controls = [(node.tag or "", _plain(node.attributes)) for node in nodes]
        sent = forms.submission(known, controls, self._url)
        if sent is None:
            return
        tag, button = controls[sent.button]
        label = button.get("value") or button.get("alt", "") if tag == "input" else self._say(nodes[sent.button])
        nofollow = is_nofollow(known.get("rel", ""))
        self._add(FORM, sent.href, context, label, known, nofollow)

    def _is_html(self, node: LexborNode) -> bool:
        """And none of SVG or MathML that has the same name."""
        return not Around.namespace(self._around.node(node))

    def _silent(self, node: LexborNode, context: int) -> None:
        """A script or a style: its text is not that of the links around it."""
        links, ancestor = (context & DEPTH) // IN_LINK, node.parent
        for _ in range(_NEAR):
            if not links or ancestor is None:
                return
            if ancestor.tag_id == A:
                links -= 1
                self._say_again(ancestor)
            ancestor = ancestor.parent

    def _say_again(self, link: LexborNode) -> None:
        """The text of a link, one of the last that were met."""
        place = len(self.gathered.kinds)
        for each in reversed(self._linked[-_NEAR:]):
            place = self.gathered.kinds.rfind(ANCHOR, 0, place)
            if each.mem_id == link.mem_id and link.mem_id not in self._said:
                self._said.add(link.mem_id)
                self.gathered.anchors[place] = anchor_text(spoken(link))

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
        """The text of the first <title> of HTML."""
        first = self._tree.css_first("title")
        if first is None:
            return ""
        # one query for all takes as long as the one for links
        for node in (first, *(() if self._is_html(first) else self._tree.css("title"))):
            if self._is_html(node):
                return str(node.text_lexbor())
        return ""


def _plain(attributes: dict[str, str | None]) -> dict[str, str]:
    """What has no value has the empty one."""
    if None in attributes.values():
        return {name: value or "" for name, value in attributes.items()}
    return cast(dict[str, str], attributes)


def _unusual_anchor(node: LexborNode, context: int) -> str:
    """Of a link without text, in other links, or in whose text there may be marks of regions."""
    if context & DEPTH >= DEEPEST * IN_LINK:
        return ""
    return anchor_text(node.text_lexbor()) or anchor_text(spoken(node))


def _unusual_href(attributes: dict[str, str | None]) -> str | None:
    """Of an <a> that has no value of href: "" if it has the attribute, else xlink:href as SVG has it, else None."""
    if "href" in attributes:
        return ""
    return attributes["xlink:href"] or "" if "xlink:href" in attributes else None
