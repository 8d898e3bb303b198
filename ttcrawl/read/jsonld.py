"""JSON-LD in a page: who wrote it and when, as schema.org names it (https://schema.org/CreativeWork).

A page describes more than itself: works it cites, comments, products, its site. What counts is the thing that it names
as its main entity; else the first article; else the page; and only where there is none of them, another work.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

#: Characters of a script, and objects in it, that are looked at.
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
#: Never the page itself.
_PARTS = frozenset(
    (
        *("Comment", "UserComments", "Answer", "Person", "Organization", "Brand", "BreadcrumbList", "ItemList"),
        *("ListItem", "Rating", "AggregateRating", "Offer", "SearchAction"),
    )
)
#: The page itself only where it describes nothing else.
_ASIDE = frozenset(("Review", "UserReview", "ImageObject", "VideoObject", "AudioObject", "MediaObject", "WebSite"))
#: Properties that name works of others, and what is said of the page.
_OF_OTHERS = (
    *("citation", "isBasedOn", "isBasedOnUrl", "mentions", "comment", "review", "itemReviewed"),
    *("exampleOfWork", "workExample", "translationOfWork"),
)

_OWN, _ARTICLES, _PAGES, _WORKS, _REST = range(5)


def stated(scripts: list[str]) -> dict[str, str]:
    """author, published, modified, keywords: what the scripts state of the page."""
    things = [each for script in scripts for each in _things(script)]
    main = {name for each in things for name in _named(each.get("mainEntity"))}
    others = {name for each in things for key in _OF_OTHERS for name in _named(each.get(key))} - main
    ranked: list[list[dict[str, str]]] = [[] for _ in range(_REST + 1)]
    for each in things:
        rank = _rank(each, main, others)
        if rank is not None and (said := _said(each)):
            ranked[rank].append(said)
    found: dict[str, str] = {}
    for said in reversed(_believed(ranked)):
        found |= said
    return found


def _believed(ranked: list[list[dict[str, str]]]) -> list[dict[str, str]]:
    """The first before the others. Of several articles, and of other works, one is the page and the rest are not."""
    pages = ranked[_PAGES]
    if ranked[_OWN] or ranked[_ARTICLES] or pages:
        return [*(ranked[_OWN] or ranked[_ARTICLES][:1]), *pages]
    return (ranked[_WORKS] or ranked[_REST])[:1]


def _rank(thing: Thing, main: set[str], others: set[str]) -> int | None:
    types, name = _types(thing), str(thing.get("@id"))
    if name in others or not _PARTS.isdisjoint(types):
        return None
    if any(map(_PAGE.fullmatch, types)):
        return _PAGES
    if name in main or thing.get(_MAIN) or "mainEntityOfPage" in thing:
        return _OWN
    if any(map(_ARTICLE.fullmatch, types)):
        return _ARTICLES
    return _REST if not _ASIDE.isdisjoint(types) else _WORKS


def _types(thing: Thing) -> list[str]:
    """Their local names: of http://schema.org/Article, schema:Article and Article alike."""
    types = thing.get("@type")
    return [
        re.split("[/#:]", each)[-1] for each in (types if isinstance(types, list) else [types]) if isinstance(each, str)
    ]


def _named(value: Any) -> Iterator[str]:
    """What a property refers to, by @id or URL."""
    for each in value[:MOST] if isinstance(value, list) else [value]:
        name = each.get("@id") if isinstance(each, dict) else each
        if isinstance(name, str):
            yield name


def _said(thing: Thing) -> dict[str, str]:
    said: dict[str, str] = {}
    for name, key in _KEYS:
        if name not in said and (text := _text(thing.get(key))):
            said[name] = text
    return said


#: Stands in a thing that was found as the main entity of another; no name of JSON-LD.
_MAIN = "\0main"


def _things(script: str) -> Iterator[Thing]:
    """The objects that a page is likely to be about: those at the top, and in @graph and mainEntity."""
    if len(script) > LONGEST:
        return
    try:
        top = json.loads(script, strict=False)  # as the links of it are: line ends within strings are common
    except (ValueError, RecursionError):
        return
    waiting: list[tuple[Any, bool]] = [(top, False)]
    for _ in range(MOST):
        if not waiting:
            return
        each, main = waiting.pop(0)
        if isinstance(each, list):
            waiting += [(one, main) for one in each[:MOST]]
        elif isinstance(each, dict):
            yield each | {_MAIN: main}
            keys = ("@graph", "mainEntity", "mainEntityOfPage")
            waiting += [(each[key], key == "mainEntity") for key in keys if key in each]


def _text(value: Any) -> str:
    """A name, or the names of several."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, dict):
        return _text(value.get("name")) if isinstance(value.get("name"), str) else ""
    if isinstance(value, list):
        return ", ".join(filter(None, (_text(each) for each in value[:20] if not isinstance(each, list))))
    return ""
