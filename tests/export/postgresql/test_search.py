"""`ttcrawl search` over PostgreSQL finds the pages that it finds over the crawl directory."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web
from tests.support.web.worded_pages import FILLER, PLANTS, page
from ttcrawl.cli import main
from ttcrawl.errors import UsageError
from ttcrawl.export.postgresql import search
from ttcrawl.export.postgresql.server import Server
from ttcrawl.export.postgresql.vector import tsquery, vector
from ttcrawl.inspect.search.hits import hits
from ttcrawl.inspect.search.index import Index
from ttcrawl.inspect.search.query import parse
from ttcrawl.output.steps import silent
from ttcrawl.snapshot.snapshot import view

PAGES = {
    ("a.test", "/"): page(
        "Home",
        f"Everything about sundews. {FILLER}",
        *(("/drosera", "carnivorous plants"), ("/copy", "again"), ("/pitcher", "pitchers"), ("/words", "words")),
        *(("/many", "many"), ("/missing", "a missing page"), ("//b.test:PORT/", "other host")),
    ),
    **PLANTS,
    ("a.test", "/words"): page(
        "Words",
        "e-mail me@a.test, 2.5e3 -7 x86_64 don't C++ Москва 東京 都の全文検索 ภาษาไทย \U0001f600 l'été /usr/lib"
        f" it\u2019s {FILLER} w",
    ),
    ("a.test", "/many"): page("Many", " ".join(f"token{n}" for n in range(20_000)) + " " + "long" * 700),
    ("b.test", "/"): Answer(headers=(("Content-Type", "text/plain"),), body=b"plain text of another host " * 9),
}

QUERIES = (
    *("title:drosera", 'title:"pitcher plants"', "title:dros*", "filler1 -drosera", "filler1 -title:pitcher"),
    *("site:a.test url:/pitch", "filler1 -url:/pitch", "filler1 -site:a.test"),
    *("drosera", "drosera capensis", '"drosera capensis"', '"capensis drosera"', "nepenthes OR everything"),
    *(
        "filler1 NOT drosera",
        "sundew*",
        "sundew",
        "SUNDEW",
        "grosse",
        "größe",
        "Große",
        "naive",
        "sticky",
        "carnivorous",
    ),
    *("(nepenthes OR capensis) leaf", "filler1 host:a.test", "host:test", "plain host:b.test", "filler1 lang:de"),
    *(
        "filler1 lang:en",
        "type:html",
        "type:plain",
        "after:2020-01-01",
        "filler1 before:2020-01-01",
        "host:b",
        "host:%",
        "host:_.test",
    ),
    *(
        "nowhere",
        "...",
        "e-mail",
        "mail",
        '"e mail"',
        "me@a.test",
        "2.5e3",
        "x86_64",
        '"86 64"',
        "don't",
        "c++",
        "москва",
    ),
    *(
        "МОСКВА",
        "東京",
        "東*",
        "都",
        "全文検索",
        "文検",
        "索文",
        '"東京 都の"',
        "京*",
        "ภาษา",
        "l'été",
        "ete",
        '"usr lib"',
        "it's",
        "-7",
        "\U0001f600",
        "token19999",
        "token1999*",
    ),
    *('"token5 token6"', "a OR b NOT c", "sundew NOT (drosera OR nepenthes)", "'); DROP TABLE page; --", "host:\\"),
    *(
        '"home everything"',
        '"drosera sticky"',
        "drosera NOT capensis NOT sticky",
        "nepenthes AND NOT drosera",
        "fil* pit*",
    ),
)


@pytest.fixture(scope="module")
def copied(running_server, tmp_path_factory):
    running_server.clear()
    with Web({}) as web:
        port = web.port
    pages = {
        at: Answer(body=each.body.replace(b"PORT", b"%d" % port), headers=each.headers) for at, each in PAGES.items()
    }
    with Web(pages, port=port) as web:
        directory = tmp_path_factory.mktemp("search") / "c"
        done = crawl(web, web.url("a.test", "/"), directory, "--no-obey-delay", "--scope", "any")
    assert done.status == 0, done.err
    assert main(["mirror", str(directory), running_server.url]) == 0
    return running_server, directory


def found(directory, text):
    """The pages with the words as they are written: no others of the same stem."""
    query = parse(text)
    query = replace(query, quoted=query.words)
    with view(directory) as db, closing(Index(directory)) as index:
        index.update(db, silent)
        return set(map(facts, hits(index.db, db, query, 100)))


def found_in(server, text, most=100, **options):
    with Server(server.url).connected() as connection:
        return search.hits(connection, parse(text), most, **options)


def facts(hit):
    return hit.title, hit.language, hit.type, hit.date, hit.duplicates, hit.url.replace("/copy", "/drosera")


@pytest.mark.parametrize("text", QUERIES)
def test_both_find_the_same_pages(copied, text):
    server, directory = copied
    try:
        expected = found(directory, text)
    except UsageError:
        with pytest.raises(UsageError):
            found_in(server, text)
        return
    assert set(map(facts, found_in(server, text))) == expected


def test_the_queries_find_something(copied):
    counts = [
        len(found_in(copied[0], text)) for text in ("filler1", "drosera", "mail", "東京", "token19999", "nowhere")
    ]
    assert counts == [4, 1, 1, 1, 1, 0]


def test_the_best_page_is_first(copied):
    server, _ = copied
    for words in ("drosera", "carnivorous plants", "sticky"):
        assert found_in(server, words)[0].title == "Drosera"
    assert [hit.title for hit in found_in(server, "pitcher", most=1)] == ["Pitcher plants"]


@pytest.mark.slow
def test_what_is_printed(copied, capsys):
    server, directory = copied
    for options in ((), ("--crawl", "0")):
        assert main(["search", server.url, "drosera", "--limit", "1", *options]) == 0
        here = capsys.readouterr().out.splitlines()
        assert main(["search", str(directory), "drosera", "--limit", "1"]) == 0
        there = capsys.readouterr().out.splitlines()
        assert [here[0], *here[2:]] == [there[0], *there[2:]] and "1 similar page" in here[2]
    for words in ("nowhere", "host:\udcff", "drosera lang:\udcff"):
        assert main(["search", server.url, words]) == 1 and capsys.readouterr().out == "no page matches\n"
    assert main(["search", server.url, "drosera", "--format", "json"]) == 0
    (first,) = json.loads(capsys.readouterr().out)
    assert first["duplicates"] == 1 and first["score"] > 0 and "Drosera" in first["text"]


@pytest.mark.slow
def test_near_duplicates_are_one_page(server, tmp_path):
    """Neither their bytes nor their texts are the same."""
    words = " ".join(f"orchid{n} leaf{n}" for n in range(300))
    pages = {
        ("a.test", "/"): page("Home", f"orchids {FILLER}", ("/1", "one"), ("/2", "two"), ("/3", "three")),
        ("a.test", "/1"): page("Orchid", f"Ophrys apifera {words} 2024"),
        ("a.test", "/2"): page("Orchid", f"Ophrys apifera {words} 2025"),
        ("a.test", "/3"): page("Orchid", f"Ophrys apifera. {FILLER[::-1]}"),
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
    assert done.status == 0, done.err
    assert done.query("SELECT same, count(*) FROM duplicate GROUP BY 1") == [("near", 1)]
    assert main(["mirror", str(tmp_path / "c"), server.url]) == 0
    expected = {("Orchid", 0), ("Orchid", 1)}
    with view(tmp_path / "c") as db, closing(Index(tmp_path / "c")) as index:
        index.update(db, silent)
        in_directory = hits(index.db, db, parse("ophrys"), 100)
    for found_pages in in_directory, found_in(server, "ophrys"):
        assert {(hit.title, hit.duplicates) for hit in found_pages} == expected and len(found_pages) == 2


WRONG = {
    ("--crawl", "7"): "has no crawl 7; it has 0 (http://a.test",
    ("--rebuild",): "--rebuild and --rank are for a crawl directory",
    ("OR",): "is not a query",
}


@pytest.mark.parametrize(("options", "message"), WRONG.items())
def test_what_is_wrong_is_said_in_one_line(copied, capsys, options, message):
    assert main(["search", copied[0].url, "drosera", *options]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_a_database_without_a_crawl(server, capsys):
    assert main(["search", server.url, "drosera"]) == 2
    assert "has no crawl: copy one with ttcrawl mirror" in capsys.readouterr().err


@pytest.mark.slow
def test_the_words_follow_the_crawl(server, copied, tmp_path):
    """New texts of links to a page that was copied before, a new title, and a page that is gone."""
    import shutil

    directory = shutil.copytree(copied[1], tmp_path / "c")
    assert main(["mirror", str(directory), server.url]) == 0
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        of = "(SELECT id FROM url WHERE url LIKE '%/{}')".format
        db.execute(
            "UPDATE outlinks SET anchors = replace(anchors, 'pitchers', 'bladderworts \\u0000\\ud800') WHERE source = 1"
        )
        db.execute(f"UPDATE page SET title = 'Sarracenia' WHERE url = {of('words')}")
        db.execute(f"DELETE FROM page WHERE url = {of('many')}")
    assert main(["mirror", str(directory), server.url]) == 0
    titles = {
        words: [hit.title for hit in found_in(server, words)] for words in ("bladderworts", "sarracenia", "token1")
    }
    assert titles == {"bladderworts": ["Pitcher plants"], "sarracenia": ["Sarracenia"], "token1": []}
    assert server.query("SELECT count(*) FROM ttcrawl.touched") == [(0,)]


@pytest.mark.slow
def test_the_largest_text_fits(server):
    """PostgreSQL refuses a tsvector of more than 1 MB, and words of more than 2,046 bytes."""
    huge = " ".join(f"слово{n}" for n in range(200_000)) + " " + "\U00020000" * 9000
    for text in (huge, "a " * 1_000_000, "\U00020000" * 9000):
        ((size,),) = server.query("SELECT length(%s::tsvector)", vector((text, text, text, text)))
        assert size > 0
    assert server.query("SELECT %s::tsvector @@ %s::tsquery", vector(("A", "", "", "b")), tsquery('"a b"')) == [
        (False,)
    ]
