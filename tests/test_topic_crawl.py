"""A crawl that keeps to a subject: what it follows, what it keeps of other pages, and that nothing changes this."""

import json
import random
import re
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from tests.support.cases import one_in
from tests.support.crawls.crawling import crawl, query, verified
from tests.support.crawls.equal_tables import everything
from tests.support.crawls.other_readers import foreign_check
from tests.support.crawls.preforked import run
from tests.support.faults.killing import FAST, killed_crawl
from tests.support.long_tables import LONG
from tests.support.web.site import Answer, Web, page
from tests.support.web.topic_web import IRRELEVANT, RELEVANT, TERMS, some_web, truth_of
from ttcrawl import open as open_crawl

HOSTS = ["a.test", "b.test"]
FREE = ("--no-obey-delay", "--set", "scope.scope=any", "--set", "duplicates.near=no")


@pytest.fixture
def terms(tmp_path):
    path = tmp_path / "terms.txt"
    path.write_text(TERMS)
    return f"topic.terms={path}"


def found(web, directory):
    rows = query(directory, "SELECT url, state, reason, depth, off_topic FROM url")
    paths = {web.url(*name): name for name in web.pages}
    return {
        paths[url]: (state, reason, depth, off_topic) if state != "refused" else (state, reason, None, None)
        for url, state, reason, depth, off_topic in rows
    }


@pytest.mark.slow
@pytest.mark.parametrize("tunnel", [0, 1, 2, -1])
@pytest.mark.parametrize("more", [("--inline",), ("--parsers", "2")], ids=["inline", "processes"])
def test_it_follows_what_the_definition_says(tmp_path, terms, tunnel, more):
    pages = some_web(random.Random(tunnel), HOSTS, 30)
    expected = truth_of(pages, tunnel)
    with Web(pages) as web:
        options = (*FREE, "--set", terms, "--set", f"topic.tunnel={tunnel}", *more)
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        assert done.status == 0, done.err
        assert found(web, tmp_path / "c") == expected
    assert verified(tmp_path / "c") == ""
    states = [state for state, *_ in expected.values()]
    assert states.count("fetched") > 10 and (states.count("refused") > 0) == (tunnel in (0, 1))


@pytest.mark.parametrize(
    ("kept", "kills", "size"),
    [
        pytest.param("archive", 3, 60, marks=pytest.mark.slow),
        pytest.param("count", 3, 60, marks=pytest.mark.slow),
        pytest.param("record", 20, 200, marks=pytest.mark.slow),
        *(pytest.param(kept, 20, 200, marks=LONG) for kept in ("archive", "count")),
    ],
)
def test_kills_change_nothing(tmp_path, terms, kept, kills, size):
    pages = some_web(random.Random(7), HOSTS, size)
    options = (*FREE, "--parsers", "2", "--set", terms, "--set", f"topic.irrelevant={kept}")
    with Web(pages) as web:
        seeds = [web.url("a.test", "/")]
        reference = crawl(web, seeds, tmp_path / "reference", *options, *FAST)
        port = web.port
        assert found(web, tmp_path / "reference") == truth_of(pages, 1)
    slow = {key: replace(answer, delay=0.1) for key, answer in pages.items()}
    with Web(slow, port=port) as web:
        killed_crawl(web, seeds, tmp_path, kills, random.Random(3), *options, requests=size)
    tables, expected = everything(tmp_path / "c"), everything(reference.directory)
    # a host that was asked again after a kill has more requests
    assert all(tables[name] == expected[name] for name in expected if name != "hosts")
    total = "SELECT value FROM crawl WHERE name = 'total_relevant'"
    assert query(tmp_path / "c", total) == reference.query(total) != [("0",)]
    assert verified(tmp_path / "c") == ""
    foreign_check(tmp_path / "c" / "warc")


