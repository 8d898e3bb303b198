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
#: An aside unless it is prose: by its class or id, or the element <aside>. Comments of readers, by class or id.
BOX, ASIDE_ELEMENT, COMMENT = "x", "s", "c"
#: A header by its class or id: an aside unless it contains a heading.
HEADER_BY_NAME = "e"
#: The title of the page, and a heading that is not a link.
TITLE, HEADING = "t", "g"

_ROLES = {
    **dict.fromkeys(("navigation", "contentinfo", "complementary", "search", "menu", "menubar", "toolbar"), LANDMARK),
    **dict.fromkeys(("tablist", "dialog", "alertdialog"), LANDMARK),
    **dict.fromkeys(("doc-toc", "doc-pagelist", "doc-pageheader", "doc-pagefooter"), LANDMARK),  # DPUB-ARIA 1.1
    "banner": HEADER,
    **dict.fromkeys(("note", "doc-notice", "doc-tip"), ""),
    "main": MAIN,
    "article": ARTICLE,
}
_TAGS = {
    **dict.fromkeys(("nav", "footer", "dialog", "menu", "button", "select", "noscript"), LANDMARK),
    "main": MAIN,
    "article": ARTICLE,
    "header": HEADER,
    "aside": ASIDE_ELEMENT,
}
#: Names of elements that are not main text, whatever they contain.
_ASIDE_NAMES = (
    "related relatedposts relatedarticles recommended recommendations trending mostread mostpopular readnext"
    " readmore outbrain taboola footer cookie cookies cookienotice cookiemessage consent gdpr advert advertisement"
    " ads sponsor promo share sharing social pagination pager prevnext popup modal overlay newsletter subscribe"
    " signup login search searchbox searchform skip skiplink skiplinks copyright noprint authorbio authorbox"
    " aboutauthor abouttheauthor catlinks taglinks taglist posttags articletags entrytags"
)
#: Names of elements that are not main text unless they contain prose, such as the boxes of a manual.
_BOX_NAMES = (
    "nav navbar navigation navigationbar navheader topnav subnav sidenav bottomnav leftnav rightnav navlinks navpanel"
    " menu menubar mainmenu submenu topmenu dropdown sidebar sphinxsidebar leftbar rightbar breadcrumb breadcrumbs"
    " crumbs siteheader masthead topbar toolbar banner"
)
_COMMENT_NAMES = "comment comments commentlist commentbody commentform commentrespond respond disqus disqusthread"
#: Only as a complete name; within others they mean something else, as in "field-label-hidden".
_ALONE = {
    **dict.fromkeys(("hidden", "relatedcontent", "sitesub", "contentsub"), ASIDE),  # the last two: MediaWiki
    "header": HEADER_BY_NAME,
    "headertitle": TITLE,
    "pagetitle": TITLE,
}
#: No name of an aside alone, only at the end of one: in Scaladoc it is the description of a class.
_AT_END = "comment"
_BODY_NAMES = "articlebody articlecontent articletext entrycontent postcontent postbody storybody storycontent"
_MAIN_NAMES = "content contents maincontent main article post entry pagecontent bodycontent documentwrapper body"
_ASIDES, _BOXES, _COMMENTS, _BODIES, _MAINS = (
    frozenset(names.split()) for names in (_ASIDE_NAMES, _BOX_NAMES, _COMMENT_NAMES, _BODY_NAMES, _MAIN_NAMES)
)
#: With one of these a name tells what an element is beside, not what it is: "has-sidebar", "page-menu-layout".
_BESIDE_NAMES = "has no with without content layout wrp open closed"
#: After a name these tell where an element is, or which part of it: "sidebar-left", "share-buttons", "comments-area".
_PART_NAMES = (
    "left right top bottom primary secondary first second third inner outer area section region zone list item items"
    " block box bar panel table row column col group module unit slot holder container wrapper wrap widget widgets"
    " links link buttons button icons icon tools info form title heading label count posts articles stories thread"
)
_BESIDE, _PARTS = (frozenset(names.split()) for names in (_BESIDE_NAMES, _PART_NAMES))
_SETS = (
    (ASIDE.upper(), frozenset(name for name, kind in _ALONE.items() if kind == ASIDE)),
    (HEADER_BY_NAME.upper(), frozenset(name for name, kind in _ALONE.items() if kind == HEADER_BY_NAME)),
    (TITLE.upper(), frozenset(name for name, kind in _ALONE.items() if kind == TITLE)),
    (COMMENT, _COMMENTS),
    (ASIDE, _ASIDES),
    (BOX, _BOXES),
    (BODY, _BODIES),
    (BY_NAME, _MAINS),
    ("w", _BESIDE),
    ("p", _PARTS),
)
#: For the compiled core: name -> the letters of the sets that it is in. The kinds of _ALONE are in upper case.
NAMES = {
    name: "".join(letter for letter, names in _SETS if name in names)
    for name in frozenset().union(*(names for _, names in _SETS))
}
_NAME = re.compile(r"[a-z]+|[A-Z][a-z]*|[0-9]+")


