"""JSON Feed (https://www.jsonfeed.org/version/1.1/)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ttcrawl.web.sitemaps.dates import moment
from ttcrawl.web.sitemaps.entry import ALTERNATE, ENTRY, IMAGE, MEDIA, NEXT, Entry, Listing
from ttcrawl.web.sitemaps.feed import TITLE

#: Bytes from the start in which the version must be.
BEGINNING = 1024

MARK = b"jsonfeed.org/version/"


def is_json_feed(data: bytes) -> bool:
    # the slash may be written as \/
    return data.startswith(b"{") and MARK in data[:BEGINNING].replace(b"\\", b"")


def json_feed(data: bytes, most: int) -> Listing:
    """Parse a JSON Feed in UTF-8. Never raises."""
    try:
        feed = json.loads(data)
    except (ValueError, RecursionError) as broken:
        return Listing(form="json", entries=(), error=f"broken JSON: {broken}")
    items = feed.get("items")
    items = items if isinstance(items, list) else []
    entries = [Entry(href, kind) for name, kind in _HEAD if (href := _text(feed, name))]
    for item in items[:most]:
        if isinstance(item, dict):
            entries += _item(item)
    error = f"only the first {most:,} entries are read" if len(items) > most else ""
    title = " ".join(_text(feed, "title").split())[:TITLE]
    return Listing(form="json", entries=tuple(entries), title=title, error=error)


_HEAD = ("home_page_url", ALTERNATE), ("next_url", NEXT)


def _item(item: dict[str, Any]) -> Iterator[Entry]:
    title = " ".join(_text(item, "title").split())[:TITLE]
    changed = moment(_text(item, "date_modified") or _text(item, "date_published"))
    href = _text(item, "url") or _text(item, "external_url")
    if href:
        yield Entry(href, ENTRY, title, changed)
    if image := _text(item, "image"):
        yield Entry(image, IMAGE)
    attached = item.get("attachments")
    for each in attached[:1000] if isinstance(attached, list) else ():
        if isinstance(each, dict) and (href := _text(each, "url")):
            yield Entry(href, IMAGE if _text(each, "mime_type").startswith("image/") else MEDIA)


def _text(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    # escapes may produce lone surrogates, which neither URLs nor UTF-8 allow
    return value.strip().encode("utf-8", "replace").decode() if isinstance(value, str) else ""
