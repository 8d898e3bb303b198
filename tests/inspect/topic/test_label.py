"""`ttcrawl topic label` on a terminal: a person who knows the answers types them."""

import json
import os
import pty
import re
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

import ttcrawl
from tests.inspect.topic.labelled_crawl import HOST, crawled, site_of
from tests.support.web.site import Web
from ttcrawl.cli import main

PATIENCE = 300.0


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    with Web(site_of(60)) as web:
        return crawled(tmp_path_factory.mktemp("label") / "crawl", web)


class Person:
    """At a terminal, who knows which pages are relevant."""

    def __init__(self, directory, folder, *more):
        self._ours, theirs = pty.openpty()
        words = [sys.executable, "-m", "ttcrawl", "topic", "label", str(directory), *map(str, more)]
        self.process = subprocess.Popen(
            words, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=os.environ | {"TERM": "dumb"}
        )
        os.close(theirs)
        self.screen = ""

    def read(self, text):
        """What is printed until `text` stands there, and forget it."""
        end = time.monotonic() + PATIENCE
        while text not in self.screen:
            assert time.monotonic() < end, self.screen
            if select.select([self._ours], [], [], 0.1)[0]:
                try:
                    self.screen += os.read(self._ours, 1 << 16).decode()
                except OSError:  # its end
                    assert text in self.screen, self.screen
        before, _, self.screen = self.screen.partition(text)
        return before

    def question(self):
        """(URL, what is printed with it)."""
        shown = self.read("[q] quit\r\n")
        return re.findall(r"^  (http://\S+)\r$", shown, re.MULTILINE)[-1], shown

    def type(self, keys):
        os.write(self._ours, keys.encode())

    def end(self):
        """(Exit status, what is printed at the end)."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            if select.select([self._ours], [], [], 0.05)[0]:
                self._take()
        self._take()
        os.close(self._ours)
        return self.process.wait(1), self.screen

    def _take(self):
        while select.select([self._ours], [], [], 0)[0]:
            try:
                self.screen += os.read(self._ours, 1 << 16).decode()
            except OSError:
                return


def lists(folder):
    return [(folder / name).read_text().split() for name in ("relevant.txt", "irrelevant.txt")]


def truth(url):
    return "y" if "/plants/" in url else "n"


@pytest.mark.slow
def test_answers_make_a_model(crawl, tmp_path):
    person = Person(crawl, tmp_path)
    asked, trained = [], ""
    for _ in range(40):
        url, shown = person.question()
        asked.append(url)
        trained = shown if "trained with" in shown else trained
        person.type(truth(url))
    assert "trained with 40 labels: precision " in person.question()[1]
    person.type("qn")  # and do not store the scores
    status, end = person.end()
    assert status == 0 and "model.json: svm, " in end and "--model model.json --save does so later" in end
    assert len(set(asked)) == 40
    relevant, irrelevant = lists(tmp_path)
    assert sorted(relevant + irrelevant) == sorted(asked) and {truth(url) for url in relevant} == {"y"}
    model = json.loads((tmp_path / "model.json").read_text())
    assert (model["relevant"], model["irrelevant"]) == (len(relevant), len(irrelevant))
    assert re.search(r"relevant with probability 0\.\d\d: \w+", trained)


@pytest.mark.slow
def test_undo_skip_and_more(crawl, tmp_path):
    (tmp_path / "relevant.txt").write_text("# mine, without a last line feed\nhttp://elsewhere.test/")
    person = Person(crawl, tmp_path)
    first, _ = person.question()
    person.type("u")
    again, shown = person.question()
    assert again == first and "nothing to undo" in shown
    person.type("y")
    second, _ = person.question()
    person.type("u")
    again, _ = person.question()
    assert (again, lists(tmp_path)[0][-1]) == (first, "http://elsewhere.test/")
    person.type("n")
    assert person.question()[0] == second
    person.type("m")
    assert person.question()[0] == second
    person.type("s")
    third, _ = person.question()
    assert third not in (first, second)
    person.type("u")
    assert person.question()[0] == second
    person.type("yq")
    status, end = person.end()
    assert status == 3 and "no model is trained: it needs 4 labels of each class; the answers are kept" in end
    assert lists(tmp_path)[0][-2:] == ["http://elsewhere.test/", second] and lists(tmp_path)[1] == [first]
    assert not (tmp_path / "model.json").exists()


@pytest.mark.slow
def test_a_kill_loses_no_answer(crawl, tmp_path):
    """Killed at the prompt after each answer, and with a key on its way."""
    asked = {}
    for round in range(3):
        person = Person(crawl, tmp_path)
        for _ in range(2):
            url, _ = person.question()
            assert url not in asked
            asked[url] = truth(url)
            person.type(truth(url))
        url, _ = person.question()  # so the answers before are there
        person.process.send_signal((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)[round])
        person.end()
        relevant, irrelevant = lists(tmp_path)
        assert dict.fromkeys(relevant, "y") | dict.fromkeys(irrelevant, "n") == asked


@pytest.mark.slow
def test_a_session_holds_no_snapshot_and_pages_may_change(crawl, tmp_path):
    directory = shutil.copytree(crawl, tmp_path / "crawl")
    person = Person(directory, tmp_path)
    url, _ = person.question()
    with closing(sqlite3.connect(directory / "crawl.db", timeout=0, isolation_level=None)) as db:
        db.execute("UPDATE page SET title = title || ' anew' WHERE url = (SELECT id FROM url WHERE url = ?)", (url,))
        busy, *_ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert busy == 0
    person.type("m")
    assert "This page is stored no longer." in person.question()[1]
    person.type("s")
    url, shown = person.question()
    assert "This page is stored no longer." not in shown
    assert main(["delete", str(directory), "--url", url, "--yes"]) == 0
    person.type("m")
    again, shown = person.question()
    assert again == url and "This page is stored no longer." in shown
    person.type("q")
    assert person.end()[0] == 3


@pytest.mark.slow
def test_two_at_once_do_not_mix(crawl, tmp_path):
    person = Person(crawl, tmp_path)
    person.question()
    other = Person(crawl, tmp_path)
    status, end = other.end()
    assert status == 2 and "is being written by another ttcrawl topic label" in end
    person.type("q")
    person.end()


@pytest.mark.slow
def test_the_first_page_is_the_one_with_the_best_score_of_the_crawl(tmp_path):
    """Here one about cities, which are what its list is about: no page is labelled yet."""
    (tmp_path / "terms.txt").write_text("7: tram=C\n11: town=C\n13: bridge=C\n")
    with Web(site_of(30)) as web:
        settings = (f"topic.terms={tmp_path / 'terms.txt'}", "topic.tunnel=-1")
        options = [part for each in settings for part in ("--set", each)]
        directory = crawled(tmp_path / "crawl", web, *options)
    person = Person(directory, tmp_path)
    url, _ = person.question()
    person.type("q")
    assert person.end()[0] == 3  # without a label there is no model
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        scores = dict(db.execute("SELECT url.url, topic.score FROM topic JOIN url ON url.id = topic.url"))
    assert scores[url] == max(scores.values()) > 0


@pytest.mark.slow
def test_the_scores_are_stored(tmp_path, capsys):
    """And the crawl goes on with the model: what was refused behind irrelevant pages is requested."""
    terms = tmp_path / "terms.txt"
    terms.write_text("100: tram=C\n100: town=C\n")
    with Web(site_of(30)) as web:
        about = ["--set", f"topic.terms={terms}", "--set", "topic.tunnel=-1"]
        directory = crawled(tmp_path / "crawl", web, *about)
        for relevant, name in ((True, "plants"), (False, "cities")):
            urls = [web.url(HOST, f"/{name}/{n}") for n in range(1 - relevant, 40, 2)]
            (tmp_path / ("relevant.txt" if relevant else "irrelevant.txt")).write_text("\n".join(urls))
        assert "State    done" in shown(capsys, "status", directory)
        before = relevant_pages(directory)
        person = Person(directory, tmp_path, "--save")
        person.question()
        person.type("q")
        status, end = person.end()
        assert status == 0 and re.search(r"of \d+ pages are relevant \(\d+ were not before, \d+ are no longer\)", end)
        after = relevant_pages(directory)
        assert after != before and sum("/plants/" in url for url in after) > 0.9 * len(after) > 20
        assert main(["verify", str(directory)]) == 0
        assert main(["resume", str(directory), "--progress", "none"]) == 0
        assert main(["verify", str(directory)]) == 0
    main(["topic", "score", str(directory), "--model", str(tmp_path / "model.json")])
    assert f"{len(after):,} of " in capsys.readouterr().out
    assert f"{len(after):,} relevant" in shown(capsys, "status", directory)


def relevant_pages(directory):
    with ttcrawl.open(directory) as crawl:
        return {each.url for each in crawl.iter_topics() if each.relevant}


def shown(capsys, *words):
    capsys.readouterr()
    assert main([*map(str, words)]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("label", "name one crawl, whose pages are labelled"),
        ("label crawl other", "name one crawl, whose pages are labelled"),
        ("label crawl --terms x", "--terms is not an option of ttcrawl topic label"),
        ("label crawl --relevant one --irrelevant one", "--relevant and --irrelevant are the same file"),
        ("label crawl --relevant .", "Is a directory; name a file that can be written"),
        ("label crawl -o nowhere/model.json", "nowhere/model.json cannot be written"),
        ("label nowhere", "nowhere"),
        ("score crawl --save --limit 3", "--limit belongs to a list of scores"),
        ("score crawl --save", "crawl has neither a list nor a model"),
        ("score crawl http://a.test/ --save --model x", "name no URL"),
        ("score crawl --save --model nowhere", "nowhere: No such file or directory"),
    ],
)
def test_wrong_use(capsys, tmp_path, monkeypatch, crawl, words, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crawl").symlink_to(crawl)
    assert main(["topic", *words.split()]) in (1, 2)
    assert message in capsys.readouterr().err
