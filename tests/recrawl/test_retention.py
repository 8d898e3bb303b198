"""How many earlier answers the tables keep; judged by SQL, by `ttcrawl verify`, and by the commands that read them."""

from collections import Counter
from datetime import UTC, datetime

import pytest

import ttcrawl
from tests.recrawl.recrawled import Clock, recrawl, served, warc
from tests.recrawl.servers import BEGIN, DAY, Scripted
from tests.support.crawls.crawling import query, verified
from tests.support.crawls.other_readers import foreign_check
from ttcrawl.cli import main
from ttcrawl.engine.duplicates.originals import Originals
from ttcrawl.web.storable import replace

#: Six answers, at the visits of days 0 to 5.
SCRIPT = tuple((max(0.0, day - 0.5), 200, f"version {day}") for day in range(6))


def crawled(directory, days, scripts, clock=None, **keys):
    """Crawl scripts (host -> script) for some days; give the port, and host -> its server."""
    clock = clock or Clock()
    pages = {f"{name}.test": Scripted(script=script) for name, script in scripts.items()}
    with served(pages, clock) as port:
        recrawl(directory, pages, port, clock, days * DAY, {f"revisit.{key}": value for key, value in keys.items()})
    assert verified(directory) == ""
    return port, pages


def days_of_answers(directory, host="a"):
    """The days on which the answers came that are in the tables."""
    rows = query(directory, "SELECT url.url, time FROM answer JOIN url ON url.id = answer.url ORDER BY time")
    return [round((time - BEGIN) / DAY) for url, time in rows if f"//{host}." in url]


def shown(day):
    return datetime.fromtimestamp(BEGIN + day * DAY, UTC).isoformat()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "days"),
    [
        ({}, [0, 1, 2, 3, 4, 5]),
        ({"keep_answers": 9}, [0, 1, 2, 3, 4, 5]),
        ({"keep_answers": 2}, [4, 5]),
        ({"keep_answers": 1}, [5]),
        ({"keep_days": 2.5}, [3, 4, 5]),  # that of day 3 was replaced on day 4; the last visit is on day 6
        ({"keep_days": 100}, [0, 1, 2, 3, 4, 5]),
        ({"keep_answers": 4, "keep_days": 2.5}, [3, 4, 5]),
        ({"keep_answers": 2, "keep_days": 100}, [4, 5]),
    ],
)
def test_earlier_answers_leave_the_tables_and_stay_in_the_archive(tmp_path, keys, days):
    directory = tmp_path / "c"
    crawled(directory, 6.1, {"a": SCRIPT}, **keys)
    assert days_of_answers(directory) == days
    for table in ("text", "metadata"):
        assert query(directory, f"SELECT count(*) FROM earlier_{table}") == [(len(days) - 1,)]
    dropped = query(directory, f"SELECT answers, round((until - {BEGIN}) / {DAY}) FROM dropped")
    assert dropped == ([(6 - len(days), days[0])] if len(days) < 6 else [])
    assert Counter(each["WARC-Type"] for each in warc(directory) if "robots" not in each["WARC-Target-URI"]) == {
        **{"response": 6, "revisit": 1}  # the last visit found nothing new
    }


@pytest.mark.slow
def test_what_was_kept_before_the_key_was_set_goes_with_the_next_visit(tmp_path):
    directory, clock = tmp_path / "c", Clock()
    pages = {"a.test": Scripted(script=SCRIPT)}
    with served(pages, clock) as port:
        recrawl(directory, pages, port, clock, 5.1 * DAY)
        assert days_of_answers(directory) == [0, 1, 2, 3, 4, 5]
        recrawl(directory, pages, port, clock, 1 * DAY, {"revisit.keep_answers": 3})
    assert verified(directory) == ""
    assert days_of_answers(directory) == [3, 4, 5]


@pytest.mark.slow
def test_an_answer_stays_while_the_record_of_another_url_refers_to_its_bytes(tmp_path):
    same = ((0, 200, "same"), (1.5, 200, "other a"), (2.5, 200, "third a"))
    scripts = {"a": same, "b": ((0, 200, "same"), (4.5, 200, "other b"), (5.5, 200, "third b"))}
    directory, clock = tmp_path / "c", Clock()
    pages = {f"{name}.test": Scripted(script=script) for name, script in scripts.items()}
    with served(pages, clock) as port:
        recrawl(directory, pages, port, clock, 4.1 * DAY, {"revisit.keep_answers": 1})
        assert verified(directory) == ""
        rows = "SELECT url.url, payload IS NULL FROM answer JOIN url ON url.id = answer.url"
        assert Counter(query(directory, rows)) == {(f"http://a.test:{port}/", 1): 2, (f"http://b.test:{port}/", 0): 1}
        with ttcrawl.open(directory) as crawl:
            url = f"http://a.test:{port}/"
            bodies = [crawl.body(url, at=answer.time) for answer in crawl.history(url)]
            assert ["same" in body.decode() for body in bodies] == [True, False]
        recrawl(directory, pages, port, clock, 4 * DAY, {"revisit.keep_answers": 1})
    assert verified(directory) == ""
    assert days_of_answers(directory, "a") == [3] and days_of_answers(directory, "b") == [6]
    foreign_check(directory / "warc")


def test_a_page_is_requested_again_whose_bytes_left_the_tables_before_it_was_processed(tmp_path, monkeypatch):
    """Its record would refer to an answer that no row has."""
    identical, before, late = Originals.identical, {}, []

    def identical_as_before(originals, fetched):
        """What was looked up before the change, once; from another parse context, so the page is parsed."""
        now = identical(originals, fetched)
        if now is not None:
            before[fetched.digest] = replace(now, same=False)
        elif not late and fetched.digest in before:
            late.append(before[fetched.digest])
            return late[0]
        return now

    monkeypatch.setattr(Originals, "identical", identical_as_before)
    scripts = {"a": ((0, 200, "same"), (1.5, 200, "other")), "b": ((0, 200, "x"), (3.5, 200, "same"))}
    scripts["c"] = ((0, 200, "y"), (0.5, 200, "same"), (1.5, 200, "other"))
    _, pages = crawled(tmp_path / "c", 5.5, scripts, keep_answers=1)
    assert len(late) == 1 and pages["b.test"].asked == 7  # 6, and one more
    assert days_of_answers(tmp_path / "c", "b") == [4]


@pytest.mark.slow
def test_commands_say_what_is_no_longer_there(tmp_path, capsys):
    directory = tmp_path / "c"
    port, _ = crawled(directory, 6.1, {"a": SCRIPT, "b": ((0, 200, "page"),)}, keep_answers=2)
    url = f"http://a.test:{port}/"
    assert main(["why", str(directory), url]) == 0
    text = capsys.readouterr().out
    assert "4 earlier answers only in warc/; the tables have all answers since 2023-11-18" in text
    assert main(["page", str(directory), url, "--at", shown(4.1)]) == 0
    assert "version 4" in capsys.readouterr().out
    assert main(["page", str(directory), url, "--at", shown(3.1)]) != 0
    assert "is not in the tables any more, only in warc/" in capsys.readouterr().err
    assert main(["diff", str(directory), shown(3.1)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("0 new, 0 gone, 0 moved, 0 changed, 1 unchanged pages")
    assert "left out, because the answer at the first moment is only in warc/ now: 1" in text
    assert main(["diff", str(directory), shown(4.1)]) == 0
    assert capsys.readouterr().out.startswith("0 new, 0 gone, 0 moved, 1 changed, 1 unchanged pages")
