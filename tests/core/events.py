"""What a tree consists of, in the form in which the compiled core tells what tokens say."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ttcrawl.parse.links.by_lexbor import OPTIONS

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def events_of_tree(html: bytes) -> list[str]:
    """The elements, texts and comments of lexbor's tree: see `events` in ttcrawl/core/native.pyi."""
    events: list[str] = []
    text = ""
    for event in _events(LexborHTMLParser(html, options=OPTIONS).root):
        if event[0] == "T":
            text += event[1:]  # two texts side by side are one
            continue
        if text:
            events.append(f"T{text}")
            text = ""
        events.append(event)
    return events


def _events(root: LexborNode | None) -> Iterator[str]:
    """In document order, without recursion."""
    node = root
    while node is not None and root is not None:
        yield from _of_node(node)
        if node.first_child is not None:
            node = node.first_child
            continue
        if node.is_element_node:
            yield "/"
        while node.mem_id != root.mem_id and node.next is None and node.parent is not None:
            node = node.parent
            yield "/"
        node = node.next if node.mem_id != root.mem_id else None


def _of_node(node: LexborNode) -> Iterator[str]:
    if node.is_text_node:
        yield f"T{node.text_content}"
    elif node.is_comment_node:
        yield "!"
    elif node.is_element_node:
        yield f"<{(node.tag or '').translate(_LOWER)}"
        for name, value in node.attributes.items():
            yield f"@{name.translate(_LOWER)}={value or ''}"
    else:
        yield "?"
