"""Microdata of items other than the page: cited works, comments, reviews (HTML standard 5.2, https://schema.org)."""

from __future__ import annotations

from collections.abc import Iterable

from selectolax.lexbor import LexborNode

#: Properties whose value is the page itself, or its subject.
_MAIN = frozenset(("mainentity", "mainentityofpage", "maincontentofpage", "blogpost", "blogposts"))
_COMMENTS = ("/Comment", "/UserComments")


def of_other_items(nodes: Iterable[LexborNode]) -> frozenset[int]:
    """mem_id of the elements inside an item other than the page."""
    inside_by_id: dict[int, bool] = {}
    return frozenset(node.mem_id for node in nodes if _within_other(node.parent, inside_by_id))


def _within_other(node: LexborNode | None, inside_by_id: dict[int, bool]) -> bool:
    """Each ancestor is visited once, whatever it contains."""
    path: list[int] = []
    inside = False
    while node is not None and node.is_element_node and (address := node.mem_id) not in inside_by_id:
        path.append(address)
        if _is_other(node):
            inside = True
            break
        node = node.parent
    else:
        inside = node is not None and inside_by_id.get(node.mem_id, False)
    inside_by_id.update(dict.fromkeys(path, inside))
    return inside


def _is_other(node: LexborNode) -> bool:
    attributes = node.attrs
    return "itemscope" in attributes and is_other_item(attributes.sget("itemprop"), attributes.sget("itemtype"))


def is_other_item(itemprop: str, itemtype: str) -> bool:
    """Whether an item is the value of a property, or of a type that is never the page."""
    properties = itemprop.lower().split()
    return bool(properties and _MAIN.isdisjoint(properties)) or itemtype.strip().endswith(_COMMENTS)
