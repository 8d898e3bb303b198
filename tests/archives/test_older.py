"""Imports of older captures after newer ones."""

import pytest

from tests.archives.writing import HOST, Warc, import_, page
from tests.support.crawls.crawling import query, verified

TABLES = {
    "url": "SELECT url, state, reason, depth, iif(state = 'refused', 0, processed) FROM url ORDER BY 1",
    "answer": "SELECT u.url, time, status, title, digest, length, location, payload IS NULL FROM answer a"
    " JOIN url u ON u.id = a.url ORDER BY 1, 2",
    "outlinks": "SELECT u.url, targets FROM outlinks JOIN url u ON u.id = source ORDER BY 1",
    "text": "SELECT u.url, text FROM text t JOIN url u ON u.id = t.url ORDER BY 1",
    "earlier_outlinks": "SELECT u.url, time, targets FROM earlier_outlinks JOIN url u ON u.id = source ORDER BY 1, 2",
    "earlier_text": "SELECT u.url, time, text FROM earlier_text t JOIN url u ON u.id = t.url ORDER BY 1, 2",
    "earlier_metadata": "SELECT u.url, time, words FROM earlier_metadata m JOIN url u ON u.id = m.url ORDER BY 1, 2",
    "visit": "SELECT url, started, status, bytes FROM visit ORDER BY 1, 2",
    "totals": "SELECT name, value FROM crawl WHERE name IN ('total_pages', 'total_links', 'total_moved', 'seeds')",
}

#: The answers to a URL in the order of their times, each of a day; A, B ... are titles, > is a redirect.
HISTORIES = {"/": "ABC", "/same": "AAB", "/back": "ABA", "/moves": "A>A", "/repeats": "AAA", "/moved": ">>A"}


def warc(path, days):
    file = Warc(path)
    for day in days:
        for name, history in HISTORIES.items():
            date = f"2020-02-{day + 1:02}T00:00:00Z"
            if history[day] == ">":
                file.add(HOST + name, status="302 Found", headers=(("Location", f"/to{day}"),), date=date)
            else:
                links = ("/", f"/linked{history[day]}")
                file.add(HOST + name, page(*links, title=f"{name} {history[day]}"), date=date)
    return file.write()


@pytest.mark.parametrize("order", [[[2], [1], [0]], [[1], [0, 2]]], ids=str)
def test_answers_are_those_of_one_import(tmp_path, order):
    import_(tmp_path / "once", warc(tmp_path / "all.warc.gz", range(3)))
    for number, days in enumerate(order):
        said = import_(tmp_path / "later", warc(tmp_path / f"{number}.warc.gz", days))
    assert "answers older than the latest one" in said
    for name, sql in TABLES.items():
        assert query(tmp_path / "later", sql) == query(tmp_path / "once", sql), name
    assert verified(tmp_path / "later") == verified(tmp_path / "once") == ""
