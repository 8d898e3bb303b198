"""Changes as a feed, for feed readers and the programs that read them: Atom (RFC 4287), and RSS 2.0
(https://www.rssboard.org/rss-specification)."""

from __future__ import annotations

import html
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from email.utils import formatdate

from ttcrawl.export.table_files import moment
from ttcrawl.export.xml import DECLARATION, attributes_of, element, group
from ttcrawl.frozen import frozen
from ttcrawl.inspect.changes.change_lines import change_lines
from ttcrawl.inspect.changes.diff import Change

ATOM = "http://www.w3.org/2005/Atom"


@frozen
class Head:
    """What a feed is about."""

    title: str
    link: str  # URL of the site
    updated: float  # seconds since the epoch


@frozen
class Item:
    """An entry of a feed: a change, or a page without links to it."""

    id: str  # a URN, the same when the feed is written again
    change: str
    url: str
    title: str
    time: float  # seconds since the epoch
    lines: tuple[str, ...]


def items(updated: float, changes: Iterable[Change], unlinked: Iterable[str], *, links: bool) -> Iterator[Item]:
    """The changes, then the URLs without links to them. `updated`: the moment of those that have none."""
    for change in changes:
        time = change.time or change.time_before or updated
        yield Item(
            id=_id(f"{change.change} {change.url} {time}"),
            change=change.change,
            url=change.to or change.url,
            title=f"{change.change}: {change.title or change.title_before or change.url}",
            time=time,
            lines=tuple(line.strip() for line in change_lines(change, links=links)),
        )
    for url in unlinked:
        about = ("no other page links to this page any more",)
        yield Item(
            id=_id(f"unlinked {url}"), change="unlinked", url=url, title=f"unlinked: {url}", time=updated, lines=about
        )


def atom(head: Head, entries: Iterable[Item]) -> Iterator[str]:
    """The lines of an Atom feed."""
    yield f'{DECLARATION}<feed xmlns="{ATOM}">'
    about = {"id": _id(head.title), "title": head.title, "updated": moment(head.updated)}
    yield "".join(element(name, text, 2) for name, text in about.items()) + "  <author><name>ttcrawl</name></author>"
    for each in entries:
        content = (
            element("id", each.id, 4),
            element("title", each.title, 4),
            element("updated", moment(each.time), 4),
            f'    <link{attributes_of({"href": each.url})}/>\n    <category term="{each.change}"/>\n',
            element("summary", "\n".join(each.lines), 4),
        )
        yield group("entry", "".join(content), 2).rstrip("\n")
    yield "</feed>"


def rss(head: Head, entries: Iterable[Item]) -> Iterator[str]:
    """The lines of an RSS feed. Its descriptions are HTML, so text is escaped once more there."""
    yield f'{DECLARATION}<rss version="2.0">\n  <channel>'
    about = {"title": head.title, "link": head.link, "description": "Pages that are new, gone, moved or changed"}
    about |= {"lastBuildDate": _date(head.updated), "generator": "ttcrawl"}
    yield "".join(element(name, text, 4) for name, text in about.items()).rstrip("\n")
    for each in entries:
        content = (
            element("title", each.title, 6),
            element("link", each.url, 6),
            element("guid", each.id, 6, isPermaLink="false"),
            element("pubDate", _date(each.time), 6),
            element("category", each.change, 6),
            element("description", "<br>".join(map(html.escape, each.lines)), 6),
        )
        yield group("item", "".join(content), 4).rstrip("\n")
    yield "  </channel>\n</rss>"


#: Format -> the lines of a feed.
FEEDS: Mapping[str, Callable[[Head, Iterable[Item]], Iterator[str]]] = {"atom": atom, "rss": rss}


def _id(text: str) -> str:
    return uuid.uuid5(uuid.NAMESPACE_URL, text).urn


def _date(seconds: float) -> str:
    """A moment as RSS has it (RFC 822).

    >>> _date(1_700_000_000.25)
    'Tue, 14 Nov 2023 22:13:20 GMT'
    """
    return formatdate(seconds, usegmt=True)
