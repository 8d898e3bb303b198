"""One page of the demo campus as HTML text: the planned links, in the words of a university.

Links in content are `a` (and on the start page some `area`), elsewhere `a`, `area` and `iframe`. Links that only a
regular expression finds are in comments, and outside content also in scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from random import Random
from urllib.parse import unquote

from ttcrawl.demo.prose import Subject, paragraph
from ttcrawl.demo.targets import FIXED_TARGETS, NAVIGATION, Target
from ttcrawl.demo.words import HEADINGS, LEADS, UNIVERSITY

OPEN, CLOSE = "<!-- CONTENT -->", "<!-- /CONTENT -->"
STYLE = (
    "body{font:16px/1.5 Georgia,serif;margin:0 auto;max-width:72em;padding:0 1em}nav ul,footer ul{display:flex;"
    "flex-wrap:wrap;gap:0 1em;list-style:none;padding:0}aside{border-left:3px solid #9bb;padding-left:1em}"
    "td{padding-right:1em}section.more ul{columns:3}footer{border-top:1px solid;font-size:85%}"
)
# Family of targets elsewhere: the heading of its block.
BLOCKS = {
    "people": "People",
    "events": "Calendar",
    "courses": "Courses of earlier years",
    "files": "Downloads",
    "library": "From the library catalogue",
    "papers": "Publications",
    "outside": "Partners",
}


#: Of the targets in content: the number in paragraphs, and, of the hundred on the start page, the number on its map.
MENTIONED, MAPPED = 2, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """The links of one page by position."""

    content: Sequence[Target]
    content_hidden: Sequence[Target]
    elsewhere: Sequence[Target]  # without FIXED_TARGETS, which are on every page
    elsewhere_hidden: Sequence[Target]


def render(subject: Subject, links: Links, random: Random) -> str:
    """The page about `subject`. Every target is written exactly as often as `links` lists it."""
    first, second = _split(links.content, random)
    block_targets = [target for target in links.elsewhere if target.family in BLOCKS]
    aside, blocks = block_targets[-12:], block_targets[:-12]
    parts = [
        _head(subject, random),
        f"<main>\n<h1>{subject.title}</h1>\n{OPEN}\n",
        _article(subject, first, links.content_hidden, random),
        f"{CLOSE}\n",
        _blocks(blocks, random),
        _media(links.elsewhere, random),
        _script(links.elsewhere_hidden[::2], random),
        "</main>\n<aside>\n",
        f"<h2>See also</h2>\n{_list(aside, random)}" if aside else "<p>Pages are reviewed every term.</p>\n",
        _comments(links.elsewhere_hidden[1::2], random),
        f"{OPEN}\n<h2>Related pages</h2>\n{_list(second, random)}{CLOSE}\n" if second else "",
        "</aside>\n",
        f"<footer>\n{_list(FIXED_TARGETS[NAVIGATION:], random)}<p>{UNIVERSITY}, 1 Moor Street</p>\n</footer>\n",
        "</body>\n</html>\n",
    ]
    return "".join(parts)


def _split(content: Sequence[Target], random: Random) -> tuple[Sequence[Target], Sequence[Target]]:
    """The targets of the article, and of the second content region, which a third of the pages has."""
    second = random.randrange(2, 5) if len(content) > 7 and random.random() < 0.35 else 0
    return content[second:], content[:second]


def _anchor(target: Target, random: Random) -> str:
    return f'<a href="{spell(target.href, random)}">{target.text}</a>'


def _list(targets: Iterable[Target], random: Random) -> str:
    # The end tags of li, tr and td are optional (HTML standard, 13.1.2.4), and old sites omit them.
    items = "\n".join(["<li>" + _anchor(target, random) for target in targets])
    return f"<ul>\n{items}\n</ul>\n"


def _head(subject: Subject, random: Random) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{subject.title} - {UNIVERSITY}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<header>\n<p><strong>{UNIVERSITY}</strong></p>\n"
        f"<nav>\n{_list(FIXED_TARGETS[:NAVIGATION], random)}</nav>\n</header>\n"
    )


def _article(subject: Subject, targets: Sequence[Target], hidden: Sequence[Target], random: Random) -> str:
    """Paragraphs that mention some of the targets; the others follow in a table or a list."""
    third = len(targets) // 3
    size = min(third, MENTIONED)
    mentioned, tabled, remaining = targets[:size], targets[size : size + third], targets[size + third :]
    parts = ["<article>\n", _comments(hidden, random)]
    headings = random.sample(HEADINGS, 3)
    count = max(4, len(mentioned))
    for i in range(count):
        if i % 2 == 1 and headings:
            parts.append(f"<h2>{headings.pop()}</h2>\n")
        lead = ""
        if i < len(mentioned):
            lead = " " + random.choice(LEADS).format(link=_anchor(mentioned[i], random))
        parts.append(f"<p>{paragraph(subject, random)}{lead}</p>\n")
    if tabled:
        rows = "".join(f"<tr><td>{_anchor(target, random)}<td>{target.family}\n" for target in tabled)
        parts.append(f"<table>\n<tbody>\n<tr><th>Page<th>Kind\n{rows}</tbody>\n</table>\n")
    if subject.kind == "start":
        parts.append(_image_map(remaining[:MAPPED], random))
        remaining = remaining[MAPPED:]
    if remaining:
        parts.append(_list(remaining, random))
    parts.append("</article>\n")
    return "".join(parts)


def _blocks(targets: Iterable[Target], random: Random) -> str:
    """One section for each family of targets elsewhere."""
    families: dict[str, list[Target]] = {}
    for target in targets:
        families.setdefault(target.family, []).append(target)
    return "".join(
        f'<section class="more">\n<h2>{BLOCKS[family]}</h2>\n{_list(members, random)}</section>\n'
        for family, members in families.items()
    )


def _media(targets: Iterable[Target], random: Random) -> str:
    """The targets elsewhere that are not plain anchors: rooms on a map, films in a frame."""
    rooms = [target for target in targets if target.family == "map"]
    films = [target for target in targets if target.family == "film"]
    frames = "".join(
        f'<iframe title="{film.text}" width="480" height="270" src="{spell(film.href, random)}"></iframe>\n'
        for film in films
    )
    return (_image_map(rooms, random) if rooms else "") + frames


def _image_map(targets: Iterable[Target], random: Random) -> str:
    areas = []
    for target in targets:
        x, y = random.randrange(600), random.randrange(400)
        href = spell(target.href, random)
        areas.append(f'<area shape="rect" coords="{x},{y},{x + 24},{y + 18}" alt="{target.text}" href="{href}">\n')
    # A page may have two maps.
    name = f"map{random.randrange(1 << 30)}"
    picture = f'<p><img src="/img/campus.png" width="640" height="420" alt="Plan of the campus" usemap="#{name}"></p>\n'
    return f'{picture}<map name="{name}">\n{"".join(areas)}</map>\n'


def _comments(targets: Iterable[Target], random: Random) -> str:
    """Links that a webmaster commented out."""
    return "".join(f"<!-- moved: {_anchor(target, random)} -->\n" for target in targets)


def _script(targets: Sequence[Target], random: Random) -> str:
    """Links that only a running script would write."""
    if not targets:
        return ""
    lines = "".join(
        f"document.write('<a href=\"{spell(target.href, random)}\">{target.text}</a>');\n" for target in targets
    )
    return f"<script>\n{lines}</script>\n"


ODD = 0.05  # the share of links with an unusual spelling


def spell(href: str, random: Random) -> str:
    """`href` (a root-relative or absolute canonical URL) as the value of an attribute in double quotes, escaped.

    Every page is at the root of the site, so a path relative to the page is relative to the root. All spellings give
    the same URL in a WHATWG parser: letter case of scheme and host, the default port, dot segments (even above the
    root), percent-encoding of spaces and of non-ASCII characters.
    """
    if random.random() < ODD:
        spellings = INSIDE if href.startswith("/") else OUTSIDE
        href = spellings[int(random.random() * len(spellings))](href)
    return escape(href) if "&" in href else href


def _host_in_capitals(href: str) -> str:
    scheme, _, host, path = href.split("/", 3)
    return f"{scheme}//{host.upper()}/{path}"


def _with_port(href: str) -> str:
    scheme, _, host, path = href.split("/", 3)
    return f"{scheme}//{host}:{443 if scheme == 'https:' else 80}/{path}"


INSIDE: tuple[Callable[[str], str], ...] = (
    lambda href: href[1:] or "./",
    lambda href: "." + href,
    lambda href: ".." + href,
    lambda href: "/study/.." + href,
    unquote,
)
OUTSIDE: tuple[Callable[[str], str], ...] = (
    _host_in_capitals,
    _with_port,
    lambda href: href[:4].upper() + href[4:],
)
