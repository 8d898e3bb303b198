"""Pages changed at known places: what the main text says afterwards is known without reading the page again."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from selectolax.lexbor import LexborHTMLParser, LexborNode

#: Elements that hold a line of text.
BLOCKS = "p, li, dt, dd, td, th, h2, h3, h4, h5, h6, pre, div"
#: What is no content, by the names that these packages have for it.
FURNITURE = (
    "nav, header, footer, [role=navigation], [role=banner], [role=contentinfo], .sphinxsidebar, .related, .navheader,"
    " .navfooter, .breadcrumbs, .footer, .header, .topNav, .bottomNav, .subNav, .nav-bar, #nav"
)
MONTHS = ("January", "March", "April", "June", "August", "October", "December")


@dataclass(frozen=True, slots=True)
class Changed:
    """A page as it came and as it is changed, with the lines of its main text before and after."""

    before: bytes
    after: bytes
    lines: list[str]
    expected: list[str]


class Source:
    """A page whose lines of main text are tied to the elements that hold them."""

    def __init__(self, html: bytes, lines: Sequence[str]) -> None:
        self.html, self.lines = html, list(lines)
        self.tree = LexborHTMLParser(html)
        self.filled: dict[str, str] = {}
        alone = {line for line in lines if lines.count(line) == 1} if len(lines) < 3000 else set()
        self.nodes: dict[str, LexborNode] = {}
        twice = set()
        for node in self.tree.css(BLOCKS):
            text = " ".join(node.text().split())
            if text in alone and len(text) > 3 and not _within(node, self.nodes.setdefault(text, node)):
                twice.add(text)  # in a menu too: it is not known which of them is that of the main text
        for text in twice:
            del self.nodes[text]

    def mark(self, markup: str) -> str:
        """A word that is replaced by this markup when the page is written."""
        name = f"qqmark{len(self.filled)}qq"
        self.filled[name] = markup
        return name

    def written(self) -> bytes:
        html = self.tree.html or ""
        return re.sub("qqmark[0-9]+qq", lambda found: self.filled[found[0]], html).encode("utf-8", "replace")

    def some(self, chance: random.Random, share: float) -> list[str]:
        """Lines with about this share of the words, at least one line."""
        names = list(self.nodes)
        chance.shuffle(names)
        wanted = share * sum(len(line.split()) for line in self.lines)
        taken: list[str] = []
        for name in names:
            if taken and wanted <= 0:
                break
            size = len(name.split())
            if size <= wanted + 3:
                taken.append(name)
                wanted -= size
        return taken


def _within(node: LexborNode | None, outer: LexborNode) -> bool:
    while node is not None and node != outer:
        node = node.parent
    return node is not None


Words = Sequence[str]
Mutation = Callable[[Source, random.Random, float, Words], None]


def inserted(source: Source, chance: random.Random, share: float, words: Words) -> None:
    for name in source.some(chance, share):
        line = " ".join(chance.choices(words, k=len(name.split())))
        node = source.nodes[name]
        node.insert_after(source.mark(f"<{node.tag}>{escape(line)}</{node.tag}>"))
        source.lines.insert(source.lines.index(name) + 1, line)


def deleted(source: Source, chance: random.Random, share: float, words: Words) -> None:
    for name in source.some(chance, share):
        source.nodes[name].decompose()
        source.lines.remove(name)


def replaced(source: Source, chance: random.Random, share: float, words: Words) -> None:
    """Single words within lines."""
    names = [name for name in source.nodes if len(name.split()) > 2]
    for name in chance.choices(names, k=max(1, int(share * len(names)))) if names else ():
        if name not in source.lines:
            continue
        said = name.split()
        said[chance.randrange(len(said))] = chance.choice(words)
        node = source.nodes[name]
        node.replace_with(source.mark(f"<{node.tag}>{escape(' '.join(said))}</{node.tag}>"))
        source.lines[source.lines.index(name)] = " ".join(said)


def reordered(source: Source, chance: random.Random, share: float, words: Words) -> None:
    """Blocks that are neighbours: those of the same tag under the same parent change places."""
    groups: dict[tuple[int, str | None], list[str]] = {}
    for name, node in source.nodes.items():
        if node.parent is not None:
            groups.setdefault((node.parent.mem_id, node.tag), []).append(name)
    for group in groups.values():
        turned = chance.sample(group, len(group))
        places = [source.lines.index(name) for name in group]
        markup = {name: source.nodes[name].html or "" for name in group}
        for name, other, place in zip(group, turned, places, strict=True):
            source.nodes[name].replace_with(source.mark(markup[other]))
            source.lines[place] = other


def furnished(source: Source, chance: random.Random, share: float, words: Words) -> None:
    """Other menus, header and footer; the content stays."""
    content = set(source.lines)
    for node in source.tree.css(FURNITURE):
        said = {" ".join(each.text().split()) for each in [node, *node.css(BLOCKS)]}
        if content.isdisjoint(said) and not node.css("h1") and node.parent is not None:
            inner = " ".join(chance.choices(words, k=12))
            attributes = "".join(f' {name}="{escape(value or "")}"' for name, value in node.attributes.items())
            node.replace_with(source.mark(f"<{node.tag}{attributes}>{escape(inner)}</{node.tag}>"))
    body = source.tree.body
    if body is not None and body.child is not None:
        links = (escape(" ".join(chance.choices(words, k=2))) for _ in range(chance.randint(5, 25)))
        menu = "".join(f'<li><a href="/{number}">{text}</a></li>' for number, text in enumerate(links))
        end = escape(" ".join(chance.choices(words, k=15)))
        body.child.insert_before(source.mark(f"<nav><ul>{menu}</ul></nav>"))
        body.insert_child(source.mark(f"<footer><p>Copyright {end}</p></footer>"))


def date(chance: random.Random) -> str:
    day, month, year = chance.randint(1, 28), chance.choice(MONTHS), chance.randint(1998, 2024)
    return f"Last updated on {month} {day}, {year} at {chance.randint(10, 23)}:{chance.randint(10, 59)}"


MUTATIONS: dict[str, Mutation] = {
    "insertion": inserted,
    "deletion": deleted,
    "replaced words": replaced,
    "reordering": reordered,
    "menus": furnished,
}


def changed(html: bytes, lines: Sequence[str], kind: str, chance: random.Random, words: Words) -> Changed | None:
    """One change of a page, of a random size; "dates": another day, "all": of everything a little. None: no line of
    the main text stands in an element of its own."""
    share = chance.choice((0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.15))
    before = Source(html, lines)
    if not before.nodes:
        return None
    if kind in ("dates", "all"):  # both say when they were changed: on another day
        place = chance.choice(list(before.nodes))
        tag = before.nodes[place].tag
        days, made = (date(chance), date(chance)), []
        for day in days:
            source = Source(html, lines)
            source.nodes[place].insert_after(source.mark(f"<{tag}>{day}</{tag}>"))
            source.lines.insert(source.lines.index(place) + 1, day)
            made.append(source)
        first, second = made
        if kind == "all":
            second.nodes.pop(place)
            for other in (inserted, deleted, replaced):
                other(second, chance, share / 3, words)
            furnished(second, chance, share, words)
        return Changed(first.written(), second.written(), first.lines, second.lines)
    after = Source(html, lines)
    MUTATIONS[kind](after, chance, share, words)
    return Changed(html, after.written(), before.lines, after.lines)


KINDS = (*MUTATIONS, "dates", "all")
