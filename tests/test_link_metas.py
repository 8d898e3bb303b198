"""What a hook hands to the pages behind links reaches them, once, whatever happens to the crawl on the way."""

import json
import sqlite3
import subprocess
import textwrap
from contextlib import closing

import pytest

from tests.support.crawls.crawling import command, options_for, query, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killing import until
from tests.support.web.site import Answer, Web, page

SHOP = 30  # items
HOOK = textwrap.dedent("""
    import re
    from ttcrawl import HookResult

    def page(page):
        name = page.url.rpartition("/")[2]
        if name.startswith("list"):
            items = re.findall(rb"data-item=(\\d+)", page.body)
            return HookResult(links={f"/item/{n.decode()}": {"list": name, "nth": i} for i, n in enumerate(items)})
        if name == "moving":
            return HookResult(links={"/old": {"from": "moving"}, "/plain": None, "http://b.test/": {"other": 1}})
        return {"meta": page.meta}
    """)

LISTS = {
    "first": page("/list-1", "/list-2", "/item/1"),  # an ordinary link to an item comes first
    "list-1": b"".join(b"<p data-item=%d>" % n for n in range(1, SHOP)) + b'<a href="/item/3">three</a>',
    "list-2": b'<p data-item=3><p data-item=3><a href="/item/1">one</a>',
    "moving": page("/moved-to"),
}
PAGES = {
    **{("a.test", f"/{name}"): Answer(body=body) for name, body in LISTS.items()},
    **{("a.test", f"/item/{n}"): Answer(body=page(title="the same")) for n in range(1, SHOP)},
    ("a.test", "/old"): Answer(status=301, headers=(("Location", "/new"),)),
    ("a.test", "/new"): Answer(body=page(title="new")),
    ("a.test", "/plain"): Answer(body=page(title="plain")),
}


@pytest.fixture(scope="module")
def web():
    with Web(PAGES) as web:
        yield web


def begun(web, seed, directory, *settings, hook=HOOK):
    directory.mkdir(exist_ok=True)
    (directory / "mine.py").write_text(hook)
    keys = ("crawl.fetchers=1", "crawl.parsers=1", "hooks.page=mine:page", *(settings or ["politeness.delay=0"]))
    sets = [each for key in keys for each in ("--set", key)]
    return ("crawl", web.url("a.test", seed), "-d", directory / "c", *options_for(web), *sets, "--progress", "none")


def metas(directory):
    """Path -> what its page got."""
    rows = query(
        directory / "c", "SELECT url.url, fields FROM fields JOIN url ON url.id = fields.url WHERE fields != ''"
    )
    return {"/" + url.split("/", 3)[3]: json.loads(fields)["meta"] for url, fields in rows}


def test_pages_get_what_was_handed_to_them_first(web, tmp_path):
    done = run(*begun(web, "/first", tmp_path), "--inline", cwd=tmp_path)
    assert done.returncode == 0 and verified(tmp_path / "c") == "", done.stderr
    got = metas(tmp_path)
    assert got.pop("/first") == {}
    assert got.pop("/item/1") in ({}, {"list": "list-1", "nth": 0})  # it may be requested before its list
    assert got == {f"/item/{n}": {"list": "list-1", "nth": n - 1} for n in range(2, SHOP)}
    handed = dict(query(tmp_path / "c", "SELECT url.url, meta FROM link_meta JOIN url ON url.id = link_meta.url"))
    assert json.loads(handed[web.url("a.test", "/item/3")]) == {"list": "list-1", "nth": 2}


def test_a_redirect_passes_it_on(web, tmp_path):
    done = run(*begun(web, "/moving", tmp_path), "--inline", cwd=tmp_path)
    assert done.returncode == 0 and verified(tmp_path / "c") == "", done.stderr
    assert metas(tmp_path) == {"/new": {"from": "moving"}, "/plain": {}}
    host = "SELECT host FROM link_meta JOIN url ON url.id = link_meta.url JOIN site ON site.id = url.site GROUP BY 1"
    assert len(query(tmp_path / "c", host)) == 2  # also for a URL that is out of scope, and may be queued later


def test_a_page_that_is_deleted_takes_along_what_it_handed(web, tmp_path):
    assert run(*begun(web, "/moving", tmp_path), "--inline", cwd=tmp_path).returncode == 0
    assert run("delete", tmp_path / "c", web.url("a.test", "/moving"), "--yes").returncode == 0
    assert query(tmp_path / "c", "SELECT count(*) FROM link_meta") == [(0,)]


@pytest.mark.slow
def test_killed_at_any_moment_pages_get_the_same(web, tmp_path):
    begin = begun(web, "/list-1", tmp_path, "politeness.delay=0.02")
    words = command(*begin)
    for _ in range(3):
        before = len(web.log())
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path)
        until(lambda: len(web.log()) > before + 7)  # noqa: B023
        process.kill()
        process.wait()
        words = command("resume", tmp_path / "c", "--progress", "none")
    assert subprocess.run(words, capture_output=True, cwd=tmp_path, timeout=100).returncode == 0
    assert verified(tmp_path / "c") == ""
    assert metas(tmp_path) == {f"/item/{n}": {"list": "list-1", "nth": n - 1} for n in range(1, SHOP)}


@pytest.mark.slow
def test_a_visit_gets_it_again(tmp_path):
    with Web(PAGES) as web:
        assert run(*begun(web, "/list-1", tmp_path), cwd=tmp_path).returncode == 0
        before = query(tmp_path / "c", "SELECT max(time) FROM page")
        web.change(PAGES | {("a.test", f"/item/{n}"): Answer(body=page(title="new")) for n in range(1, SHOP)})
        due = ("--once", "--set", "revisit.policy=fixed", "--set", "revisit.interval=1", "--progress", "none")
        assert run("recrawl", tmp_path / "c", *due, cwd=tmp_path).returncode == 0  # plans the visits
        with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db, db:
            db.execute("UPDATE revisit SET next = 1")
        done = run("recrawl", tmp_path / "c", *due, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert query(tmp_path / "c", "SELECT max(time) FROM page") > before
    assert metas(tmp_path) == {f"/item/{n}": {"list": "list-1", "nth": n - 1} for n in range(1, SHOP)}


WRONG = (
    ('{"/x": 7}', "the value of links['/x'] must be a dict of JSON values, or None, not int"),
    ('{"/x": {"a": object()}}', "the values of links['/x'] are not JSON"),
    ('{"/x": {1: 2}}', "the names of values of links['/x'] must be texts"),
    ('{"/x": {"a": "b" * 20_000}}', "the values of links['/x'] have 20,008 characters, more than 16,384"),
    ('{f"/{n}": {"a": "b" * 16_000} for n in range(70)}', "the values of links have 1,120,560 characters"),
    ("{7: None}", "a URL must be a text, not int"),
)


@pytest.mark.parametrize("links,message", WRONG)
def test_what_cannot_be_handed_is_an_error_of_the_page(web, tmp_path, links, message):
    hook = f"from ttcrawl import HookResult\ndef page(page):\n    return HookResult(links={links})\n"
    run(*begun(web, "/plain", tmp_path, hook=hook), "--inline", cwd=tmp_path)
    ((reason, error),) = query(tmp_path / "c", "SELECT reason, parse_error FROM url JOIN page ON page.url = url.id")
    assert reason == "hook page failed: wrong result" and message in error
