"""The context of an element in lexbor's tree: landmark, enclosing links, SVG or MathML.

Each ancestor is visited once per page, however many links it contains.
"""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ttcrawl.parse.links.landmarks import ROOT, TURNS, within

_SVG, _MATH = 128, 256
_FOREIGN = {_SVG: "svg", _MATH: "math"}
# foreign elements that contain HTML (HTML standard 13.2.6, integration points)
_HTML_IN = {
    _SVG: frozenset(("foreignObject", "desc", "title")),
    _MATH: frozenset(("mi", "mo", "mn", "ms", "mtext", "annotation-xml")),
}


def _ids() -> dict[int, str]:
    """tag_id -> tag of the elements that change the context."""
    tags = TURNS | {"svg", "math"} | _HTML_IN[_SVG] | _HTML_IN[_MATH]
    drawn = LexborHTMLParser(
        "<svg><foreignObject></foreignObject><desc></desc></svg>" + "".join(f"<{tag}>" for tag in sorted(tags))
    )
    return {node.tag_id: node.tag for node in drawn.css("*") if node.tag in tags}


_TURNS = _ids()
A = next(each for each, tag in _TURNS.items() if tag == "a")


class Around:
    """The contexts (ttcrawl.parse.links.landmarks, and the namespace) of the elements of one page."""

    def __init__(self) -> None:
        self._inside: dict[int, int] = {}  # mem_id -> the context inside the element

    @staticmethod
    def namespace(context: int) -> str:
        """svg or math for foreign elements, "" for HTML elements."""
        return _FOREIGN[context & (_SVG | _MATH)] if context >= _SVG else ""

    def node(self, node: LexborNode) -> int:
        """The context of the element."""
        inside = self._inside
        parent = node.parent
        if parent is None:
            return ROOT
        address = parent.mem_id
        if address in inside:
            return inside[address]
        above = parent.parent
        if above is not None and parent.tag_id not in _TURNS and (context := inside.get(above.mem_id)) is not None:
            inside[address] = context  # the usual case: this function is called once per link
            return context
        return self._walk(parent)

    def _walk(self, ancestor: LexborNode | None) -> int:
        """The context inside an ancestor; it is stored for this ancestor and all above it."""
        inside = self._inside
        path: list[tuple[int, str | None]] = []
        context = ROOT
        while ancestor is not None:
            address = ancestor.mem_id
            if address in inside:
                context = inside[address]
                break
            path.append((address, _TURNS.get(ancestor.tag_id)))
            ancestor = ancestor.parent
        for address, turn in reversed(path):
            context = context if turn is None else _turned(context, turn, "")
            inside[address] = context
        return context

    def role(self, node: LexborNode, role: str) -> None:
        """Register the role of an element; call this before the context of its descendants is requested."""
        tag = node.tag or ""
        self._inside[node.mem_id] = _turned(self.node(node), tag, role)


def _turned(context: int, tag: str, role: str) -> int:
    namespace = context & (_SVG | _MATH)
    if tag == "svg" or tag == "math":
        return context if namespace else context | (_SVG if tag == "svg" else _MATH)
    if not namespace:
        return within(context, tag, role)
    if tag in _HTML_IN[namespace]:
        return context & ~namespace
    return within(context, "a", "") if tag == "a" else context
