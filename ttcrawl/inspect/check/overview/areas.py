"""The areas of a site's health, in words for its owner."""

from __future__ import annotations

from ttcrawl.inspect.check.kinds import KINDS

#: Area of a kind -> its name, and what visitors have of a site that is fine there.
AREAS = {
    "links": ("Links", "Links, pictures and files lead where they say."),
    "content": ("Content", "Each page says what it is about: title, headings, text."),
    "search": ("Search", "Search engines find each page, and know which one to show."),
    "speed": ("Speed", "Nobody waits for more than the page needs."),
    "security": ("Security", "What visitors read and send is protected."),
    "access": ("Access", "People who do not see the page, or use no mouse, can use it."),
}


def kinds_of(area: str) -> frozenset[str]:
    """The names of the kinds of an area."""
    return frozenset(kind.name for kind in KINDS if kind.area == area)
