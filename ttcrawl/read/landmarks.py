"""The role of an element for the main text: by HTML, ARIA or schema.org, else by its class or id."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain

from ttcrawl.read.blocks import mark
from ttcrawl.read.tree import Flat

#: From a standard: a landmark that is never main text, a header, the main element, an article, its body.
LANDMARK, HEADER, MAIN, ARTICLE, BODY = "l", "h", "m", "r", "b"
#: From a class or id, which is a hint: not main text, main text.
ASIDE, BY_NAME = "a", "n"
#: The title of the page, and a heading that is not a link.
TITLE, HEADING = "t", "g"

_ROLES = {
    **dict.fromkeys(("navigation", "contentinfo", "complementary", "search", "menu", "menubar", "toolbar"), LANDMARK),
    **dict.fromkeys(("tablist", "dialog", "alertdialog"), LANDMARK),
    **dict.fromkeys(("doc-toc", "doc-pagelist", "doc-pageheader", "doc-pagefooter"), LANDMARK),  # DPUB-ARIA 1.1
    "banner": HEADER,
    "main": MAIN,
    "article": ARTICLE,
}
_TAGS = {
    **dict.fromkeys(("nav", "footer", "aside", "dialog", "menu", "button", "select", "noscript"), LANDMARK),
    "main": MAIN,
    "article": ARTICLE,
    "header": HEADER,
}
_ASIDE_NAMES = (
    "nav navbar navigation navheader navfooter topnav subnav sidenav bottomnav leftnav rightnav navlinks"
    " menu menubar mainmenu submenu topmenu dropdown sidebar sphinxsidebar leftbar rightbar related breadcrumb"
    " breadcrumbs crumbs footer pagefooter sitefooter siteheader masthead topbar toolbar cookie cookies consent gdpr"
    " banner advert advertisement ads sponsor promo share sharing social pagination pager prevnext popup modal"
    " overlay newsletter subscribe signup login search searchbox searchform skip skiplink skiplinks copyright"
    " noprint comments commentlist disqus"
)
#: Only as a complete name; within others they mean something else, as in "field-label-hidden".
_ALONE = frozenset(("hidden",))
_BODY_NAMES = "articlebody articlecontent articletext entrycontent postcontent postbody storybody storycontent"
_MAIN_NAMES = "content contents maincontent main article post entry pagecontent bodycontent documentwrapper body"
_ASIDES, _BODIES, _MAINS = (frozenset(names.split()) for names in (_ASIDE_NAMES, _BODY_NAMES, _MAIN_NAMES))
_NAME = re.compile(r"[a-z0-9]+|[A-Z][a-z0-9]*")


def mark_blocks(flat: Flat) -> None:
    """Mark elements that may be outside the main text, or contain all of it."""
    for node in chain(flat.asides, flat.containers):
        attribute = node.attributes.get  # one dict is faster than several calls to node.attrs
        name, identity = attribute("class") or "", attribute("id") or ""
        kind = _kind(node.tag or "", name, identity, attribute("role") or "", attribute("itemprop") or "")
        if kind and node.parent is not None:
            mark(node, kind)
    linked = frozenset(flat.linked)
    for node in flat.headings:
        if node.parent is not None:
            if node.tag == "h1":
                mark(node, TITLE)
            if node.mem_id not in linked:
                mark(node, HEADING)


@lru_cache(maxsize=4096)
def _kind(tag: str, name: str, identity: str, role: str, itemprop: str) -> str:
    """The role of an element, "" if it has none. A role attribute takes precedence over the element (HTML-AAM)."""
    for token in role.lower().split():
        if token in _ROLES:
            return _ROLES[token]
    if tag in _TAGS:
        return _TAGS[tag]
    if "articleBody" in itemprop:
        return BODY
    if tag == "form":
        return ASIDE
    kind = _kind_by_name(f"{name} {identity}"[:200])
    if kind == ASIDE and (tag == "section" or "section" in name.split()):
        return _kind_by_name(name[:200])  # its id is derived from its heading, which may be "Cookies" or "Search"
    return kind


def _kind_by_name(names: str) -> str:
    for token in names.split():
        words = [word.lower() for word in _NAME.findall(token)]
        joined = "".join(words)
        if joined in _ASIDES or joined in _ALONE or not _ASIDES.isdisjoint(words):
            return ASIDE
        if joined in _BODIES:
            return BODY
        if joined in _MAINS:
            return BY_NAME
    return ""
