"""Changes as Atom and RSS, read by feedparser and by a schema."""

import xml.etree.ElementTree
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from ttcrawl.export.changes_feed import FEEDS, Head, items
from ttcrawl.inspect.changes.diff import Change

XSD = Path(__file__).parent / "atom.xsd"
EVIL = "<script>&amp;\x00\x1b[2J ]]>"
HEAD = Head(title="Changes of http://a.test/", link="http://a.test/?a&b", updated=1.7e9)


def change(url, kind, **columns):
    texts = dict.fromkeys(("to", "by", "still_at", "outcome", "what", "type", "title_before", "title"), "")
    numbers = dict.fromkeys(("words_added", "words_removed", "links_appeared", "links_vanished"), 0)
    missing = dict.fromkeys(("time_before", "time", "status_before", "status", "same", "diff"))
    lists = {"appeared": (), "vanished": ()}
    return Change(url=url, change=kind, **(texts | numbers | missing | lists | columns))


CHANGES = [
    change("http://a.test/new?a&b", "new", title=EVIL, time=1.7e9 + 5),
    change("http://a.test/gone", "gone", title_before="Gone", outcome="http 404", time_before=1.6e9),
    change("http://a.test/old", "moved", to="http://a.test/to", by="redirect", time=1.7e9),
    change("http://a.test/x", "changed", what="title, main text", title_before="A", title="B", same=0.5, time=1.7e9),
]
LINKS = ["http://a.test/new?a&b", "http://a.test/gone", "http://a.test/to", "http://a.test/x", "http://a.test/alone"]


def feed(form, changes=CHANGES, unlinked=("http://a.test/alone",), head=HEAD):
    return "\n".join(FEEDS[form](head, items(head.updated, changes, unlinked, links=False))) + "\n"


def test_the_schema_of_atom_holds():
    import xmlschema

    xmlschema.XMLSchema(XSD).validate(feed("atom"))
    xmlschema.XMLSchema(XSD).validate(feed("atom", (), ()))


@pytest.mark.parametrize(("form", "version"), [("atom", "atom10"), ("rss", "rss20")])
def test_feed_readers_read_it(form, version):
    feedparser = pytest.importorskip("feedparser")
    written = feed(form)
    parsed = feedparser.parse(written.encode())
    assert not parsed.bozo and parsed.version == version and parsed.feed.title == HEAD.title
    entries = {entry.link: entry for entry in parsed.entries}
    assert [*entries] == LINKS
    assert entries["http://a.test/gone"].title == "gone: Gone" and "http 404" in entries["http://a.test/gone"].summary
    assert entries["http://a.test/to"].tags[0].term == "moved"
    moments = {"atom": "2023-11-14T22:13:25.000000Z", "rss": "Tue, 14 Nov 2023 22:13:25 GMT"}
    assert entries[LINKS[0]].get("updated" if form == "atom" else "published") == moments[form]
    assert "<script>" not in written and "&lt;script&gt;" in written
    assert len({entry.id for entry in parsed.entries}) == len(entries)
    assert not feedparser.parse(feed(form, (), ()).encode()).bozo


def test_rss_has_what_its_specification_wants():
    """https://www.rssboard.org/rss-specification: required elements, dates of RFC 822, descriptions in HTML."""
    (channel,) = xml.etree.ElementTree.fromstring(feed("rss"))
    assert [channel.findtext(name) for name in ("title", "link")] == [HEAD.title, HEAD.link]
    assert channel.findtext("description")
    assert parsedate_to_datetime(channel.findtext("lastBuildDate")).timestamp() == HEAD.updated
    for item, link in zip(channel.iter("item"), LINKS, strict=True):
        assert item.findtext("link") == link and item.find("guid").get("isPermaLink") == "false"
        assert "<script>" not in item.findtext("description")  # where a reader takes it for HTML
    assert "&lt;script&gt;" in channel.find("item").findtext("description")


@pytest.mark.parametrize("form", FEEDS)
def test_an_entry_keeps_its_id(form):
    def ids(text):
        return {line for line in text.splitlines() if "<id>" in line or "<guid" in line}

    again = feed(form, reversed(CHANGES), (), Head(title=HEAD.title, link=HEAD.link, updated=1.8e9))
    assert ids(again) < ids(feed(form))
