"""Changes as an Atom feed (RFC 4287), for feed readers and the programs that read them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator

from ttcrawl.export.table_files import moment
from ttcrawl.export.xml import DECLARATION, attributes_of, element, group
from ttcrawl.inspect.changes.change_lines import change_lines
from ttcrawl.inspect.changes.diff import Change

NAMESPACE = "http://www.w3.org/2005/Atom"


def feed(
    title: str, updated: float, changes: Iterable[Change], unlinked: Iterable[str], *, links: bool
) -> Iterator[str]:
    """The lines of a feed with an entry for each change, and for each URL without links to it.

    `updated`: seconds since the epoch. An entry keeps its id when the feed is written again.
    """
    yield f'{DECLARATION}<feed xmlns="{NAMESPACE}">'
    head = {"id": _id(title), "title": title, "updated": moment(updated)}
    yield "".join(element(name, text, 2) for name, text in head.items()) + "  <author><name>ttcrawl</name></author>"
    for change in changes:
        time = change.time or change.time_before or updated
        lines = "\n".join(line.strip() for line in change_lines(change, links=links))
        name = change.title or change.title_before or change.url
        yield _entry(change.change, change.to or change.url, name, time, lines, key=f"{change.url} {time}")
    for url in unlinked:
        yield _entry("unlinked", url, url, updated, "no other page links to this page any more", key=url)
    yield "</feed>"


def _entry(change: str, url: str, name: str, time: float, summary: str, *, key: str) -> str:
    content = "".join(
        (
            element("id", _id(f"{change} {key}"), 4),
            element("title", f"{change}: {name}", 4),
            element("updated", moment(time), 4),
            f'    <link{attributes_of({"href": url})}/>\n    <category term="{change}"/>\n',
            element("summary", summary, 4),
        )
    )
    return group("entry", content, 2).rstrip("\n")


def _id(text: str) -> str:
    return uuid.uuid5(uuid.NAMESPACE_URL, text).urn
