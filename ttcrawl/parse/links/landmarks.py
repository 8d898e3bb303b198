"""Landmarks of a page: navigation, main content, header, footer, aside, by elements and ARIA roles (HTML-AAM).

A context is the state that both parsers keep for a position in the tree: a small integer, computed from the root down.
"""

from __future__ import annotations

LETTERS = b"-nmhfa"
_NAV, _MAIN, _HEADER, _FOOTER, _ASIDE = range(1, 6)
MENUS = frozenset((_NAV, _HEADER, _FOOTER))
LANDMARK = 7  # mask of the index in LETTERS
SECTIONED = 8  # inside a section: <header> and <footer> belong to the section, not to the page
IN_LINK = 16  # added for every enclosing <a>, up to DEEPEST
DEPTH = 0x70  # mask of these
DEEPEST = 4  # maximum depth of nested links: beyond it, reading each link's text would take quadratic time
ROOT = 0

_TAGS = {"nav": _NAV, "main": _MAIN, "article": _MAIN, "header": _HEADER, "footer": _FOOTER, "aside": _ASIDE}
_ROLES = {
    "navigation": _NAV,
    "main": _MAIN,
    "article": _MAIN,
    "banner": _HEADER,
    "contentinfo": _FOOTER,
    "complementary": _ASIDE,
}
_SECTIONS = frozenset(("article", "aside", "main", "nav", "section"))
#: Elements that change the context for any role.
TURNS = frozenset((*_TAGS, "section", "a"))


def landmark(role: str) -> int:
    """The landmark of a role attribute, by its first token that names one; 0: none."""
    if role in _ROLES:
        return _ROLES[role]
    return next((_ROLES[each] for each in role.lower().split() if each in _ROLES), 0)


def within(context: int, tag: str, role: str) -> int:
    """The context inside an HTML element whose own context is `context`; the innermost landmark decides.

    >>> [chr(LETTERS[within(context, "header", "") & LANDMARK]) for context in (ROOT, SECTIONED)]
    ['h', '-']
    """
    index = landmark(role) if role else 0
    if not index and not (context & SECTIONED and tag in ("header", "footer")):
        index = _TAGS.get(tag, 0)
    if index:
        context = context & ~LANDMARK | index
    if tag in _SECTIONS:
        context |= SECTIONED
    elif tag == "a" and context & DEPTH < DEEPEST * IN_LINK:
        context += IN_LINK
    return context
