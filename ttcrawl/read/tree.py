"""Flatten a page: without inline elements each text node is a block. Other elements are collected for later use.

One pass over all elements, because a query in selectolax takes longer than a visit to every element (measured for a
page of 31 KB: 27 µs for all elements, 76 µs for a list of ten tags), and unwrapping an element takes almost no time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice

import re2
from selectolax.lexbor import LexborHTMLParser, LexborNode

from ttcrawl.read.microdata import of_other_items

#: Elements that do not end a word (HTML standard 15.3.3, except blocks).
INLINE = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label map mark meter nobr output picture"
    " progress q ruby s samp slot small span strike strong sub sup time tt u var wbr img source track input"
)
_GROUPS = {
    "dropped": "script style template title svg iframe noembed noframes canvas audio video datalist rp rt",
    "preformatted": "pre textarea xmp listing plaintext",
    "headings": "h1 h2 h3 h4 h5 h6",
    # elements that are never main text, and elements whose attributes may mark them as main text or not
    "asides": "nav footer aside dialog menu button select noscript",
    "containers": "div ul ol table section main article header form",
    "metas": "meta",
    "links": "link",
    "roots": "html",
}
#: Before the text of a <pre>. This and the other control characters of this package are never displayed.
PRE = "\1"

#: Real pages are some 30 deep; the depth of every STEPth element is checked.
DEEPEST, STEP = 400, 200

#: Maximum elements of a flattened page: a hundred times what a long page has. Unclosed formatting elements are copied
#: into each block after them, so a few bytes can create enough elements to fill memory.
MOST = 300_000

#: In no page without them is an element hidden, a comment, or an item of microdata. RE2 finds a short piece of rare
#: letters in a quarter of the time in which bytes.find finds the whole word.
_HIDDEN, _DISPLAY, _COMMENT, _ITEMSCOPE = (re2.compile(each).search for each in (b"hidd", b"display:", b"!--", b"msc"))
_HIDDEN_NODES = '[hidden]:not([hidden="until-found"]),[style*="display:none" i],[style*="display: none" i]'

_EMPTY = LexborHTMLParser(b"")


def _ids(tags: str) -> frozenset[int]:
    return frozenset(_EMPTY.create_node(tag).tag_id for tag in tags.split())


_INLINE, _TIME, _DATED = _ids(INLINE), _ids("time"), _ids("time meta")
#: A page that hides all of itself is shown by a script, so it is read.
_WHOLE = _ids("html body")
_GROUP_OF = {tag: index for index, tags in enumerate(_GROUPS.values()) for tag in _ids(tags)}
_HEADINGS = list(_GROUPS).index("headings")


@dataclass(slots=True)
class Flat:
    """A flattened tree, and its elements by their use, in document order."""

    body: LexborNode | None
    dropped: list[LexborNode]  # including scripts, with their text
    preformatted: list[LexborNode]
    headings: list[LexborNode]
    asides: list[LexborNode]
    containers: list[LexborNode]
    metas: list[LexborNode]
    links: list[LexborNode]
    roots: list[LexborNode]
    linked: list[int] = field(default_factory=list)  # mem_id of headings that start with a link
    times: list[LexborNode] = field(default_factory=list)  # no longer in the tree; their attributes remain
    # mem_id of metas and times that describe items other than the page
    others: frozenset[int] = field(default=frozenset(), kw_only=True)


def flatten(tree: LexborHTMLParser, html: bytes) -> Flat | None:
    """Flatten the `tree` of `html`; it cannot be used for anything else afterwards. None: it is too deep or too
    large."""
    nodes = elements(tree)
    if nodes is None:
        return None
    hidden = [node for node in tree.css(_HIDDEN_NODES) if node.tag_id not in _WHOLE] if _hides(html) else []
    flat = Flat(tree.body, *([] for _ in _GROUPS))
    if _ITEMSCOPE(html) and b"itemscope" in html:  # before elements are unwrapped
        flat.others = of_other_items(node for node in nodes if node.tag_id in _DATED)
    groups = (
        flat.dropped,
        flat.preformatted,
        flat.headings,
        flat.asides,
        flat.containers,
        flat.metas,
        flat.links,
        flat.roots,
    )
    group_of, inline, times = _GROUP_OF.get, _INLINE, _TIME
    hidden_ids = {node.mem_id for node in hidden}  # kept in one piece, also within words, so that they can be removed
    for node in nodes if not hidden_ids else [node for node in nodes if node.mem_id not in hidden_ids]:
        tag = node.tag_id
        if tag in inline:
            if tag in times:
                flat.times.append(node)
            node.unwrap(True)
        elif (group := group_of(tag)) is not None:
            groups[group].append(node)
            if group == _HEADINGS and _links(node):
                flat.linked.append(node.mem_id)
    if hidden_ids:
        flat.times = [node for node in nodes if node.tag_id in times]
        flat.headings = _visible(flat.headings, hidden_ids)
    for node in hidden:
        _cut(node)
    for node in flat.dropped:
        _cut(node)
    for node in flat.preformatted:
        if node.first_child is not None:
            node.first_child.insert_before(PRE)
    if _comment_in_word(html):
        _without_comments(tree)
    if flat.body is not None:
        flat.body.merge_text_nodes()
    return flat


def elements(tree: LexborHTMLParser) -> list[LexborNode] | None:
    """All elements in document order. None: the tree is too deep or too large."""
    nodes: list[LexborNode] = []
    every = tree.root.traverse() if tree.root is not None else iter(())
    while batch := list(islice(every, STEP)):
        if len(nodes) > MOST or _deep(batch[-1]):
            return None
        nodes += batch
    return nodes


def _links(heading: LexborNode) -> bool:
    """Whether its first child is a link to another page; called before the link is unwrapped."""
    first = heading.first_child
    return first is not None and first.tag == "a" and not (first.attributes.get("href") or "#").startswith("#")


def _deep(node: LexborNode) -> bool:
    """Unwrapping an element takes longer the deeper it is: 16,000 nested elements take seconds."""
    ancestor: LexborNode | None = node
    for _ in range(DEEPEST):
        ancestor = ancestor.parent if ancestor is not None else None
        if ancestor is None:
            return False
    return True


def _visible(headings: list[LexborNode], hidden: set[int]) -> list[LexborNode]:
    """The headings outside hidden elements; by mem_id."""
    inside_hidden = dict.fromkeys(hidden, True)
    visible = []
    for node in headings:
        path: list[int] = []
        ancestor: LexborNode | None = node
        while ancestor is not None and ancestor.mem_id not in inside_hidden:
            path.append(ancestor.mem_id)
            ancestor = ancestor.parent
        inside = ancestor is not None and inside_hidden[ancestor.mem_id]
        inside_hidden.update(dict.fromkeys(path, inside))  # each ancestor is visited once
        if not inside:
            visible.append(node)
    return visible


def _cut(node: LexborNode) -> None:
    if node.parent is not None:
        node.decompose(recursive=False)


def _hides(html: bytes) -> bool:
    """Whether the page may hide elements: a search of the source takes a tenth of the time of the query."""
    position = html.find(b" hidden") if _HIDDEN(html) else -1
    while position >= 0:
        if html[position + 7 : position + 8] in (b" ", b">", b"=", b"\n", b"/"):
            return True
        position = html.find(b" hidden", position + 7)
    position = html.find(b"display:") if _DISPLAY(html) else -1
    while position >= 0:
        if (
            html[position + 8 : position + 13].strip().startswith(b"none")
            and html.rfind(b"style=", max(0, position - 200), position) >= 0
        ):
            return True
        position = html.find(b"display:", position + 8)
    return False


def _comment_in_word(html: bytes) -> bool:
    position = html.find(b"<!--", 1) if _COMMENT(html) else -1
    while position >= 0:
        if html[position - 1] not in b" \n\t>":
            return True
        position = html.find(b"<!--", position + 4)
    return False


def _without_comments(tree: LexborHTMLParser) -> None:
    """Remove comments, because a comment within a word does not end it."""
    nodes = tree.root.traverse(include_text=True) if tree.root is not None else ()
    for node in [node for node in nodes if node.is_comment_node]:
        _cut(node)
