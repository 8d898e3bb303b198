"""Pages are found at once, on any crawl, and an index that grew equals one that is made at once."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

import ttcrawl
from tests.library.sample_crawl import make
from tests.support.cases import one_in, some_fast
from tests.support.crawls.crawling import command, crawl, options_for, query
from tests.support.crawls.preforked import run
from tests.support.faults.killing import until
from tests.support.web.site import Answer, Web
from tests.support.web.worded_pages import FILLER, PLANTS, page
from ttcrawl.cli import main
from ttcrawl.inspect.search.hits import hits
from ttcrawl.inspect.search.index import Index
from ttcrawl.inspect.search.query import parse
from ttcrawl.inspect.search.rank import update_ranks
from ttcrawl.output.steps import silent
from ttcrawl.snapshot.snapshot import view
from ttcrawl.store.search_db import NAME

PAGES = {
    ("a.test", "/"): page(
        "Home",
        f"Everything about sundews. {FILLER}",
        *(("/drosera", "carnivorous plants"), ("/copy", "again"), ("/pitcher", "pitchers"), ("/pdf", "x"), ("/9", "y")),
    ),
    **PLANTS,
    ("a.test", "/9"): page("Ninth", f"capensis of the Drosera {FILLER} 9", ("/", "up")),
    ("a.test", "/pdf"): page("", "<script>x</script>"),
}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    with Web(PAGES) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path_factory.mktemp("search") / "crawl", "--no-obey-delay")
    assert done.status == 0, done.err
    return done.directory


@pytest.fixture
def directory(crawled, tmp_path):
    return shutil.copytree(crawled, tmp_path / "crawl")


def found(directory, text, most=10):
    """The paths of the pages, best first."""
    with view(directory) as db, closing(Index(directory)) as index:
        index.update(db, silent)
        return [hit.url.partition("test:")[2].partition("/")[2] for hit in hits(index.db, db, parse(text), most)]


QUERIES = (
    ("drosera", 2),  # of two copies, one is shown
    ("drosera capensis", 2),
    ('"drosera capensis"', 1),
    ('"capensis drosera"', 0),
    ("nepenthes OR everything", 2),
    ("filler1 NOT drosera", 2),
    ("sundew*", 3),
    ("sundew", 3),  # with "sundews"
    ('"sundew"', 2),
    ('"sundew plants"', 0),
    ("SUNDEW", 3),
    ("filler1 NOT sundews", 3),  # with "sundew"
    ("filler1 NOT (sundews AND everything)", 3),
    ("sundew*  lang:en", 3),
    ("sundew lang:en", 3),
    ("sundew lang:de", 0),
    ("grosse", 1),
    ("größe", 1),
    ("Große", 1),
    ("naive", 1),
    ("sticky", 1),
    ("carnivorous", 2),
    ("(nepenthes OR capensis) leaf", 1),
    ("filler1 host:a.test", 4),
    ("filler1 host:test", 4),
    ("filler1 host:b.test", 0),
    ("filler1 host:_.test", 0),  # no pattern
    ("filler1 host:%", 0),
    ("filler1 host:est", 0),
    ("filler1 lang:de", 0),
    ("title:drosera", 1),
    ('title:"pitcher plants"', 1),
    ("title:everything", 0),
    ("title:dros*", 1),
    ("filler1 -drosera", 2),
    ("-drosera filler1 -everything", 1),
    ("filler1 -title:pitcher", 3),
    ("site:a.test url:/pitch", 1),
    ("filler1 inurl:/PITCH", 1),
    ("filler1 -url:/pitch", 3),
    ("filler1 -site:a.test", 0),
    ("filler1 -lang:de", 4),
    ("filler1 type:html", 4),
    ("filler1 type:pdf", 0),
    ("filler1 after:2020-01-01", 4),
    ("filler1 before:2020-01-01", 0),
    ("nowhere", 0),
    ("\udcff", 0),
    ("carnivorous host:\udcff", 0),
    ("...", 0),
)


@pytest.mark.parametrize("text,count", QUERIES)
def test_queries(crawled, text, count):
    assert len(found(crawled, text)) == count


def test_the_best_page_is_first(crawled):
    assert found(crawled, "drosera")[0] in ("drosera", "copy")  # in its title
    assert found(crawled, "carnivorous plants")[0] in ("drosera", "copy")  # the words of a link to it
    assert found(crawled, "pitcher") == ["pitcher", ""]  # the page with the word, then the one with "pitchers"
    assert found(crawled, '"pitcher"') == ["pitcher"]
    assert found(crawled, "host:a.test", most=2) == found(crawled, "host:a.test")[:2]


def test_links_to_a_page_count_if_wanted(crawled):
    with ttcrawl.open(crawled) as opened:
        by_words, by_links = (opened.search("filler1", rank=rank) for rank in ("bm25", "pagerank"))
        with pytest.raises(ttcrawl.UsageError, match="rank 'x' is not one of bm25, pagerank"):
            opened.search("filler1", rank="x")
        for limit in (0, -1):
            with pytest.raises(ttcrawl.UsageError, match=f"limit {limit} is not"):
                opened.search("filler1", limit)
    assert {hit.url for hit in by_links} == {hit.url for hit in by_words}
    score = {hit.url: hit.score for hit in by_words}
    gained = {hit.url.rpartition("/")[2]: hit.score - score[hit.url] for hit in by_links}
    assert max(gained, key=gained.get) == "" and len({*gained.values()}) > 1  # the only page with a link to it


def test_ranks_are_computed_when_the_index_has_grown(directory):
    def ranked():
        with view(directory) as db, closing(Index(directory)) as index:
            index.update(db, silent)
            steps = []
            update_ranks(index.db, db, lambda step, done, of: steps.append(step))
            return steps, index.db.execute("SELECT count(*), sum(exp(value)) FROM rank").fetchone()

    for file in directory.glob(f"{NAME}*"):
        file.unlink()
    steps, (pages, total) = ranked()
    assert (steps, pages) == (["PageRank"], 6) and total == pytest.approx(pages)
    assert ranked()[0] == []
    change(directory, "UPDATE url SET state = 'failed', reason = 'dns' WHERE url LIKE '%/pitcher'")
    steps, (pages, total) = ranked()
    assert (steps, pages) == (["PageRank"], 5) and total == pytest.approx(pages)


def test_what_is_printed(crawled, capsys):
    assert main(["search", str(crawled), "drosera", "--limit", "1"]) == 0
    out = capsys.readouterr().out
    title, url, facts, text = out.splitlines()
    assert title == "Drosera" and url.startswith("  http://a.test:") and "text/html, 1 similar page" in facts
    assert "Drosera" in text
    assert main(["search", str(crawled), "capensis", "NOT", "drosera"]) == 1
    assert capsys.readouterr().out == "no page matches\n"
    assert main(["search", str(crawled), "drosera", "--format", "json"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert first["duplicates"] == 1 and first["score"] > second["score"] > 0 and "Drosera" in first["text"]
    assert main(["search", str(crawled), "OR"]) == 2 and "is not a query" in capsys.readouterr().err


@pytest.mark.slow
def test_words_that_no_page_has_are_named(crawled, capsys):
    assert main(["search", str(crawled), "drosrea carnivorous xyzzyx\x1b"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[-2:] == ["ttcrawl: no page has drosrea; did you mean drosera?", "ttcrawl: no page has xyzzyx"]


def test_nothing_of_a_page_reaches_the_terminal(tmp_path, capsys):
    directory = make(tmp_path / "crawl")
    assert main(["search", str(directory), "hello"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out and "\u202e" not in out and r"\x1b[2J" in out


def rows(directory):
    """The index as it answers: the pages, and how often each word stands in each column of each."""
    with closing(sqlite3.connect(directory / NAME)) as db:
        pages = db.execute("SELECT id, time, size, host, language, type, date FROM page ORDER BY id").fetchall()
        db.execute("CREATE VIRTUAL TABLE temp.instances USING fts5vocab (main, words, instance)")
        return pages, db.execute("SELECT term, doc, col FROM temp.instances ORDER BY 1, 2, 3, offset").fetchall()


def change(directory, *statements):
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        for statement in statements:
            db.execute(statement)


def test_an_index_that_grew_equals_a_new_one(directory, tmp_path):
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        whole = "\n".join(db.iterdump())
    hidden = "(SELECT id FROM url WHERE url LIKE '%/pitcher' OR url LIKE '%.test:_____/')"
    change(directory, *(f"DELETE FROM {table} WHERE url IN {hidden}" for table in ("page", "text", "metadata")))
    assert not found(directory, "nepenthes") and found(directory, "sticky")
    (directory / "crawl.db").unlink()
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        db.executescript(whole)
    assert found(directory, "nepenthes") == ["pitcher"] and found(directory, "carnivorous")
    grown = rows(directory)
    with closing(Index(directory)) as index, view(directory) as db:
        index.rebuild()
        index.update(db, silent)
    assert rows(directory) == grown and len(grown[1]) > 400


def test_a_page_that_changed_or_is_gone(directory):
    assert found(directory, "nepenthes") == ["pitcher"]
    id = "(SELECT id FROM url WHERE url LIKE '%/pitcher')"
    change(directory, f"UPDATE page SET title = 'Bladderwort', time = time + 1 WHERE url = {id}")
    assert found(directory, "bladderwort") == ["pitcher"] and found(directory, "title") == []
    change(directory, f"UPDATE url SET state = 'failed', reason = 'dns' WHERE id = {id}")
    assert found(directory, "bladderwort") == found(directory, "nepenthes") == []


@pytest.mark.parametrize("damage", [b"", b"not a database", b"SQLite format 3\x00" + bytes(5000)])
def test_a_damaged_index_is_made_again(directory, damage):
    assert found(directory, "nepenthes")
    for name in (NAME, f"{NAME}-wal", f"{NAME}-shm"):
        (directory / name).unlink(missing_ok=True)
    (directory / NAME).write_bytes(damage)
    assert found(directory, "nepenthes") == ["pitcher"]


def test_an_interrupted_update_goes_on(directory):
    class StopError(Exception):
        pass

    def stop(step, done, of):
        if step == "words":
            raise StopError

    with view(directory) as db, closing(Index(directory)) as index, pytest.raises(StopError):
        index.rebuild()
        index.update(db, stop)
    assert found(directory, "carnivorous") and found(directory, "nepenthes")


def test_an_index_of_an_earlier_version_is_made_again(directory):
    assert found(directory, "nepenthes")
    with closing(sqlite3.connect(directory / NAME)) as db:
        db.executescript("DROP TABLE rank; DROP TABLE words; PRAGMA user_version = 1")
    assert found(directory, "nepenthes") == ["pitcher"]


#: `ttcrawl search` that kills itself in the middle of a page, with a commit after each page or one at the end.
KILLED = """
import os, signal, sys
from ttcrawl.inspect.search import index
index.BATCH, left = {batch}, {number}
execute = index.Index.{step}
def step(*arguments):
    global left
    execute(*arguments)
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
index.Index.{step} = step
from ttcrawl.cli import main
main(["search", sys.argv[1], "nepenthes", "--rebuild"])
"""


@pytest.mark.parametrize("batch", some_fast([1, 1000], 1))
@pytest.mark.parametrize(
    ("step", "number"), one_in(3, [("_link", 1), ("_link", 4), ("_index", 1), ("_index", 3), ("_index", 6)])
)
def test_a_kill_while_it_indexes(directory, step, number, batch):
    """The next search completes the index."""
    found(directory, "x")
    complete = rows(directory)
    program = KILLED.format(step=step, number=number, batch=batch)
    killed = subprocess.run([sys.executable, "-c", program, directory], capture_output=True, timeout=60)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    with closing(sqlite3.connect(directory / NAME)) as db:
        indexed = db.execute("SELECT count(*) FROM page").fetchone()[0]
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert indexed == (number - 1 if (step, batch) == ("_index", 1) else 0)
    assert found(directory, "nepenthes") == ["pitcher"] and rows(directory) == complete


@pytest.mark.slow
def test_two_commands_at_once(directory):
    (directory / NAME).unlink(missing_ok=True)
    command_line = command("search", directory, "nepenthes", "--format", "json")
    both = [subprocess.Popen(command_line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    results = [each.communicate(timeout=60) for each in both]
    assert len({out for out, _ in results}) == 1 and "Pitcher" in results[0][0], results
    with closing(sqlite3.connect(directory / NAME)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.slow
def test_on_a_running_crawl(tmp_path):
    """What was read is found while the crawl runs, before it ends."""
    pages = {("a.test", "/"): page("Home", f"begun {FILLER}", *((f"/{n}", str(n)) for n in range(40)))}
    pages |= {("a.test", f"/{n}"): page(f"Page {n}", f"number{n} {FILLER} {n}") for n in range(40)}

    def count(text):
        """The pages, and those that are similar."""
        with view(tmp_path / "c") as db, closing(Index(tmp_path / "c")) as index:
            index.update(db, silent)
            return sum(1 + hit.duplicates for hit in hits(index.db, db, parse(text), 100))

    with Web(pages) as web:
        slow = ("--set", "politeness.delay=0.2", "--set", "store.commit_seconds=0.05", "--progress", "none")
        line = command("crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options_for(web), *slow)
        crawling = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        texts, counts = 0, []

        def grows():
            return query(tmp_path / "c", "SELECT count(*) FROM text")[0][0] > texts

        try:
            until(lambda: (tmp_path / "c" / "crawl.db").exists() and query(tmp_path / "c", "SELECT 1 FROM text"))
            while len(counts) < 4:
                until(grows)
                ((texts,),) = query(tmp_path / "c", "SELECT count(*) FROM text")
                counts.append(count("filler1"))
                assert counts[-1] >= texts  # nothing that was committed before the search is missing
            assert crawling.poll() is None and counts[0] < counts[-1] < 41
        finally:
            crawling.kill()
            crawling.wait(30)
        again = run("resume", tmp_path / "c", "--no-obey-delay", "--progress", "none", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert count("filler1") == 41
    assert found(tmp_path / "c", '"number39"') == ["39"]


@pytest.mark.slow
def test_a_crawl_pays_nothing(tmp_path):
    """It makes no index, and imports nothing of it."""
    with Web({("a.test", "/"): page("Home", FILLER)}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
    assert done.status == 0 and not [*done.directory.glob(f"{NAME}*")]
    program = "import sys, ttcrawl.engine.run.api, ttcrawl.parse.worker; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "ttcrawl.engine.loop" in modules
    assert not [each for each in modules if "search" in each or each == "snowballstemmer"]


@pytest.mark.slow
def test_a_crawl_without_pages(tmp_path, capsys):
    with Web({("a.test", "/"): Answer(status=404, body=b"x")}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
    for options in ((), ("--rank", "pagerank"), ("--rebuild",)):
        assert main(["search", str(done.directory), "x", *options]) == 1
        assert capsys.readouterr().out == "no page matches\n"


@pytest.mark.slow
def test_pages_that_are_not_read_yet(tmp_path, capsys):
    with Web({("a.test", "/"): page("Home", "vacuum freeze " * 9)}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--reading", "later")
    for word, status in (("vacuum", 1), ("home", 0)):
        assert main(["search", str(done.directory), word]) == status
        said = capsys.readouterr().err
        assert "1 page is not read yet: run ttcrawl read" in said and "only their titles are searched" in said
    assert main(["read", str(done.directory)]) == 0
    capsys.readouterr()
    assert main(["search", str(done.directory), "vacuum"]) == 0 and capsys.readouterr().err == ""


@pytest.mark.slow
def test_other_languages(tmp_path):
    """Parts of words of scripts without spaces, and other words of the same stem, which come last."""
    pages = {
        ("a.test", "/"): page("Home", "Start", *((f"/{path}", path) for path in ("ja", "zh", "th", "de", "ru"))),
        ("a.test", "/ja"): page("東京都庁", "都庁は新宿にあります。全文検索エンジンの説明です。"),
        ("a.test", "/zh"): page("网络爬虫", "我们使用网络爬虫收集网页。"),
        ("a.test", "/th"): page("ไทย", "การค้นหาเว็บไซต์ภาษาไทย"),
        ("a.test", "/de"): page("Häuser", "Viele Häuser und Gärten in der Stadt, und die Straßen dazwischen."),
        ("a.test", "/ru"): page("Книги", "Мы читаем книги в библиотеке каждый день и пишем письма."),
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
    cases = {"検索": "ja", "東京": "ja", "新宿に": "ja", "爬虫": "zh", "网页": "zh", "ค้นหา": "th", "ภาษา": "th"}
    for text, path in cases.items():
        assert found(done.directory, text) == [path], text
    assert found(done.directory, "索検") == found(done.directory, "虫爬") == []
    change(
        done.directory,
        "UPDATE metadata SET language = CASE (SELECT url FROM url WHERE id = metadata.url) LIKE '%/ru'"
        " WHEN 1 THEN 'ru' ELSE 'de' END",
        "UPDATE page SET time = time + 1",
    )
    assert found(done.directory, "книга") == ["ru"] and found(done.directory, '"книга"') == []
    assert found(done.directory, "haus") == ["de"] and found(done.directory, "haus lang:ru") == []


@pytest.mark.parametrize("content", [b"", b"no zlib", b"x\x9c\x03\x00\x00\x00\x00\x01", "text"])
def test_a_page_of_the_index_that_is_damaged(directory, capsys, content):
    assert main(["search", str(directory), "drosera"]) == 0
    with closing(sqlite3.connect(directory / NAME)) as db, db:
        db.execute("UPDATE page SET content = ?", (content,))
    capsys.readouterr()
    assert main(["search", str(directory), "drosera"]) == 1
    out = capsys.readouterr()
    assert "search.db beside crawl.db has damage" in out.err and "delete it, and it is made again" in out.err
    (directory / NAME).unlink()
    assert main(["search", str(directory), "drosera"]) == 0
