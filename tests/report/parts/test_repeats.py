"""What the report says of patterns: what was done because of them, and what the audit shows."""

import sqlite3

import pytest

from ttcrawl.report.laws.audit import lost
from ttcrawl.report.parts.repeats import Repeating, read, sections
from ttcrawl.report.sources import Sources
from ttcrawl.store.schema import TABLES


class Book:
    def __init__(self):
        self.db = sqlite3.connect(":memory:")
        self.db.executescript(TABLES)
        self.db.executemany("INSERT INTO site (id, host, domain) VALUES (?, ?, '')", [(1, "a.test"), (2, "b.test")])
        self.ids = 0

    def pattern(self, text, site=1, repeating=1, **figures):
        row = {"fetched": 50, "duplicates": 49, "put_last": 0, "refused": 0} | figures
        values = (site, text, row["fetched"], row["duplicates"], repeating, row["put_last"], row["refused"])
        self.db.execute("INSERT INTO pattern VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def url(self, state="fetched", status=200, *, site=1, duplicate=False, found_on=None):
        self.ids += 1
        self.db.execute(
            "INSERT INTO url (id, key, url, site, state, reason, priority, discovered, found_on)"
            " VALUES (?, ?, ?, ?, ?, '', 0, 0, ?)",
            (self.ids, 1000 + self.ids, f"http://a.test/{self.ids}", site, state, found_on),
        )
        if state in ("fetched", "moved"):
            columns = [row[1] for row in self.db.execute("PRAGMA table_info(page)")]
            row = dict.fromkeys(columns, "") | {"url": self.ids, "status": status}
            self.db.execute(
                f"INSERT INTO page VALUES ({', '.join('?' * len(columns))})", [row[each] for each in columns]
            )
        if duplicate:
            self.db.execute("INSERT INTO duplicate VALUES (?, ?, 'text', NULL, 1)", (self.ids, self.ids))
        return self.ids

    def audit(self, text, url):
        self.db.execute("INSERT INTO audit VALUES (?, ?)", (url, text))

    def leads(self, source, target):
        self.db.execute("INSERT INTO outlinks VALUES (?, ?, x'52', x'63', x'', '')", (source, f"[{1000 + target}]"))


@pytest.fixture
def book():
    made = Book()
    yield made
    made.db.close()


def test_nothing_repeats(book):
    book.pattern("?id", repeating=0, duplicates=3)
    assert read(Sources(book.db)).patterns == {} and sections([read(Sources(book.db))]) == []


CASES = {
    "a duplicate": ({"duplicate": True}, (1, 0)),
    "a page of its own": ({}, (1, 1)),
    "an error": ({"status": 404}, (1, 0)),
    "failed": ({"state": "failed"}, (1, 0)),
    "still queued": ({"state": "queued"}, (0, 0)),
    "refused for something else": ({"state": "refused"}, (0, 0)),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_lost(book, name):
    values, expected = CASES[name]
    book.pattern("?sid", refused=10)
    book.audit("?sid", book.url(**values))
    (told,) = read(Sources(book.db)).patterns["a.test"].values()
    assert (told.audited, told.lost) == expected


@pytest.mark.parametrize(
    ("to", "met_there", "expected"),
    [({}, True, 1), ({}, False, 0), ({"duplicate": True}, True, 0), ({"status": 404}, True, 0)],
)
def test_a_redirect_is_lost_with_the_page_it_leads_to(book, to, met_there, expected):
    """Unless that was met elsewhere too, or is none."""
    book.pattern("?sid", refused=10)
    source = book.url("moved", 301)
    book.leads(source, book.url(**to, found_on=source if met_there else None))
    book.audit("?sid", source)
    assert read(Sources(book.db)).patterns["a.test"]["?sid"].lost == expected


def test_what_it_says(book):
    """By host and pattern, by host, in all; estimates where something was refused."""
    book.pattern("?sid", refused=95)
    book.pattern("/cal/#", refused=19, fetched=21, duplicates=20)
    book.pattern("?print", site=2, put_last=40)
    book.pattern("?new", site=2, repeating=0, fetched=100, duplicates=10, refused=3)
    for n in range(5):
        book.audit("?sid", book.url(duplicate=n > 0))
    book.audit("/cal/#", book.url(duplicate=True))
    found = read(Sources(book.db))
    assert found.patterns["a.test"]["?sid"] == Repeating(
        fetched=50, duplicates=49, put_last=0, refused=95, audited=5, lost=1
    )
    (section,) = sections([found])
    rows = {row.label: row.values for row in section.rows}
    of_sid = lost(95, 5, 1)
    assert rows == {
        "a.test ?sid": (50, 49, 0, 95, 5, 1, 19.0, f"{of_sid.low} to {of_sid.high}"),
        "b.test ?print": (50, 49, 40, 0, 0, 0, None, None),
        "a.test /cal/#": (21, 20, 0, 19, 1, 0, 0.0, "0 to 19"),
        "b.test ?new": (100, 10, 0, 3, 0, 0, None, "0 to 3"),
        "a.test, all patterns": (None, None, 0, 114, 6, 1, 19.0, f"{lost(114, 6, 1).low} to {lost(114, 6, 1).high}"),
        "b.test, all patterns": (None, None, 40, 3, 0, 0, None, "0 to 3"),
        "All patterns": (None, None, 40, 117, 6, 1, 19.5, f"{lost(117, 6, 1).low} to {lost(117, 6, 1).high}"),
    }
    assert all(len(row.values) == len(section.columns) for row in section.rows)


def test_side_by_side(book):
    other = Book()
    book.pattern("?sid", refused=95)
    other.pattern("?print", put_last=3)
    (section,) = sections([read(Sources(book.db)), read(Sources(other.db))])
    rows = {row.label: row.values for row in section.rows}
    assert rows["a.test ?sid"][8:] == rows["a.test ?print"][:8] == (None,) * 8
    assert rows["a.test ?sid"][3] == 95 and rows["a.test ?print"][8 + 2] == 3
    other.db.close()
