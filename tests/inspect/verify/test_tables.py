"""Rules between the tables that a crawl breaks rarely: rows for the rule, then what it finds."""

import sqlite3
from contextlib import closing

from ttcrawl.inspect.verify.tables import PAGES
from ttcrawl.store.schema import TABLES

URL = (
    "INSERT INTO url (id, key, url, site, state, reason, priority, discovered)"
    " VALUES (?, ?, ?, 1, 'fetched', 'http 200', 0, 0)"
)
TOPIC = "INSERT INTO topic (url, score, relevant, by, classes, terms) VALUES (?, 0, ?, 'list', '{}', '{}')"


def test_only_an_irrelevant_page_may_be_counted_alone():
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        db.execute("INSERT INTO crawl VALUES ('only_counted', '1')")
        for id, relevant in ((1, 0), (2, 1)):
            db.execute(URL, (id, id, f"http://a.test/{id}"))
            db.execute(TOPIC, (id, relevant))
        assert db.execute(PAGES["topic: of a URL without a page"]).fetchall() == [("http://a.test/2",)]
