"""Nodes of html5lib's tree as `ttcrawl.parse.links.nearby` needs them. There texts belong to elements."""

from __future__ import annotations

import enum
from xml.etree.ElementTree import Element

from ttcrawl.parse.links.nearby import COMMENT, IDS, TEXT


def text_of(element: Element) -> str:
    """Return the text of an element. `Element.itertext` has that of comments too."""
    texts: list[str] = []
    stack: list[Element | str] = [element]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            texts.append(node)
        elif isinstance(node.tag, str):
            texts.append(node.text or "")
            for child in reversed(node):
                stack += [child.tail or "", child]
    return "".join(texts)


class Family(dict[Element, tuple[Element, int]]):
    """Element -> its parent, and its index there; without the root."""

    def __init__(self, root: Element) -> None:
        super().__init__((child, (parent, index)) for parent in root.iter() for index, child in enumerate(parent))


class _Part(enum.Enum):
    ELEMENT = enum.auto()
    TEXT = enum.auto()  # at the beginning of the element
    TAIL = enum.auto()  # behind the element


class TreeNode:
    def __init__(self, family: Family, element: Element, part: _Part = _Part.ELEMENT) -> None:
        self._family = family
        self._element = element
        self._part = part

    @property
    def next(self) -> TreeNode | None:
        if self._part is _Part.TEXT:
            return self._element_node(self._element[0]) if len(self._element) else None
        if self._part is _Part.ELEMENT and self._element.tail:
            return TreeNode(self._family, self._element, _Part.TAIL)
        parent, index = self._family.get(self._element, (None, 0))
        return None if parent is None or index + 1 == len(parent) else self._element_node(parent[index + 1])

    @property
    def prev(self) -> TreeNode | None:
        if self._part is _Part.TAIL:
            return self._element_node(self._element)
        parent, index = self._family.get(self._element, (None, 0))
        if self._part is _Part.TEXT or parent is None:
            return None
        if index == 0:
            return TreeNode(self._family, parent, _Part.TEXT) if parent.text else None
        before = parent[index - 1]
        return TreeNode(self._family, before, _Part.TAIL if before.tail else _Part.ELEMENT)

    @property
    def parent(self) -> TreeNode | None:
        if self._part is _Part.TEXT:
            return self._element_node(self._element)
        parent, _ = self._family.get(self._element, (None, 0))
        return None if parent is None else self._element_node(parent)

    @property
    def tag_id(self) -> int:
        if self._part is not _Part.ELEMENT:
            return TEXT
        tag = self._element.tag
        return IDS.get(tag.rpartition("}")[2], 0) if isinstance(tag, str) else COMMENT

    def text_lexbor(self) -> str:
        if self._part is _Part.ELEMENT:
            return text_of(self._element)
        return (self._element.text if self._part is _Part.TEXT else self._element.tail) or ""

    def _element_node(self, element: Element) -> TreeNode:
        return TreeNode(self._family, element)
