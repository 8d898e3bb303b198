"""Links, buttons and fields without a name, which a screen reader says (W3C, Accessible Name and Description
Computation 1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.archive import ArchivedPage
from ttcrawl.inspect.check.pages.visible import is_hidden, upwards

LABEL, LINK, BUTTON = KINDS = ("missing-label", "empty-link", "empty-button")

#: Attributes that name any element.
_NAMING = ("aria-label", "aria-labelledby", "title")
#: What names an element from inside, without text.
_INSIDE = "img[alt], [aria-label], [aria-labelledby], svg[title], object, embed, video, audio, iframe"

#: Types of input that are no fields, and those that are buttons without a name of their own.
_NO_FIELDS = frozenset(("hidden", "submit", "reset", "button", "image"))


def name_problems(page: ArchivedPage) -> Iterator[Problem]:
    """What is wrong is the element, not the page: that of a template is one group, however many pages have it."""
    yield from _links(page)
    for node in page.elements["button"]:
        if not _has_text(node) and _unnamed(node, about := node.attributes):
            yield page.marked(Problem(kind=BUTTON, url=_shown(node, about), source=page.url), node)
    yield from _fields(page)


def _links(page: ArchivedPage) -> Iterator[Problem]:
    previous: str | None = None
    for node in page.elements["a"]:
        about = node.attributes
        href = about.get("href")
        # an <a> without its end tag is repeated in each element that follows (HTML standard 13.2.4.3)
        is_repeated = href == previous and not any(node.iter())
        if "href" in about and not _has_text(node) and not is_repeated and _unnamed(node, about):
            yield Problem(kind=LINK, url=href or "an empty href", source=page.url)
        previous = href


def _fields(page: ArchivedPage) -> Iterator[Problem]:
    labelled: set[str] | None = None
    for node in (*page.elements["input"], *page.elements["select"], *page.elements["textarea"]):
        about = node.attributes
        kind = (about.get("type") or "").lower() if node.tag == "input" else ""
        if kind == "button" and not about.get("value") and _unnamed(node, about):
            yield page.marked(Problem(kind=BUTTON, url=_shown(node, about), source=page.url), node)
        if kind in _NO_FIELDS or about.get("placeholder") or not _unnamed(node, about):
            continue
        if labelled is None:
            labelled = {each.attributes.get("for") or "" for each in page.elements["label"]}
        if not ((name := about.get("id")) and name in labelled) and not _inside_label(node):
            yield page.marked(Problem(kind=LABEL, url=_shown(node, about), source=page.url), node)


def _has_text(node: LexborNode) -> bool:
    return bool(node.text().strip())


def _unnamed(node: LexborNode, about: dict[str, str | None]) -> bool:
    """Whether an element without text has no name; what no reader reaches needs none."""
    if any((about.get(name) or "").strip() for name in _NAMING):
        return False
    if any(_names(each.attributes) for each in node.css(_INSIDE) if each.mem_id != node.mem_id):
        return False
    return not is_hidden(node)


def _names(about: dict[str, str | None]) -> bool:
    names = [about[name] for name in ("alt", *_NAMING) if name in about]
    return not names or any((each or "").strip() for each in names)


def _inside_label(node: LexborNode) -> bool:
    return any(each.tag == "label" for each in upwards(node))


def _shown(node: LexborNode, about: dict[str, str | None]) -> str:
    """The element, as far as its attributes tell it from others."""
    parts = [f'{name}="{value}"' for name in ("type", "name", "id", "class") if (value := about.get(name))]
    return " ".join([f"<{node.tag}", *parts])[:100] + ">"