SMALL = {
    ("a.test", "/"): Answer(body=page("/good", "/dull", content=RELEVANT, title="start")),
    ("a.test", "/good"): Answer(body=page("/better", content=RELEVANT)),
    ("a.test", "/better"): Answer(body=page(content=RELEVANT, title="sundew sundew")),
    ("a.test", "/dull"): Answer(body=page("/hidden", "/duller", content=IRRELEVANT)),
    ("a.test", "/hidden"): Answer(body=page(content=RELEVANT)),
    ("a.test", "/duller"): Answer(body=page("/far", content=IRRELEVANT)),
    ("a.test", "/far"): Answer(body=page(content=RELEVANT)),
}
TABLES = ("page", "text", "metadata", "outlinks", "fingerprint", "topic")


@pytest.mark.slow
@pytest.mark.parametrize("kept", ["archive", "record", "count"])
def test_what_is_kept_of_irrelevant_pages(tmp_path, terms, kept):
    with Web(SMALL) as web:
        options = ("--no-obey-delay", "--set", terms, "--set", f"topic.irrelevant={kept}", "--inline")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        dull, start, far = web.url("a.test", "/dull"), web.url("a.test", "/"), web.url("a.test", "/far")
    assert done.status == 0 and verified(tmp_path / "c") == "", done.err
    assert done.states()[far] == ("refused", "topic")
    rows = done.query('SELECT url.url, relevant, "by" FROM topic JOIN url ON url.id = topic.url ORDER BY url.id')
    assert len(rows) == 6 and {(url, each) for url, each, _ in rows} >= {(dull, 0), (start, 1)}
    assert {by for _, _, by in rows} == {"terms"}
    kept_tables = {
        table: done.query(
            f"SELECT count(*) FROM {table} JOIN url ON url.id = {table}.{'source' if table == 'outlinks' else 'url'}"
            f" WHERE url.url = '{dull}'"
        )[0][0]
        for table in TABLES
    }
    counted = {"topic", "outlinks"}  # whose links are followed
    assert kept_tables == {table: int(kept != "count" or table in counted) for table in TABLES}
    archived = run("page", tmp_path / "c", dull, "--body")
    assert (archived.returncode == 0) == (kept == "archive"), archived.stderr
    if kept == "record":
        assert "irrelevant" in archived.stderr
    shown = run("page", tmp_path / "c", dull)
    assert "irrelevant by terms" in shown.stdout + shown.stderr
    records = b"".join(path.read_bytes() for path in (tmp_path / "c" / "warc").glob("*"))
    assert records
    why = run("why", tmp_path / "c", dull)
    assert why.returncode == 0 and "irrelevant by terms" in why.stdout
    behind = run("why", tmp_path / "c", far).stdout
    assert "topic" in behind and "irrelevant pages 2 > 1" in behind and "[topic] tunnel = 1" in behind


def test_nothing_leads_out_of_irrelevant_pages_that_are_only_counted_if_their_links_are_not_followed(tmp_path, terms):
    with Web(SMALL) as web:
        options = ("--no-obey-delay", "--set", terms, "--set", "topic.irrelevant=count", "--set", "topic.tunnel=0")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options, "--inline")
        known = {web.url("a.test", path) for path in ("/", "/good", "/better", "/dull")}
    assert done.states().keys() == known and verified(tmp_path / "c") == ""
    assert done.query("SELECT count(*) FROM outlinks") == [(2,)]


def test_what_relevant_pages_show_is_known_though_irrelevant_pages_showed_it_before(tmp_path, terms):
    shown = '<img src="/logo.png" alt=""><a href="//far.test/">far</a><link rel="stylesheet" href="/style.css">'
    web = {("a.test", "/"): Answer(body=page("/dull", "/good", content=RELEVANT))}
    web |= {("a.test", "/dull"): Answer(body=page(content=IRRELEVANT + shown))}
    web |= {("a.test", "/good"): Answer(body=page(content=RELEVANT + shown))}
    with Web(web) as served:
        options = ("--no-obey-delay", "--set", terms, "--set", "topic.irrelevant=count", "--set", "topic.tunnel=0")
        done = crawl(served, served.url("a.test", "/"), tmp_path / "c", *options, "--inline")
        names = {served.url("a.test", path) for path in ("/", "/dull", "/good", "/logo.png", "/style.css")}
    assert done.status == 0 and verified(tmp_path / "c") == ""
    assert done.states().keys() == names | {"http://far.test/"}


