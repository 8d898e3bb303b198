"""JSON-LD in a page: its author and dates in the vocabulary of schema.org (https://schema.org/CreativeWork).

A page describes other things too: cited works, comments, products, its site. The main entity of the page counts; else
the first article; else the page; and only if all of these are missing, another work.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ttcrawl.web.json_ld import loads

#: Maximum characters of a script, and maximum objects in it, that are read.
LONGEST, MOST = 200_000, 1000

Thing: TypeAlias = dict[str, Any]

_KEYS = (
    ("author", "author"),
    ("author", "creator"),
    ("published", "datePublished"),
    ("published", "dateCreated"),
    ("modified", "dateModified"),
    ("keywords", "keywords"),
)

_ARTICLE = re.compile(r"\w*Article|\w*Posting|Report")
_PAGE = re.compile(r"\w*Page")
#: Types that never describe the page itself.
_PARTS = frozenset(
    (
        "Comment",
        "UserComments",
        "Answer",
        "Person",
        "Organization",
        "Brand",
        "BreadcrumbList",
        "ItemList",
        "ListItem",
        "Rating",
        "AggregateRating",
        "Offer",
        "SearchAction",
    )
)
#: Types that describe the page itself only if it contains no other object.
_ASIDE = frozenset(("Review", "UserReview", "ImageObject", "VideoObject", "AudioObject", "MediaObject", "WebSite"))
#: Properties that refer to works of others, or to comments on the page.
_OF_OTHERS = (
    "citation",
    "isBasedOn",
    "isBasedOnUrl",
    "mentions",
    "comment",
    "review",
    "itemReviewed",
    "exampleOfWork",
    "workExample",
    "translationOfWork",
)

_OWN, _ARTICLES, _PAGES, _WORKS, _REST = range(5)


def stated(scripts: list[str]) -> dict[str, str]:
    """author, published, modified, keywords: the values that the scripts state for the page."""
    things = [each for script in scripts for each in _things(script)]
    names = {name: text for each in things if isinstance(name := each.get("@id"), str) and (text := _text(each, {}))}
    main = {name for each in things for name in _names(each.get("mainEntity"))}
    others = {name for each in things for key in _OF_OTHERS for name in _names(each.get(key))} - main
    ranked: list[list[dict[str, str]]] = [[] for _ in range(_REST + 1)]
    for each in things:
        rank = _rank(each, main, others)
        if rank is not None and (values := _values(each, names)):
            ranked[rank].append(values)
    result: dict[str, str] = {}
    for values in reversed(_believed(ranked)):
        result |= values
    return result


def _believed(ranked: list[list[dict[str, str]]]) -> list[dict[str, str]]:
    """The best sources first. Of several articles, and of other works, only one describes the page."""
    pages = ranked[_PAGES]
    if ranked[_OWN] or ranked[_ARTICLES] or pages:
        return [*(ranked[_OWN] or ranked[_ARTICLES][:1]), *pages]
    return (ranked[_WORKS] or ranked[_REST])[:1]


def _rank(thing: Thing, main: set[str], others: set[str]) -> int | None:
    types, name = types_of(thing), str(thing.get("@id"))
    if name in others or not _PARTS.isdisjoint(types):
        return None
    if any(map(_PAGE.fullmatch, types)):
        return _PAGES
    if name in main or thing.get(_MAIN) or "mainEntityOfPage" in thing:
        return _OWN
    if any(map(_ARTICLE.fullmatch, types)):
        return _ARTICLES
    return _REST if not _ASIDE.isdisjoint(types) else _WORKS


def types_of(thing: Thing) -> list[str]:
    """Local names of the types: equal for http://schema.org/Article, schema:Article and Article."""
    types = thing.get("@type")
    return [
        re.split("[/#:]", each)[-1] for each in (types if isinstance(types, list) else [types]) if isinstance(each, str)
    ]


def _names(value: Any) -> Iterator[str]:
    """The objects that a property refers to, by @id or URL."""
    for each in value[:MOST] if isinstance(value, list) else [value]:
        name = each.get("@id") if isinstance(each, dict) else each
        if isinstance(name, str):
            yield name


def _values(thing: Thing, names: Mapping[str, str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for name, key in _KEYS:
        text = _text(thing.get(key), names)
        if text and name not in values and not (name == "author" and is_url(text)):
            values[name] = text
    return values


#: Key added to the main entity of another object; not a name in JSON-LD.
_MAIN = "\0main"


def _things(script: str) -> Iterator[Thing]:
    """The objects that may describe the page: at the top level, and in @graph and mainEntity."""
    if len(script) > LONGEST:
        return
    waiting = deque[tuple[Any, bool]]([(loads(script), False)])
    for _ in range(MOST):
        if not waiting:
            return
        each, main = waiting.popleft()
        if isinstance(each, list):
            waiting += [(member, main) for member in each[:MOST]]
        elif isinstance(each, dict):
            yield each | {_MAIN: main}
            keys = ("@graph", "mainEntity", "mainEntityOfPage")
            waiting += [(each[key], key == "mainEntity") for key in keys if key in each]


def is_url(author: str) -> bool:
    """Whether an author is the URL of a profile, not a name (article:author of Open Graph)."""
    return "://" in author and " " not in author


def _text(value: Any, names: Mapping[str, str]) -> str:
    """A name, or several names. `names`: of the objects to which a value may only refer, by their @id."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, dict):
        name, id = value.get("name"), value.get("@id")
        return name.strip() if isinstance(name, str) else names.get(id, "") if isinstance(id, str) else ""
    if isinstance(value, list):
        return ", ".join(filter(None, (_text(each, names) for each in value[:20] if not isinstance(each, list))))
    return ""
