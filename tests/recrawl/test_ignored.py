"""What does not count as a change, from outside: a crawl, a visit after the pages have changed, and the diff."""

import json
import time

import pytest

import ttcrawl
from tests.support.crawls.crawling import crawl, options_for, query, run
from tests.support.web.site import Answer, Web, page
from ttcrawl.cli import main

SENTENCE = "<p>The committee met on several occasions during the spring and considered the proposals."
HTML = (("Content-Type", "text/html; charset=utf-8"),)

#: Path -> (text at first, at the visit, what `diff` names besides the bytes).
PAGES = {
    "/forms": ("caf\u00e9&nbsp;na\u00efve", "cafe\u0301 nai\u0308ve", ""),
    "/forms-again": ("caf\u00e9&nbsp;na\u00efve", "cafe\u0301 nai\u0308ve", ""),  # the same bytes: not parsed
    "/entities": ("<a id=x class=y>&eacute;</a>", "<a class=y id=x>&#233;</a>", ""),
    "/element": ("<p class=ads>Buy shoes of leather", "<p class=ads>Sell boots", ""),
    "/nested": ("<div class=ads>a <p class=ads>Buy</p></div>", "<div class=ads>Nothing</div>", ""),
    "/appears": ("", "<p class=ads>Buy shoes", ""),
    "/pattern": ("<p>Views: 17", "<p>Views: 18", ""),
    "/both": ("<p class=ads>Buy<p>Views: 1", "<p class=ads>Sell<p>Views: 2", ""),
    "/real": ("<p class=ads>Buy<p>old words", "<p class=ads>Sell<p>new words", "main text"),
    "/text": ("<p>old words", "<p>new words", "main text"),
    "/square": ("<p>x\u00b2", "<p>x2", "main text"),
}
IGNORE = ("--set", "revisit.ignore=css:.ads\nregex:^Views: \\d+$")
POLICY = ("--set", "revisit.policy=fixed", "--set", "revisit.interval=1")


def pages(version):
    texts = {path: f"<title>T</title><main>{SENTENCE}{texts[version]}</main>".encode() for path, texts in PAGES.items()}
    answers = {("a.test", path): Answer(body=text, headers=HTML) for path, text in texts.items()}
    return answers | {("a.test", "/"): Answer(body=page(*PAGES))}


@pytest.fixture(scope="module", params=[(IGNORE, ()), ((), IGNORE)], ids=["from the start", "since the visit"])
def directory(request, tmp_path_factory):
    """A crawl whose pages were visited again after they had changed; the key is set at the crawl or at the visit."""
    directory = tmp_path_factory.mktemp("ignored") / "c"
    at_first, later = request.param
    with Web(pages(0)) as web:
        done = crawl(web, web.url("a.test", "/"), directory, "--no-obey-delay", *POLICY, *at_first)
        assert done.status == 0, done.err
        web.change(pages(1))
        time.sleep(1.5)
        again = run("recrawl", directory, "--once", *options_for(web), "--progress", "none", *later)
        assert again.returncode == 0, again.stderr
    return directory


def path(url):
    return "/" + url.rpartition("/")[2]


@pytest.mark.slow
def test_the_estimate(directory):
    rows = query(directory, "SELECT url.url, visits, changes FROM revisit JOIN url ON url.id = revisit.url")
    assert {path(url): (visits, changes) for url, visits, changes in rows if path(url) in PAGES} == {
        name: (1, int(bool(what))) for name, (_, _, what) in PAGES.items()
    }


@pytest.mark.slow
def test_the_diff(directory, capsys):
    assert main(["diff", str(directory), "--format", "jsonl", "--text"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    changed = {path(row["url"]): row for row in rows if row.get("change") == "changed"}
    assert {name: row["what"] for name, row in changed.items()} == {
        name: f"{what}, bytes".removeprefix(", ") for name, (_, _, what) in PAGES.items()
    }
    assert all(changed[name]["same"] == 1 for name, (_, _, what) in PAGES.items() if not what)
    assert "-old words\n+new words" in changed["/real"]["diff"] and "Sell" not in changed["/real"]["diff"]


@pytest.mark.slow
def test_the_history_and_the_stored_text(directory):
    with ttcrawl.open(directory) as crawl_:
        urls = {path(row.url): row.url for row in crawl_.iter_pages()}
        for name, (_, _, what) in PAGES.items():
            *_, last = crawl_.history(urls[name])
            assert last.changed == ((what, "bytes") if what else ("bytes",)), name
        assert "Sell boots" in crawl_.text(urls["/element"], main=True)