@pytest.mark.slow
def test_figures_of_status_report_page_and_export(tmp_path, terms):
    with Web(SMALL) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--set", terms, "--inline")
        better, dull = web.url("a.test", "/better"), web.url("a.test", "/dull")
    assert done.status == 0
    status = json.loads(run("status", tmp_path / "c", "--format", "json").stdout)
    assert (status["pages"], status["relevant"]) == (6, 4)
    assert "Pages    6 of all types, 4 relevant, harvest rate 66.7%" in run("status", tmp_path / "c").stdout
    report = [" ".join(line.split()) for line in run("report", tmp_path / "c").stdout.splitlines()]
    assert "relevant to the topic 4" in report and any(line.startswith("harvest rate (%) 66.67") for line in report)
    shown = json.loads(run("page", tmp_path / "c", better, "--format", "json").stdout)
    shown = shown[0] if isinstance(shown, list) else shown
    page_row = shown["topic"]
    assert page_row["relevant"] and page_row["by"] == "terms" and page_row["probability"] is None
    assert page_row["terms"] == ["sundew", "pitcher plant"] and set(page_row["classes"]) == {"CP.Drosera"}
    lines = run("page", tmp_path / "c", better).stdout
    assert "relevant by terms, score" in lines and "sundew, pitcher plant" in lines
    rows = [json.loads(line) for line in run("export", tmp_path / "c", "--format", "jsonl").stdout.splitlines()]
    by_url = {row["url"]: row for row in rows}
    assert by_url[better]["relevant"] is True and by_url[better]["classes"] == page_row["classes"]
    assert by_url[dull]["relevant"] is False and by_url[dull]["topic_score"] == 0
    with open_crawl(tmp_path / "c") as opened:
        assert [row.relevant for row in opened.iter_topics()] == [row["relevant"] for row in by_url.values()]
    table = run("export", tmp_path / "c", "--format", "csv").stdout
    assert "relevant,topic_score,probability,by,classes,terms" in table.splitlines()[0]


@pytest.mark.slow
def test_the_command_gives_the_same_scores(tmp_path, terms):
    with Web(SMALL) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--set", terms, "--inline")
    listed = json.loads(
        run("topic", "score", tmp_path / "c", "--terms", tmp_path / "terms.txt", "--format", "json").stdout
    )
    scores = {row["url"]: (row["kept_score"], row["accepted"]) for row in listed["best"]}
    stored = done.query("SELECT url.url, topic.score, relevant FROM topic JOIN url ON url.id = topic.url")
    assert {url: (score, bool(relevant)) for url, score, relevant in stored} == scores and len(scores) == 6


@pytest.mark.slow
def test_a_crawl_without_a_subject_says_nothing_of_one(tmp_path):
    with Web(SMALL) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline")
    assert done.query("SELECT count(*) FROM topic") == [(0,)]
    told = run("status", tmp_path / "c").stdout + run("report", tmp_path / "c").stdout
    assert not re.search(r"\brelevant\b", told)
    assert json.loads(run("status", tmp_path / "c", "--format", "json").stdout)["relevant"] is None
    row = json.loads(run("export", tmp_path / "c", "--format", "jsonl").stdout.splitlines()[0])
    assert row["relevant"] is None and row["by"] is None and row["classes"] is None


