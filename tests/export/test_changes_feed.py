"""Changes as Atom, read by feedparser and by a schema."""

from pathlib import Path

import pytest

from ttcrawl.export.changes_feed import feed
from ttcrawl.inspect.changes.diff import Change

XSD = Path(__file__).parent / "atom.xsd"
EVIL = "<script>&amp;\x00\x1b[2J ]]>"


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


@pytest.fixture
def written():
    return "\n".join(feed("Changes of http://a.test/", 1.7e9, CHANGES, ["http://a.test/alone"], links=False)) + "\n"


def test_the_schema_holds(written):
    import xmlschema

    xmlschema.XMLSchema(XSD).validate(written)
    xmlschema.XMLSchema(XSD).validate("\n".join(feed("Changes", 1.7e9, [], [], links=True)))


def test_feed_readers_read_it(written):
    feedparser = pytest.importorskip("feedparser")
    parsed = feedparser.parse(written.encode())
    assert not parsed.bozo and parsed.version == "atom10" and parsed.feed.title == "Changes of http://a.test/"
    entries = {entry.link: entry for entry in parsed.entries}
    assert [*entries] == [
        *("http://a.test/new?a&b", "http://a.test/gone", "http://a.test/to", "http://a.test/x", "http://a.test/alone")
    ]
    assert entries["http://a.test/gone"].title == "gone: Gone" and "http 404" in entries["http://a.test/gone"].summary
    assert entries["http://a.test/to"].tags[0].term == "moved"
    assert entries["http://a.test/new?a&b"].updated == "2023-11-14T22:13:25.000000Z"
    assert "<script>" not in written and "&lt;script&gt;" in written
    assert len({entry.id for entry in parsed.entries}) == len(entries)


def test_an_entry_keeps_its_id(written):
    again = "\n".join(feed("Changes of http://a.test/", 1.8e9, reversed(CHANGES), [], links=False))
    ids = {line for line in again.splitlines() if "<id>" in line}
    assert ids <= {line for line in written.splitlines() if "<id>" in line}