def mark_blocks(flat: Flat) -> None:
    """Mark elements that may be outside the main text, or contain all of it."""
    for node in chain(flat.asides, flat.containers):
        attribute = node.attributes.get  # one dict is faster than several calls to node.attrs
        name, identity = attribute("class") or "", attribute("id") or ""
        kind = block_kind(node.tag or "", name, identity, attribute("role") or "", attribute("itemprop") or "")
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
def block_kind(tag: str, name: str, identity: str, role: str, itemprop: str) -> str:
    """The role of an element, "" if it has none. A role attribute takes precedence over the element (HTML-AAM)."""
    for token in role.lower().split():
        if token in _ROLES:
            return _ROLES[token]
    if tag == "article" and ("comment" in name.split() or _kind_by_name(f"{name} {identity}"[:200]) == COMMENT):
        return COMMENT
    if tag in _TAGS:
        return _TAGS[tag]
    if "articleBody" in itemprop:
        return BODY
    if tag == "form":
        return ASIDE
    kind = _kind_by_name(f"{name} {identity}"[:200])
    if kind in ASIDE + BOX + COMMENT and (tag == "section" or "section" in name.split()):
        return _kind_by_name(name[:200])  # its id is derived from its heading, which may be "Cookies" or "Search"
    return kind


def _kind_by_name(names: str) -> str:
    for token in names.split():
        words = _words(token)
        joined = "".join(words)
        if kind := _ALONE.get(joined) or (_aside(token, words) if joined != _AT_END else ""):
            return kind
        if joined in _BODIES:
            return BODY
        if joined in _MAINS:
            return BY_NAME
    return ""


def _aside(token: str, words: list[str]) -> str:
    """The kind of an aside by a name: the complete name or its end counts, without words of _PARTS after it.

    In "block__element--modifier" (BEM) the block counts too, and the modifier does not.
    """
    if not _BESIDE.isdisjoint(words):
        return ""
    if "--" in token or "__" in token:
        name = token.partition("--")[0]
        candidates = _candidates(_words(name)) | _candidates(_words(name.partition("__")[0]))
    else:
        candidates = _candidates(words)
    for kind, known in ((COMMENT, _COMMENTS), (ASIDE, _ASIDES), (BOX, _BOXES)):
        if not known.isdisjoint(candidates):
            return kind
    return ""


def _candidates(words: list[str]) -> set[str]:
    """What may be the name of an aside among these words."""
    end = len(words)
    while end > 1 and (words[end - 1] in _PARTS or words[end - 1].isdigit()):
        end -= 1
    last = words[max(0, end - 2) : end]
    candidates = {"".join(words), "".join(words[:end]), "".join(last), *last[-1:]}
    if last and last[-1].endswith("footer"):  # "sitefooter", "printfooter"
        candidates.add("footer")
    return candidates


def _words(name: str) -> list[str]:
    return [word.lower() for word in _NAME.findall(name)]