@pytest.mark.slow
def test_the_copies_decide_not_the_files(tmp_path, terms):
    """The file changes, and is gone, while the crawl is stopped; another one is named; the tunnel grows."""
    with Web(SMALL) as web:
        options = ("--no-obey-delay", "--set", terms, "--set", "topic.tunnel=0", "--inline")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options, "--max-pages", "1")
        assert done.status == 3 and (tmp_path / "c" / "topic" / "terms.txt").read_text() == TERMS
        (tmp_path / "terms.txt").unlink()
        again = run("resume", tmp_path / "c", "--max-pages", "2", "--progress", "none", "--inline")
        assert again.returncode == 3, again.stderr
        assert done.query("SELECT sum(relevant) FROM topic") == [(2,)]
        more = ("--set", f"topic.terms={tmp_path / 'other.txt'}")
        gone = run("resume", tmp_path / "c", "--max-pages", "0", "--progress", "none", "--inline", *more)
        assert gone.returncode == 2 and "other.txt: No such file" in gone.stderr
        (tmp_path / "other.txt").write_text("100: baseball=B\n")
        other = run("resume", tmp_path / "c", "--max-pages", "0", "--progress", "none", "--inline", *more)
        assert other.returncode == 0, other.stderr
        assert (tmp_path / "c" / "topic" / "terms.txt").read_text() == "100: baseball=B\n"
        relevant = {
            url.rpartition("/")[2]
            for (url,) in done.query("SELECT url.url FROM topic JOIN url ON url.id = topic.url WHERE relevant")
        }
        assert relevant == {"", "good", "dull", "duller"} and verified(tmp_path / "c") == ""
        refused = "SELECT count(*) FROM url WHERE state = 'refused'"
        assert done.query(refused) == [(0,)] or done.query(refused) == [(1,)]


@pytest.mark.slow
def test_a_larger_tunnel_follows_what_was_refused(tmp_path, terms):
    with Web(SMALL) as web:
        seed = web.url("a.test", "/")
        options = ("--no-obey-delay", "--set", terms, "--inline")
        crawl(web, seed, tmp_path / "c", *options, "--set", "topic.tunnel=0")
        assert len(query(tmp_path / "c", "SELECT 1 FROM topic")) == 4
        as_if = run("why", tmp_path / "c", "--as-if", "topic.tunnel=1")
        assert "2" in as_if.stdout, as_if.stdout + as_if.stderr
        again = run("resume", tmp_path / "c", "--set", "topic.tunnel=1", "--progress", "none", "--inline")
        assert again.returncode == 0, again.stderr
        crawl(web, seed, tmp_path / "fresh", *options)
    rows = "SELECT url, state, reason, depth, off_topic FROM url ORDER BY url"
    assert query(tmp_path / "c", rows) == query(tmp_path / "fresh", rows) and verified(tmp_path / "c") == ""


