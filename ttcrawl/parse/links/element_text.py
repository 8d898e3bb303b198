"""The anchor text of an element in lexbor's tree: its text without scripts and styles, else the alt of its images."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from ttcrawl.parse.links.raw_links import ANCHOR_LENGTH

ELEMENTS = 256  # maximum elements visited
PIECE = 10 * ANCHOR_LENGTH  # maximum characters read from one text
SILENT = frozenset(("script", "style", "template"))


def element_text(element: LexborNode) -> str:
    """White space is not collapsed; "" if there is neither text nor alt."""
    texts: list[str] = []
    alts: list[str] = []
    elements = 0
    stack = [element.first_child]
    while stack:
        node = stack.pop()
        if node is None:
            continue
        stack.append(node.next)
        if node.is_text_node:
            texts.append((node.text_content or "")[:PIECE])
        elif node.is_element_node and node.tag not in SILENT:
            elements += 1
            if elements > ELEMENTS:
                break
            if node.tag == "img":
                alts.append(node.attrs.sget("alt")[:PIECE])
            stack.append(node.first_child)
    return chosen(texts, alts)


def chosen(texts: list[str], alts: list[str]) -> str:
    text = "".join(texts)
    return text if text and not text.isspace() else " ".join(alts)
