"""What becomes of the tables when pages change, vanish, move and come back; judged by SQL and by `ttcrawl verify`."""

import sqlite3
from contextlib import closing

import pytest

import ttcrawl
from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import BEGIN, DAY, Scripted
from tests.support.crawls.any_messages import sample
from tests.support.crawls.crawling import query, verified
from ttcrawl.cli import main
from ttcrawl.engine.duplicates.originals import Originals
from ttcrawl.ring.messages import Same


@pytest.fixture
def web(tmp_path):
    """A function that crawls scripts (host -> script) for some days, and gives the port."""
    clock, directory = Clock(), tmp_path / "c"

    def run(days, scripts, **settings):
        pages = {f"{name}.test": Scripted(script=script) for name, script in scripts.items()}
        with served(pages, clock) as port:
            more = {key.replace("__", "."): value for key, value in settings.items()}
            recrawl(directory, pages, port, clock, days * DAY, more)
        assert verified(directory) == ""
        return directory, port, pages

    return run


def answers(directory, host):
    rows = query(
        directory, "SELECT url.url, time, status, title FROM answer JOIN url ON url.id = answer.url ORDER BY 2"
    )
    return [(round((time - BEGIN) / DAY, 1), status, title) for url, time, status, title in rows if f"//{host}" in url]


@pytest.mark.slow
def test_a_page_that_changes_and_changes_back(web):
    script = ((0, 200, "one"), (2.5, 200, "two"), (5.5, 200, "one"))
    directory, _, _ = web(8, {"a": script})
    assert answers(directory, "a") == [(0.0, 200, "one"), (3.0, 200, "two"), (6.0, 200, "one")]
    assert query(directory, "SELECT changes, visits, not_modified FROM revisit") == [(2, 7, 0)]
    assert query(directory, "SELECT value FROM crawl WHERE name = 'total_pages'") == [("1",)]


@pytest.mark.slow
def test_a_page_whose_bytes_belong_to_others_changes(web):
    """Their records refer to its earlier one."""
    scripts = {"a": ((0, 200, "same"), (1.5, 200, "other")), "b": ((0, 200, "same"),), "c": ((0, 200, "same"),)}
    scripts["d"] = ((0, 200, "x"), (3.5, 200, "same"))  # after the change
    directory, port, _ = web(6, scripts)
    assert query(directory, "SELECT count(*) FROM page WHERE payload = 1") == [(2,)]
    with ttcrawl.open(directory) as crawl:
        for name in scripts:
            title = b"other" if name == "a" else b"same"
            assert crawl.response(f"http://{name}.test:{port}/").body == b"<title>%b</title><p>words" % title
    marks = (
        "SELECT a.url, b.url FROM duplicate JOIN url AS a ON a.id = duplicate.url JOIN url AS b ON b.id = duplicate_of"
    )
    (first, *others) = sorted(f"http://{name}.test:{port}/" for name in "bcd")
    assert sorted(query(directory, marks)) == [(other, first) for other in others]


@pytest.mark.slow
def test_an_answer_is_requested_again_whose_original_changed_before_it_was_processed(web, monkeypatch):
    """It was not parsed, because its bytes were those of a page that has others now: there is nothing to copy."""
    identical, before, late = Originals.identical, {}, []

    def identical_as_before(originals, fetched):
        """What was looked up before the change, once."""
        now = identical(originals, fetched)
        if now is not None and now.same:
            before[fetched.digest] = now
        elif now is None and not late and fetched.digest in before:
            late.append(before[fetched.digest])
            assert originals.outdated(sample(Same, original=late[0].id), fetched)
            return late[0]
        return now

    monkeypatch.setattr(Originals, "identical", identical_as_before)
    scripts = {"a": ((0, 200, "same"), (1.5, 200, "other")), "b": ((0, 200, "x"), (3.5, 200, "same"))}
    scripts["c"] = ((0, 200, "y"), (0.5, 200, "same"), (1.5, 200, "other"))
    directory, _, pages = web(5.5, scripts)
    assert answers(directory, "b") == [(0.0, 200, "x"), (4.0, 200, "same")]
    assert len(late) == 1 and pages["b.test"].asked == 7  # 6, and one more


@pytest.mark.slow
def test_a_page_that_is_gone_stays_until_four_visits_have_said_so(web):
    script = ((0, 200, "page"), (2.5, 404, "not found"))
    directory, _, pages = web(4.5, {"a": script})
    hours = query(directory, "SELECT started FROM visit WHERE status = 404 AND kind = 'page' ORDER BY 1")
    assert [round((time - BEGIN) / 3600) for (time,) in hours] == [72, 73, 77, 93]
    assert [status for _, status, _ in answers(directory, "a")] == [200, 404]
    assert query(directory, "SELECT state, reason FROM url") == [("fetched", "gone: http 404")]
    assert pages["a.test"].asked == 7  # and it is not visited tomorrow


