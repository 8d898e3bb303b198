"""`ttcrawl check FOLDER`: the same problems as of the site that it will be, with their files."""

import json
import shutil
import sqlite3
import subprocess
from contextlib import closing

import pytest

from tests.support.crawls.crawling import command, options_for
from tests.support.web.site import Answer, Web
from ttcrawl.inspect.check.folder.served import OF_SERVER

BASE = "https://docs.test/manual/"
OTHER = "b.test"


def html(title, body):
    return f"<!DOCTYPE html><html lang=en><title>{title}</title><meta name=description content={title}>{body}"


PAGES = {
    "index.html": html(
        "Front", '<a href=guide/>g</a><a href="/manual/about">a</a><a href=gone>lost</a><img src=p.png alt=p>'
    ),
    "guide/index.html": html(
        "Guide", '<h2 id=here>h</h2><a href="#here">x</a><a href="#nowhere">y</a><a href="../x.png">z</a>'
    ),
    "about.html": html("About", f'<a href="{BASE}guide/#here">up</a><a href="{BASE}old.html">absolute</a>'),
    "alone.html": html("Alone", '<a href="./">up</a><a href="lost">l</a>'),
    "404.html": html("Not found", '<a href="/nowhere">x</a>'),
    "p.png": "png",
}
EXPECTED = {
    ("broken-link", "gone", "", "index.html", "http 404"),
    ("broken-link", "x.png", "guide/", "guide/index.html", "http 404"),
    ("broken-link", "old.html", "about", "about.html", "http 404"),
    ("broken-link", "lost", "alone", "alone.html", "http 404"),
    ("fragment", "guide/#nowhere", "guide/", "guide/index.html", ""),
}


@pytest.fixture
def site(tmp_path):
    for name, text in PAGES.items():
        file = tmp_path / "build" / "html" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


def run(*words, cwd):
    """As a user does: the server is a process that Python starts anew."""
    return subprocess.run(command(*words), cwd=cwd, capture_output=True, text=True, check=False)


def check(site, *options):
    return run("check", "build/html", "--progress", "none", "--format", "json", *options, cwd=site)


def problems(done):
    return {
        tuple(
            each[name].removeprefix(BASE).removeprefix("build/html/")
            for name in ("kind", "url", "source", "file", "detail")
        )
        for each in json.loads(done.stdout)["problems"]
    }


def test_problems_and_files_under_the_url_that_it_will_have(site):
    done = check(site, "--as", BASE, "--offline", "--only", "broken-link", "--only", "fragment")
    assert problems(done) == EXPECTED and done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert report["pages"] == 4 and report["hosts"] == report["slowest"] == []
    assert (site / "crawl-html" / "crawl.db").exists()


def test_urls_in_plain_text_count_as_little_as_on_a_site(site):
    """No problem is about them, and Python would read every page for them."""
    (site / "build/html/index.html").write_text(html("Front", "<p>see http://b.test/plain"))
    check(site, "--offline")
    with closing(sqlite3.connect(site / "crawl-html/crawl.db")) as db:
        assert db.execute("SELECT count(*) FROM url WHERE url LIKE '%plain'").fetchone() == (0,)


def test_what_a_server_decides_is_left_out(site):
    report = json.loads(check(site, "--as", BASE, "--offline").stdout)
    assert report["counts"].keys().isdisjoint(OF_SERVER) and report["counts"].keys() >= {"broken-link", "missing-h1"}


def test_a_second_check_reads_the_folder_again(site):
    options = ("--as", BASE, "--offline", "--only", "broken-link")
    check(site, *options)
    (site / "build/html/gone.html").write_text(html("Gone", ""))
    (site / "build/html/about.html").write_text(html("About", '<a href="new">n</a>'))
    last = json.loads(check(site, *options).stdout)["last_check"]
    assert [each["url"] for each in last["new"]] == [f"{BASE}new"]
    assert {each["url"] for each in last["mended"]} == {f"{BASE}gone", f"{BASE}old.html"}
    (site / "build/html/guide/index.html").write_text(html("Guide", '<a href="newer">n</a>'))
    changed = check(site, *options, "--since", "last")
    assert {each["url"] for each in json.loads(changed.stdout)["problems"]} == {f"{BASE}guide/newer"}
    assert json.loads(changed.stdout)["unchanged"] == 2  # of /new and /lost
    again = run("check", "crawl-html", "--offline", "--only", "broken-link", "--format", "json", cwd=site)
    assert json.loads(again.stdout)["last_check"]["new"] == []
    assert {each["file"] for each in json.loads(again.stdout)["problems"]} >= {"build/html/about.html"}


def test_other_sites_are_requested_as_ever(site):
    with Web({(OTHER, "/there"): Answer(body=b"fine")}) as web:
        links = f'<a href="{web.url(OTHER, "/there")}">t</a><a href="{web.url(OTHER, "/lost")}">l</a>'
        (site / "build/html/index.html").write_text(html("Front", links))
        (site / "build/html/about.html").unlink()
        done = check(site, "--only", "external-link", *options_for(web), "--no-obey-delay")
        assert [each["url"] for each in json.loads(done.stdout)["problems"]] == [web.url(OTHER, "/lost")], done.stderr
        assert {hit.path for hit in web.log()} == {"/robots.txt", "/there", "/lost"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("build/html", "--as", "docs.test"), "--as docs.test: write the URL of the folder"),
        (("build/html", "-d", "build/html/c"), "would be among the files of build/html"),
        (("build/html", "-d", "other"), "other contains another crawl"),
        (("other", "--as", BASE), "--as is for a folder, and other is the directory of a crawl"),
        (("http://a.test/", "--as", BASE), "--as is for a folder, and http://a.test/ is seeds"),
        (("empty",), "empty is not a crawl directory, and no folder with HTML files"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_wrong_usage(site, words, message):
    (site / "empty").mkdir()
    shutil.copytree(site / "build", site / "other")
    (site / "other" / "crawl.db").write_bytes(b"x")
    done = run("check", *words, "--offline" if words[0].startswith(("build", "other")) else "--all", cwd=site)
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1, done.stderr
