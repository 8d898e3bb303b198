"""Real prose in many languages: The Debian Administrator's Handbook, without the paragraphs that are not translated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

PACKAGE, DIRECTORY = "debian-handbook", "usr/share/doc/debian-handbook/html"
ENGLISH = "en-US"
#: What is no running text: boxes, tables of contents, figures, tables.
_LEFT_OUT = frozenset(("sidebar", "toc", "figure", "table", "informaltable", "footnotes", "docnav"))
_KEPT = frozenset(("em", "strong", "code"))


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, list or listing."""

    html: str
    text: str


@dataclass(frozen=True, slots=True)
class Chapter:
    title: str
    blocks: tuple[Block, ...]


def chapters(handbook: Path, language: str) -> Iterator[Chapter]:
    """`handbook`: the directory with one for each language."""
    for path in sorted((handbook / language).glob("*.html")):
        tree, original = _tree(path), handbook / ENGLISH / path.name
        english = set[str]()
        if language != ENGLISH and original.exists():
            english = {_flowing(node) for node in _tree(original).css("div.para, .title, li")}
        root, heading = tree.css_first("div.section, div.chapter, div.preface"), tree.css_first("title")
        if root is not None and heading is not None:
            blocks = tuple(each for each in _blocks(root) if each.text not in english)
            yield Chapter(heading.text().split(". ", 1)[-1].strip(), blocks[1:])  # the first is the title


def _tree(path: Path) -> LexborHTMLParser:
    return LexborHTMLParser(path.read_bytes())


def _flowing(node: LexborNode) -> str:
    return " ".join(node.text().split())


def _blocks(parent: LexborNode) -> Iterator[Block]:
    for node in parent.iter():
        names = set((node.attributes.get("class") or "").split())
        if names & _LEFT_OUT:
            continue
        if "titlepage" in names and (title := node.css_first(".title")) is not None:
            yield Block(f"<h2>{escape(_flowing(title))}</h2>", _flowing(title))
        elif "para" in names:
            yield Block(f"<p>{' '.join(_inline(node).split())}</p>", _flowing(node))
        elif node.tag in ("ul", "ol"):
            items = [" ".join(_inline(item).split()) for item in node.iter() if item.tag == "li"]
            rows = "".join(f"<li>{item}</li>" for item in items)
            yield Block(f"<{node.tag}>{rows}</{node.tag}>", _flowing(node))
        elif node.tag == "pre":
            yield Block(f"<pre>{escape(node.text())}</pre>", _flowing(node))
        elif node.tag == "div":
            yield from _blocks(node)


def _inline(node: LexborNode) -> str:
    pieces = []
    for child in node.iter(include_text=True):
        if child.is_text_node:
            pieces.append(escape(child.text_content or ""))
        elif child.tag == "a" and child.attributes.get("href"):
            pieces.append(f'<a href="{escape(child.attributes["href"] or "")}">{_inline(child)}</a>')
        elif child.tag in _KEPT:
            pieces.append(f"<{child.tag}>{_inline(child)}</{child.tag}>")
        else:
            pieces.append(_inline(child))
    return "".join(pieces)