@pytest.mark.slow
def test_a_page_that_was_missing_for_a_while_stays(web):
    script = ((0, 200, "page"), (2.5, 404, "not found"), (3.1, 200, "page"))
    directory, _, _ = web(6, {"a": script})
    assert answers(directory, "a") == [(0.0, 200, "page")]
    assert query(directory, "SELECT missing, changes FROM revisit") == [(0, 0)]


@pytest.mark.slow
@pytest.mark.parametrize("status", [500, 503, 429])
def test_an_error_of_the_server_changes_nothing(web, status):
    script = ((0, 200, "page"), (1.5, status, "sorry"), (4.5, 200, "page"))
    directory, _, _ = web(7, {"a": script})
    assert answers(directory, "a") == [(0.0, 200, "page")]
    assert query(directory, "SELECT failures, missing FROM revisit") == [(0, 0)]


def test_a_page_that_moves_and_becomes_a_page_again(web):
    script = ((0, 200, "page"), (1.5, 301, "/there"), (3.5, 302, "/elsewhere"), (5.5, 200, "back"))
    directory, _, _ = web(8, {"a": script})
    assert [row[:2] for row in answers(directory, "a") if row[1] != 404] == [
        (0.0, 200),
        (2.0, 301),
        (4.0, 302),
        (6.0, 200),
    ]
    states = dict(query(directory, "SELECT substr(url, 8 + instr(substr(url, 8), '/')), state FROM url"))
    assert states == {"": "fetched", "there": "fetched", "elsewhere": "fetched"}


@pytest.mark.slow
def test_what_does_not_change_is_not_stored(web):
    directory, _, _ = web(5, {"a": ((0, 301, "/there"),), "b": ((0, 410, "gone"),), "c": ((0, 200, "page"),)})
    assert query(directory, "SELECT count(*) FROM earlier_page") == [(0,)]
    visits = dict(
        query(directory, "SELECT host, count(*) FROM visit JOIN site ON site.id = site WHERE kind = 'page' GROUP BY 1")
    )
    assert [visits[host] for host in sorted(visits)] == [6, 1, 5]  # of /there, and of what was an error at first


@pytest.mark.slow
def test_a_page_that_is_only_counted_may_answer_again(web, tmp_path):
    terms = tmp_path / "terms"
    terms.write_text("100: plants=CP\n")
    script = ((0, 200, "plants"), (1.5, 200, "words"), (3.5, 200, "plants again"))
    directory, _, _ = web(3, {"a": script}, topic__terms=str(terms), topic__irrelevant="count", topic__min_total=1)
    assert query(directory, "SELECT relevant FROM topic") == [(0,)]
    assert query(directory, "SELECT relevant FROM earlier_topic") == [(1,)]
    assert query(directory, "SELECT count(*) FROM page") == [(0,)]


@pytest.mark.slow
def test_status_and_why_tell_the_visits(web, capsys):
    scripts = {"a": ((0, 200, "page"), (2.5, 404, "sorry")), "b": ((0, 200, "page"), (1.5, 500, "sorry"))}
    directory, port, _ = web(3.01, scripts)
    assert main(["status", str(directory)]) == 0
    assert "Visits   6, 0 not modified, 0 with a change; 2 of 2 URLs due" in capsys.readouterr().out
    assert main(["why", str(directory), f"http://a.test:{port}/"]) == 0
    text = capsys.readouterr().out
    assert "visits      next 2023-11-17" in text and "3 visits so far: 0 not modified (304), 0 with a change" in text
    assert "the last 1 found an error where a page was" in text
    assert main(["why", str(directory), f"http://b.test:{port}/"]) == 0
    assert "the last 2 had no answer about the page: it stays" in capsys.readouterr().out


@pytest.mark.slow
def test_why_tells_what_a_sitemap_has_announced(web, capsys):
    directory, port, _ = web(1.5, {"a": ((0, 200, "page"),)})
    assert main(["why", str(directory), f"http://a.test:{port}/"]) == 0
    assert "sitemap or feed" not in capsys.readouterr().out
    with closing(sqlite3.connect(directory / "crawl.db", isolation_level=None)) as db:
        db.execute("UPDATE revisit SET announced = ?", (BEGIN + DAY,))
    assert main(["why", str(directory), f"http://a.test:{port}/"]) == 0
    assert "changed at 2023-11-15 22:13:20.000 by a sitemap or feed: not checked yet" in capsys.readouterr().out
