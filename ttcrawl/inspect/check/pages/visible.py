"""Elements that no reader reaches, as far as the markup tells: style sheets are not read."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborNode

#: Ancestors that are looked at.
_DEEPEST = 50


def is_hidden(node: LexborNode) -> bool:
    """Whether an element or an ancestor is hidden (HTML standard 6.1, WAI-ARIA 1.2 aria-hidden)."""
    return any(_hides(each.attributes) for each in upwards(node))


def _hides(about: dict[str, str | None]) -> bool:
    if "hidden" in about or "inert" in about or (about.get("aria-hidden") or "").lower() == "true":
        return True
    style = (about.get("style") or "").replace(" ", "").lower()
    return "display:none" in style or "visibility:hidden" in style


def upwards(node: LexborNode) -> Iterator[LexborNode]:
    """The element and its ancestors inside of body."""
    each: LexborNode | None = node
    for _ in range(_DEEPEST):
        if each is None or each.tag in ("body", "html", "-undef"):
            return
        yield each
        each = each.parent