WRONG = {
    "no list": (("topic.terms=missing.txt",), "missing.txt: No such file"),
    "no term": (("topic.terms=bad.txt",), "bad.txt, line 1"),
    "no model": (("topic.model=bad.txt",), "bad.txt is not a model"),
    "no pattern": (("topic.terms=good.txt", "topic.sites_ok=bad-sites.txt"), "bad-sites.txt, line 1, column 1"),
    "no hook": (("topic.hook=yes",), "[hooks] page"),
    "no texts": (("topic.terms=good.txt", "record.text=no"), "[record]"),
    "read later": (("topic.terms=good.txt", "record.reading=later"), "[record]"),
    "files": (("topic.terms=good.txt", "topic.irrelevant=count", "files.save=yes"), "[files] save"),
    "no language": (("topic.terms=good.txt", "topic.languages=english!"), "english!"),
    "no country": (("topic.terms=good.txt", "topic.countries=swe"), "swe"),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_come_before_anything_is_written(tmp_path, name):
    (tmp_path / "bad.txt").write_text("forty: sundew=CP\n")
    (tmp_path / "good.txt").write_text(TERMS)
    (tmp_path / "bad-sites.txt").write_text("(\n")
    settings, message = WRONG[name]
    more = [part for each in settings for part in ("--set", each)]
    done = run("crawl", "http://127.0.0.1:9/", "-d", tmp_path / "c", *more, cwd=tmp_path)
    assert done.returncode == 2 and message in done.stderr and "Traceback" not in done.stderr, done.stderr
    assert not (tmp_path / "c").exists()


CONDITIONS = {
    "a site that passes": (("sites_ok",), {"/dull": ("site", 1), "/good": ("terms", 1)}),
    "another language": (("languages=fr",), {"/good": ("language", 0)}),
    "its language": (("languages=en fr",), {"/good": ("terms", 1)}),
    "cut-offs": (("min_total=100000",), {"/good": ("terms", 0), "/better": ("terms", 0)}),
    "by position": (("algorithm=position",), {"/good": ("terms", 1), "/dull": ("terms", 0)}),
}


@pytest.mark.parametrize("name", one_in(2, CONDITIONS))
def test_conditions(tmp_path, terms, name):
    (tmp_path / "sites.txt").write_text("/dull$\n")
    settings, expected = CONDITIONS[name]
    each = [f"topic.sites_ok={tmp_path / 'sites.txt'}" if key == "sites_ok" else f"topic.{key}" for key in settings]
    web_pages = {key: replace(answer, body=answer.body.replace(b"<ul>", PROSE)) for key, answer in SMALL.items()}
    with Web(web_pages) as web:
        options = [part for setting in (terms, "topic.tunnel=-1", *each) for part in ("--set", setting)]
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", *options)
        rows = done.query('SELECT url.url, "by", relevant FROM topic JOIN url ON url.id = topic.url')
        of_path = {url: rest for url, *rest in rows}
        assert {path: tuple(of_path[web.url("a.test", path)]) for path in expected} == expected, done.err


PROSE = b"<p>These are the words of a page that is written in English so that its language can be detected.<ul>"


@pytest.mark.slow
def test_a_list_that_ends_combine_costs_scores_and_no_pages(tmp_path):
    (tmp_path / "terms.txt").write_text("40: sundew @and sundew=CP\n")
    with Web(SMALL) as web:
        options = (f"topic.terms={tmp_path / 'terms.txt'}", "topic.compatible=yes", "topic.algorithm=position")
        done = crawl(
            web,
            web.url("a.test", "/"),
            tmp_path / "c",
            "--no-obey-delay",
            *[part for each in options for part in ("--set", each)],
        )
    assert done.status == 0 and done.err.count("has no score") == 1, done.err
    assert "line 1" in done.err and "delete the line" in done.err
    states = [state for state, _ in done.states().values()]
    assert sorted(states) == ["fetched"] * 6 + ["refused"]
    assert done.query("SELECT count(*) FROM topic") == [(2,)]  # the pages without the word
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
def test_a_hook_decides(tmp_path):
    (tmp_path / "decide.py").write_text(HOOK)
    with Web(SMALL) as web:
        options = ("hooks.page=decide:page", f"hooks.path={tmp_path}", "topic.hook=yes", "topic.tunnel=0")
        done = crawl(
            web,
            web.url("a.test", "/"),
            tmp_path / "c",
            "--no-obey-delay",
            *[part for each in options for part in ("--set", each)],
        )
        states = {url.rpartition("/")[2]: state for url, (state, _) in done.states().items()}
    assert done.status == 0, done.err
    assert states == {"": "fetched", "good": "fetched", "dull": "fetched", "better": "refused"} | {
        "hidden": "fetched",
        "duller": "fetched",
        "far": "fetched",
    }
    rows = done.query('SELECT url.url, relevant, topic.score, "by" FROM topic JOIN url ON url.id = topic.url')
    assert {(url.rpartition("/")[2], *rest) for url, *rest in rows} >= {
        ("", 1, 0.0, "hook"),
        ("good", 0, -1.0, "hook"),
        ("dull", 1, 2.5, "hook"),
    }


HOOK = """
import ttcrawl

def page(page):
    name = page.url.rpartition("/")[2]
    if name == "":
        return ttcrawl.HookResult(relevant=True)
    if name == "hidden":
        return None
    return ttcrawl.HookResult(score=-1.0 if name == "good" else 2.5)
"""


BARE = {
    "True": ("True", (1, 0.0, "hook")),
    "False": ("False", (0, 0.0, "hook")),
    "a number": ("2", (1, 2.0, "hook")),
    "a fraction below 0": ("-0.5", (0, -0.5, "hook")),
    "nothing": ("None", None),
    "no number": ("float('nan')", None),
    "raises": ("1 / 0", None),
    "another type": ("object()", None),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BARE)
def test_what_a_hook_returns_alone_counts(tmp_path, name):
    """A page on which it fails has no score, and its links are followed."""
    value, row = BARE[name]
    (tmp_path / "decide.py").write_text(
        f"def page(page):\n    return {value} if page.url.endswith('/dull') else True\n"
    )
    with Web(SMALL) as web:
        options = ("hooks.page=decide:page", f"hooks.path={tmp_path}", "topic.hook=yes", "topic.tunnel=0")
        settings = [part for each in options for part in ("--set", each)]
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", *settings)
        dull, hidden = web.url("a.test", "/dull"), web.url("a.test", "/hidden")
    assert done.status == 0 and verified(tmp_path / "c") == "", done.err
    columns = f"SELECT relevant, topic.score, \"by\" FROM topic JOIN url ON url.id = topic.url WHERE url.url = '{dull}'"
    assert done.query(columns) == ([] if row is None else [row])
    failed = name in ("no number", "raises", "another type")
    assert done.states()[dull][0] == ("failed" if failed else "fetched")
    assert done.states()[hidden] == (("fetched", "http 200") if row is None or row[0] else ("refused", "topic"))


@pytest.mark.slow
def test_a_hook_alone_makes_a_crawl_best_first(tmp_path):
    """The links of relevant pages come first; those farther behind irrelevant ones come later."""
    names = {
        "": ["dull", "good"],
        "dull": ["duller", "a"],
        "duller": ["b", "c"],
        "good": ["x", "y", "dullest"],
        "x": ["z"],
    }
    pages = {
        ("a.test", f"/{name}"): Answer(body=page(*(f"/{each}" for each in names.get(name, ())), content=f"<p>{name}"))
        for name in {"", *(each for links in names.values() for each in links)}
    }
    (tmp_path / "decide.py").write_text(
        "def page(page):\n    return page.url.rpartition('/')[2] in ('', 'good', 'x')\n"
    )
    with Web(pages) as web:
        options = ("hooks.page=decide:page", f"hooks.path={tmp_path}", "topic.hook=yes", "topic.tunnel=-1")
        settings = [part for each in (*options, "frontier.priority=topic") for part in ("--set", each)]
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", *settings)
    assert done.status == 0 and verified(tmp_path / "c") == "", done.err
    order = [url.rpartition("/")[2] for (url,) in done.query("SELECT url FROM visit WHERE kind = 'page' ORDER BY id")]
    assert order == ["", "dull", "good", "x", "y", "dullest", "z", "duller", "a", "b", "c"]
    scores = {url.rpartition("/")[2]: score for url, score in done.query("SELECT url, score FROM url")}
    assert scores == {
        **dict.fromkeys(("", "dull", "good", "x", "y", "dullest", "z"), 1000),
        **dict.fromkeys(("duller", "a"), 750),
        **dict.fromkeys(("b", "c"), 625),
    }


@pytest.mark.slow
def test_a_hook_has_the_last_word_over_terms(tmp_path, terms):
    (tmp_path / "decide.py").write_text(
        "import ttcrawl\ndef page(page):\n    return ttcrawl.HookResult(relevant=False)\n"
    )
    with Web(SMALL) as web:
        options = ("hooks.page=decide:page", f"hooks.path={tmp_path}", terms)
        done = crawl(
            web,
            web.url("a.test", "/"),
            tmp_path / "c",
            "--no-obey-delay",
            *[part for each in options for part in ("--set", each)],
        )
    (row,) = done.query('SELECT relevant, "by", topic.terms FROM topic WHERE url = 1')
    assert row[:2] == (0, "hook") and "sundew" in row[2]


@pytest.mark.slow
def test_identical_bodies_of_which_one_is_archived(tmp_path, terms):
    """The first page with these bytes is not archived: the second one, whose site always passes, has them itself."""
    same = page(content=IRRELEVANT)
    web_pages = {
        ("a.test", "/"): Answer(body=page("/x", "/ok", "/y", "/ok2", content=RELEVANT)),
        **{("a.test", path): Answer(body=same) for path in ("/x", "/y", "/ok", "/ok2")},
    }
    (tmp_path / "sites.txt").write_text("/ok\n")
    with Web(web_pages) as web:
        options = (terms, "topic.irrelevant=record", f"topic.sites_ok={tmp_path / 'sites.txt'}")
        done = crawl(
            web,
            web.url("a.test", "/"),
            tmp_path / "c",
            "--no-obey-delay",
            "--inline",
            *[part for each in options for part in ("--set", each)],
        )
        ok = web.url("a.test", "/ok")
    assert done.status == 0 and verified(tmp_path / "c") == ""
    assert run("page", tmp_path / "c", ok, "--body").stdout == same.decode()
    files = dict(done.query("SELECT url.url, file != '' FROM page JOIN url ON url.id = page.url"))
    assert {url.rpartition("/")[2]: each for url, each in files.items()} == {"": 1, "ok": 1, "ok2": 1, "x": 0, "y": 0}


@pytest.mark.slow
def test_delete_and_requeue(tmp_path, terms):
    with Web(SMALL) as web:
        options = (*("--no-obey-delay", "--inline", "--set", terms), "--set", "topic.irrelevant=record")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        good, dull = web.url("a.test", "/good"), web.url("a.test", "/dull")
        for url in (good, dull):
            deleted = run("delete", tmp_path / "c", "--url", url, "--yes", "--purge")
            assert deleted.returncode == 0, deleted.stderr
    assert verified(tmp_path / "c") == ""
    assert done.query(
        f"SELECT count(*) FROM topic JOIN url ON url.id = topic.url WHERE url.url IN ('{good}', '{dull}')"
    ) == [(0,)]
    assert done.query("SELECT value FROM crawl WHERE name = 'total_relevant'") == [("3",)]
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db:
        db.execute("UPDATE topic SET relevant = 5 WHERE url = 1")
        db.commit()
    assert "topic: damaged" in verified(tmp_path / "c")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_page_that_no_list_survives_is_kept_without_a_score(tmp_path):
    """Three hundred phrases in each other, and a page of their one word: a hundred million matches."""
    (tmp_path / "terms.txt").write_text("".join(f"9: {' '.join(['ab'] * n)}=C\n" for n in range(1, 300)))
    web_pages = {
        ("a.test", "/"): Answer(body=page("/hostile", "/other", content="<p>ab")),
        ("a.test", "/hostile"): Answer(body=page("/behind", content="<p>" + "ab " * 300_000)),
        ("a.test", "/other"): Answer(body=page(content="<p>ab ab")),
        ("a.test", "/behind"): Answer(body=page(content="<p>ab")),
    }
    with Web(web_pages) as web:
        options = (f"topic.terms={tmp_path / 'terms.txt'}", "topic.min_total=0", "links.max_memory=300m")
        done = crawl(
            web,
            web.url("a.test", "/"),
            tmp_path / "c",
            "--no-obey-delay",
            *[part for each in options for part in ("--set", each)],
            timeout=300,
        )
        hostile = web.url("a.test", "/hostile")
    assert done.status == 0 and "Traceback" not in done.err, done.err
    assert {state for state, _ in done.states().values()} == {"fetched"} and len(done.states()) == 4
    scored = {url for (url,) in done.query("SELECT url.url FROM topic JOIN url ON url.id = topic.url")}
    assert scored == done.states().keys() - {hostile} and verified(tmp_path / "c") == ""
