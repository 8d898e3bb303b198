"""The main text: a page without its menus, headers, footers, cookie banners and the like.

No library does this in the time that there is (resiliparse takes 32 µs/KB, trafilatura 370). What is left out, in this
order: parts that HTML or ARIA calls so, parts whose class or id does, what stands outside of the element that holds the
main content where the page has one, and runs of lines that are nothing but links. Each is only done where enough is
left; a page that would lose everything keeps it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import lru_cache
from itertools import accumulate, compress

from ttcrawl.parse.record.blocks import Part, mark
from ttcrawl.parse.record.tree import Flat

ASIDE, MAIN, ARTICLE, NAMED = "a", "m", "r", "n"

_ASIDE_ROLES = "navigation banner contentinfo complementary search menu menubar toolbar tablist dialog alertdialog"
_ASIDE_NAMES = (
    "nav navbar navigation navheader navfooter topnav subnav sidenav bottomnav leftnav rightnav navlinks"
    " menu menubar mainmenu submenu topmenu dropdown sidebar sphinxsidebar leftbar rightbar related breadcrumb"
    " breadcrumbs crumbs footer pagefooter sitefooter siteheader masthead topbar toolbar cookie cookies consent gdpr"
    " banner advert advertisement ads sponsor promo share sharing social pagination pager prevnext popup modal"
    " overlay newsletter subscribe signup login search searchbox searchform skip skiplink skiplinks copyright"
    " noprint hidden"
)
_MAIN_NAMES = (
    "content maincontent main article post entry entrycontent articlebody postcontent pagecontent bodycontent"
    " documentwrapper body"
)
_ROLES, _ASIDES, _MAINS = (frozenset(names.split()) for names in (_ASIDE_ROLES, _ASIDE_NAMES, _MAIN_NAMES))
_NAME = re.compile(r"[a-z0-9]+|[A-Z][a-z0-9]*")
_SIGNS = "|·•»›"
_BETWEEN_LINKS = re.compile(rf"\s*[{_SIGNS}«‹→←>/,:-]\s*")
_WORD = re.compile(r"\w")

#: Of the text that there is: a part with more than that is no menu, and a main text with less than that is none.
MOST, LEAST = 0.5, 0.15

#: Lines of links one after the other that are a menu: within the text, and at its beginning or end.
RUN, RUN_AT_END = 6, 2

LONGEST_MENU = 500  # characters of a line

_NOT = bytes((1, 0)).ljust(256)


def mark_parts(flat: Flat) -> None:
    """Mark what may be no main text and what may be all of it."""
    for node in flat.asides:
        if node.parent is not None:
            mark(node, ASIDE)
    for node in flat.containers:
        said = node.attributes.get  # of a dict at once, which is cheaper than a few questions to node.attrs
        kind = _kind(node.tag or "", said("class") or "", said("id") or "", said("role") or "")
        if kind and node.parent is not None:
            mark(node, kind)
    for node in flat.headings:
        if node.tag == "h1" and node.parent is not None:
            mark(node, "h1")


@lru_cache(maxsize=4096)
def _kind(tag: str, name: str, identity: str, role: str) -> str:
    """What an element says it is: ASIDE, MAIN, ARTICLE, NAMED (a class or id such as "content") or ""."""
    if tag == "main" or role == "main":
        return MAIN
    if tag == "article":
        return ARTICLE
    if role in _ROLES or tag in ("header", "form"):
        return ASIDE
    for token in f"{name} {identity}"[:200].split():
        parts = [part.lower() for part in _NAME.findall(token)]
        joined = "".join(parts)
        if joined in _ASIDES or not _ASIDES.isdisjoint(parts):
            return ASIDE
        if joined in _MAINS:
            return NAMED
    return ""


def main_lines(lines: list[str], parts: Sequence[Part], anchors: Container[str]) -> list[str]:
    """The lines of the main text, of all `lines` and their parts; `anchors`: the texts of the links of the page."""
    sizes = list(accumulate(map(len, lines), initial=0))
    total = sizes[-1]
    firm = [part for part in parts if part.kind not in (ASIDE, NAMED)]
    if sum(part.kind == ARTICLE for part in firm) > 1:
        firm = [part for part in firm if part.kind != ARTICLE]  # a list of them: none is the page
    out = bytearray(len(lines))
    for part in parts:
        if part.kind == ASIDE and sizes[part.end] - sizes[part.start] < MOST * total and not _holds(part, firm):
            out[part.start : part.end] = b"\1" * (part.end - part.start)
    kept = list(compress(lines, out.translate(_NOT)))
    size = sum(map(len, kept))
    for kind in (MAIN, ARTICLE, NAMED):
        chosen = [part for part in (firm if kind != NAMED else parts) if part.kind == kind]
        inside = [lines[at] for part in chosen[-1:] for at in range(part.start, part.end) if not out[at]]
        if sum(map(len, inside)) > LEAST * size:
            kept = inside
            break
    shorter = without_menus(kept, anchors)
    if sum(map(len, shorter)) > LEAST * sum(map(len, kept)):
        kept = shorter
    return kept if sum(map(len, kept)) > LEAST * LEAST * total else lines


def _holds(part: Part, firm: list[Part]) -> bool:
    """The main content, an article or a title of the page is in it."""
    return any(part.start <= each.start and each.end <= part.end for each in firm)


def without_menus(lines: list[str], anchors: Container[str]) -> list[str]:
    """The lines without runs of those that are nothing but links."""
    kept: list[str] = []
    run: list[str] = []
    links = 0
    text = "\n".join(lines)
    signs = [sign for sign in _SIGNS if sign in text]
    for line in lines:
        if line in anchors or (signs and any(sign in line for sign in signs) and _all_links(line, anchors)):
            run.append(line)
            links += 1
        elif run and len(line) < 4 and not _WORD.search(line):
            run.append(line)
        else:
            if run:
                if links < (RUN if kept else RUN_AT_END):
                    kept += run
                run, links = [], 0
            kept.append(line)
    return kept if links >= RUN_AT_END else kept + run


def _all_links(line: str, anchors: Container[str]) -> bool:
    """Several links in one line, with signs between."""
    if len(line) > LONGEST_MENU:
        return False
    parts = [part for part in _BETWEEN_LINKS.split(line) if part]
    return len(parts) > 1 and all(part in anchors for part in parts)
