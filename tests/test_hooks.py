"""Hooks: what they decide holds, and whatever they do, one page is lost at most."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ttcrawl
from tests.support.crawls import hooks
from tests.support.crawls.crawling import command, crawl, options_for, query, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killing import until
from tests.support.web.mesh import mesh
from tests.support.web.site import Answer, Web, page
from ttcrawl.cli import main

ROOT = Path(__file__).parent.parent
SELF = ["--set", "politeness.delay=0", "--set", "crawl.fetchers=1", "--set", "crawl.parsers=1"]
PROCESSES, INLINE = pytest.param([], id="processes"), pytest.param(["--inline"], id="inline")

DECIDED = ("drop", "refuse", "refuse-all", "add")
PAGES = {
    ("a.test", "/"): Answer(body=page(*(f"/{name}" for name in DECIDED), "/archive/1", "/moved", title="All")),
    **{("a.test", f"/{name}"): Answer(body=page("/b", f"/c/{name}", title=name)) for name in DECIDED},
    ("a.test", "/moved"): Answer(status=301, headers=(("Location", "/archive/2"),)),
    ("a.test", "/b"): Answer(body=page("/d", "/missing")),
    ("a.test", "/facts"): Answer(
        headers=(("Content-Type", "text/html"), ("X-Name", "me")),
        body=page("/c", "http://b.test/", title="Facts", content="<nav>menu</nav><h1>Head</h1><p>one two"),
    ),
    ("a.test", "/feed"): Answer(
        headers=(("Content-Type", "application/rss+xml"),),
        body=b"<rss version='2.0'><channel><title>Feed</title><h1>x</h1></channel></rss>",
    ),
    ("a.test", "/hostile"): Answer(body=page(*(f"/x/{name}" for name in hooks.HOSTILE))),
    **{("a.test", f"/x/{name}"): Answer(body=page(f"/leaf/{name}", title=name)) for name in hooks.HOSTILE},
    ("a.test", "/hostile-urls"): Answer(body=page("/one", "/two", "/three", "/four")),
    **{
        ("a.test", path): Answer(body=page(f"/to-{name}", title=path))
        for path, name in (("/one", "raise"), ("/two", "sleep"), ("/three", "nonsense"), ("/four", "hard-exit"))
    },
    ("a.test", "/equal/"): Answer(body=page("1", "2", "3")),
    **{("a.test", f"/equal/{n}"): Answer(body=page(title="equal", content="the same words")) for n in (1, 2, 3)},
}


@pytest.fixture(scope="module")
def web():
    with Web(PAGES) as web:
        yield web


def hooked(web, seed, tmp_path, *options, page="", url=""):
    named = [each for key, name in (("page", page), ("url", url)) if name for each in ("--set", f"hooks.{key}={name}")]
    done = crawl(web, web.url("a.test", seed), tmp_path / "c", *SELF, *named, *options)
    assert "Traceback" not in done.err
    return done


def by_path(done, sql="SELECT url, state, reason FROM url"):
    """Path -> the other columns."""
    return {"/" + url.split("/", 3)[3]: tuple(rest) for url, *rest in done.query(sql)}


FIELDS = "SELECT url.url, fields, fields.score FROM fields JOIN url ON url.id = fields.url"


@pytest.mark.slow
@pytest.mark.parametrize("options", [PROCESSES, INLINE])
def test_what_a_hook_decides_holds(web, tmp_path, capsys, options):
    done = hooked(
        web,
        "/",
        tmp_path,
        *options,
        page="tests.support.crawls.hooks:decide",
        url="tests.support.crawls.hooks:no_archive",
    )
    assert done.status == 0 and verified(done.directory) == ""
    states = by_path(done)
    assert {path: state for path, state in states.items() if state[0] == "refused"} == {
        "/drop": ("refused", "hook page: not wanted"),
        "/archive/1": ("refused", "hook url: archived"),
        "/archive/2": ("refused", "hook url: archived"),
        "/c/refuse-all": ("refused", "hook link: no link"),
        "/": ("refused", "scope: host"),  # of elsewhere.test
    }
    missing = {path for path, state in states.items() if state == ("fetched", "http 404")}
    assert missing == {"/c/drop", "/c/refuse", "/c/add", "/added", "/added?2", "/d", "/missing"}
    assert states["/b"] == ("fetched", "http 200")  # it is refused on two pages, and linked on others
    assert by_path(done, FIELDS) == {"/drop": ('{"a":1}', -1.0), "/add": ("", 2.0)}
    assert done.query("SELECT name, value FROM field") == [("a", 1)]
    texts = by_path(done, "SELECT url.url, text.url NOTNULL FROM url LEFT JOIN text ON text.url = url.id")
    assert not texts["/drop"][0] and texts["/add"][0]
    links = "SELECT kind, region, count(*) FROM link WHERE kind = 'H' OR region = 'h' GROUP BY 1, 2 ORDER BY 1, 2"
    assert done.query(links) == [("H", "c", 3), ("a", "h", 3)]
    assert main(["why", str(done.directory), web.url("a.test", "/drop")]) == 0
    out = capsys.readouterr().out
    assert (
        "The hook for pages dropped it: not wanted." in out
        and "[hooks] page = tests.support.crawls.hooks:decide" in out
    )
    assert main(["page", str(done.directory), web.url("a.test", "/drop"), "--format", "json"]) == 0
    (shown,) = json.loads(capsys.readouterr().out)
    assert shown["page"]["fields"] == {"a": 1} and shown["page"]["score"] == -1
    with ttcrawl.open(done.directory) as opened:
        scores = {row.url.split("/", 3)[3]: (row.score, row.fields) for row in opened.iter_pages()}
    assert scores["drop"] == (-1.0, {"a": 1})
    assert scores["add"] == (2.0, None) and scores["b"] == (None, None)


@pytest.mark.slow
@pytest.mark.parametrize("options", [PROCESSES, INLINE])
def test_what_a_hook_sees(web, tmp_path, options):
    done = hooked(web, "/facts", tmp_path, *options, "--max-depth", "0", page="tests.support.crawls.hooks:facts")
    ((fields, score),) = by_path(done, FIELDS).values()
    seen = json.loads(fields)
    assert score is None and seen.pop("url") == web.url("a.test", "/facts") and seen.pop("body") > 100
    assert seen.pop("text").split() == ["menu", "Head", "one", "two", "/c", "http://b.test/"]
    assert "menu" not in seen.pop("main") and seen.pop("words") == 6
    first, second = seen.pop("links")
    assert first[1:] == ["anchor", "", "/c"] and second == ["/b.test/", "anchor", "scope: host", "http://b.test/"]
    assert seen == {
        **{"status": 200, "depth": 0, "type": "text/html", "charset": "utf-8", "server": "me"},
        **{"title": "Facts", "h1": "Head"},
    }


def test_a_feed_has_no_tree(web, tmp_path):
    done = hooked(web, "/feed", tmp_path, "--inline", page="tests.support.crawls.hooks:facts")
    ((fields, _),) = by_path(done, FIELDS).values()
    assert json.loads(fields)["title"] == "Feed" and json.loads(fields)["h1"] is None


LOST = {
    "raise": "raised ValueError",
    **dict.fromkeys(("sleep", "loop", "endless-links"), "time"),
    "allocate": "memory",
    "exit": "raised SystemExit",
    "interrupt": "raised KeyboardInterrupt",
    "recurse": "raised RecursionError",
    **dict.fromkeys(("swallow", "hard-exit"), "process died"),
    **dict.fromkeys(("nonsense", "large"), "wrong result"),
    **{name: "wrong result" for name in hooks.HOSTILE if name.startswith("bad-")},
}


@pytest.mark.slow
def test_a_hostile_hook_loses_its_page_at_most(web, tmp_path, capsys):
    limits = ("--set", "hooks.max_time=0.4", "--set", "links.max_memory=300000000")
    done = hooked(web, "/hostile", tmp_path, *limits, page="tests.support.crawls.hooks:hostile")
    assert done.status == 0 and verified(done.directory) == ""
    states = by_path(done)
    for name in hooks.HOSTILE:
        lost = ("failed", f"hook page failed: {LOST[name]}") if name in LOST else ("fetched", "http 200")
        assert states[f"/x/{name}"] == lost and states[f"/leaf/{name}"] == ("fetched", "http 404")
    (packed,) = (row[0] for path, row in by_path(done, FIELDS).items() if path == "/x/surrogates")
    assert json.loads(packed) == {"a": "\ufffd", "b": "\ufffd", "\ufffd": 1}
    assert by_path(done, FIELDS)["/x/fork"] == ('{"child":false}', None)
    assert main(["why", str(done.directory), web.url("a.test", "/x/raise")]) == 0
    assert "incomplete" not in capsys.readouterr().out  # the answer is complete; its hook failed
    printed = ("printed by a hook", "printed by a child of a hook", "written by a hook")
    assert all(line in done.err.splitlines() and line not in done.out.splitlines() for line in printed)
    errors = by_path(done, "SELECT url.url, parse_error FROM page JOIN url ON url.id = page.url")
    assert re.fullmatch(r"page hook: ValueError: no price in this page \(hooks\.py, line \d+\)", errors["/x/raise"][0])
    texts = by_path(done, "SELECT url.url, size FROM text JOIN url ON url.id = text.url")
    assert all(f"/x/{name}" in texts for name in LOST)


@pytest.mark.slow
def test_a_hostile_hook_for_urls_loses_its_url_at_most(web, tmp_path):
    done = hooked(
        web, "/hostile-urls", tmp_path, "--set", "hooks.max_time=0.3", url="tests.support.crawls.hooks:hostile_url"
    )
    assert done.status == 0 and verified(done.directory) == ""
    failed = {path: reason for path, (_, reason) in by_path(done).items() if path.startswith("/to-")}
    assert failed == {
        "/to-raise": "hook url failed: raised ValueError",
        "/to-sleep": "hook url failed: time",
        "/to-nonsense": "hook url failed: wrong result",
        "/to-hard-exit": "hook url failed: process died",
    }
    assert by_path(done)["/four"] == ("fetched", "http 200")


@pytest.mark.slow
def test_a_hook_is_called_for_every_identical_body(web, tmp_path):
    done = hooked(web, "/equal/", tmp_path, page="tests.support.crawls.hooks:facts")
    urls = {json.loads(fields)["url"] for fields, _ in by_path(done, FIELDS).values()}
    assert {web.url("a.test", f"/equal/{n}") for n in (1, 2, 3)} < urls
    assert done.query("SELECT count(*) FROM page WHERE payload NOTNULL") == [(2,)]
    assert verified(done.directory) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "name", "text", "message"),
    [
        ("page", "mine", "", "write MODULE:FUNCTION, such as recipes:page"),
        ("url", "mine:a b", "", "write MODULE:FUNCTION, such as recipes:url"),
        ("page", "nowhere:f", "", "there is no module nowhere in"),
        ("page", "mine:f", "", "has no function f"),
        ("page", "mine:f", "f = 1", "has no function f"),
        ("page", "mine:f", "import nothing_there", "its import fails: ModuleNotFoundError: No module named"),
        ("page", "mine:f", "\n1 / 0", r"its import fails: ZeroDivisionError: division by zero (mine.py, line 2)"),
        ("page", "mine:f", "raise SystemExit(3)", "its import fails: SystemExit: 3"),
        ("page", "mine:f", "def f(:", "its import fails: SyntaxError"),
        ("page", "mine:f", "import os; os._exit(1)", "the process that imports [hooks] ended"),
        ("url", "mine:f", "def f(url): return 'never'", "refuses every seed (hook url: never)"),
        (
            "page",
            "mine:f",
            "import ttcrawl; ttcrawl.crawl('http://a.test/')",
            'put the call under if __name__ == "__main__"',
        ),
    ],
)
def test_a_hook_that_cannot_be_used_is_reported_before_anything_is_written(tmp_path, key, name, text, message):
    (tmp_path / "mine.py").write_text(text + "\n")
    done = run("crawl", "http://127.0.0.1:9/", "-d", "c", "--set", f"hooks.{key}={name}", cwd=tmp_path)
    assert done.returncode == 2 and message in done.stderr, done.stderr
    assert len(done.stderr.splitlines()) == 1 and not (tmp_path / "c").exists()


@pytest.mark.slow
def test_a_crawl_continues_with_its_hooks_from_another_directory(web, tmp_path):
    (tmp_path / "mine.py").write_text("def page(page):\n    return {'n': 1}\n")
    done = hooked(web, "/equal/", tmp_path, "--max-pages", "1", page="mine:page")
    assert done.status == 3
    again = run("resume", done.directory, "--max-pages", "0", "--progress", "none", cwd=ROOT)
    assert again.returncode == 0, again.stderr
    assert len(by_path(done, FIELDS)) == 4 and verified(done.directory) == ""
    (tmp_path / "mine.py").unlink()
    gone = run("resume", done.directory, cwd=ROOT)
    assert gone.returncode == 2 and "there is no module mine in" in gone.stderr


SCRIPT = """\
import ttcrawl

def keep(page):
    return {{"title": page.title}}

def allow(url):
    return "two" if url.endswith("2") else None

def note(event):
    with open("noted", "a") as file:
        file.write(event["state"] + "\\n")

if __name__ == "__main__":
    crawl = ttcrawl.crawl({seed!r}, "c", settings={settings!r}, page=keep, url=allow, outcome=note)
    print(crawl.finished, sorted(each.fields["title"] for each in crawl.iter_pages()))
"""


def settings(web):
    return {"fetch.resolve": " ".join(web.resolve), "politeness.delay": 0, "crawl.fetchers": 1, "crawl.parsers": 1}


@pytest.mark.slow
def test_functions_of_a_script(web, tmp_path):
    (tmp_path / "program.py").write_text(SCRIPT.format(seed=web.url("a.test", "/equal/"), settings=settings(web)))
    command = [sys.executable, "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.stdout == "done ['', 'equal', 'equal']\n", done.stderr
    assert (tmp_path / "noted").read_text() == 3 * "fetched\n"


def test_functions_that_cannot_be_imported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def inner(page):
        return None

    for function in (lambda page: None, inner, len):
        with pytest.raises(ttcrawl.UsageError, match="the hook page must be a function in a file"):
            ttcrawl.crawl("http://127.0.0.1:9/", "c", page=function)
    assert list(tmp_path.iterdir()) == []


RECIPE = '<script type="application/ld+json">{"@type": "Recipe", "name": "Soup", "totalTime": "PT30M"}</script>'
EXAMPLES = {
    "recipes.py": ("page", {"/1": ("fetched", "http 200"), "/2": ("refused", "hook page: no recipe")}),
    "prices.py": ("page", {"/3": ("fetched", "http 200"), "/4": ("fetched", "http 200")}),
    "recent.py": ("url", {"/2019/a": ("refused", "hook url: before 2020"), "/2021/a": ("fetched", "http 200")}),
    "shop.py": ("page", {"/5": ("fetched", "http 200")}),
}
EXAMPLE_PAGES = {
    ("a.test", "/"): Answer(body=page("/1", "/2", "/3", "/5", "/2019/a", "/2021/a")),
    ("a.test", "/1"): Answer(body=page(content=RECIPE)),
    ("a.test", "/2"): Answer(body=page()),
    ("a.test", "/3"): Answer(body=page(content='<div data-next="/4">')),
    ("a.test", "/4"): Answer(body=page(content='<b class="price">€ 12.50</b>')),
    ("a.test", "/5"): Answer(body=page(title="Tea", content='<span class="price"> 3 </span>')),
    ("a.test", "/2019/a"): Answer(body=page()),
    ("a.test", "/2021/a"): Answer(body=page()),
}
EXAMPLE_FIELDS = {
    "recipes.py": {"/1": {"name": "Soup", "minutes": "PT30M"}},
    "prices.py": {"/4": {"price": 12.5, "currency": "EUR"}, "/5": {"price": 3.0, "currency": "EUR"}},
    "recent.py": {},
    "shop.py": {"/5": {"price": "3", "name": "Tea"}},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_the_manual_run(tmp_path, name):
    text = (ROOT / "docs" / ("from-scrapy.md" if name == "shop.py" else "hooks.md")).read_text()
    (code,) = (each for each in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if each.startswith(f"# {name}"))
    (tmp_path / name).write_text(code)
    hook, states = EXAMPLES[name]
    with Web(EXAMPLE_PAGES) as web:
        done = hooked(web, "/", tmp_path, **{hook: f"{name.removesuffix('.py')}:{hook}"})
    assert states.items() <= by_path(done).items()
    assert {path: json.loads(packed) for path, (packed, _) in by_path(done, FIELDS).items()} == EXAMPLE_FIELDS[name]


@pytest.mark.slow
def test_without_hooks_nothing_of_them_is_there(web, tmp_path):
    done = crawl(web, web.url("a.test", "/b"), tmp_path / "c", *SELF, "--inline")
    assert done.query("SELECT count(*) FROM fields") == [(0,)]
    assert "hooks.path" not in done.err and "path =\n" in (done.directory / "config.ini").read_text()


@pytest.mark.slow
def test_failed_pages_are_requeued_after_a_correction(web, tmp_path):
    unlimited = ("sleep", "loop", "swallow", "allocate", "endless-links", "interrupt", "exit", "hard-exit")
    rules = [each for name in unlimited for each in ("--exclude", f"*/{name}")]
    done = hooked(
        web, "/hostile", tmp_path, "--inline", *rules, "--max-depth", "1", page="tests.support.crawls.hooks:hostile"
    )
    failed = [path for path, (state, _) in by_path(done).items() if state == "failed"]
    assert len(failed) > 8
    assert run("requeue", done.directory, "--reason", "hook page failed*").returncode == 0
    options = ("--set", "hooks.page=tests.support.crawls.hooks:facts", "--inline", "--progress", "none")
    assert run("resume", done.directory, *options, cwd=ROOT).returncode == 0
    states, fields = by_path(done), by_path(done, FIELDS)
    assert all(states[path] == ("fetched", "http 200") and "title" in fields[path][0] for path in failed)
    assert verified(done.directory) == ""


@pytest.mark.slow
def test_killed_at_any_moment_the_fields_are_those_of_an_undisturbed_crawl(tmp_path):
    with Web(mesh(["a.test"], 40, seed=5)) as web:
        options = (
            *options_for(web),
            *SELF,
            "--set",
            "politeness.delay=0.02",
            "--set",
            "hooks.page=tests.support.crawls.hooks:facts",
        )
        results = []
        for kills in (0, 3):
            directory = tmp_path / str(kills)
            begin = command("crawl", web.url("a.test", "/"), "-d", directory, *options, "--progress", "none")
            for _ in range(kills):
                before = len(web.log())
                process = subprocess.Popen(begin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
                until(lambda: len(web.log()) > before + 10)  # noqa: B023
                process.kill()
                process.wait()
                begin = command("resume", directory, "--progress", "none")
            assert subprocess.run(begin, capture_output=True, cwd=ROOT, timeout=100).returncode == 0
            assert verified(directory) == ""
            fields = "SELECT url.url, state, reason, fields FROM url LEFT JOIN fields ON fields.url = url.id ORDER BY 1"
            results.append(query(directory, fields))
    assert results[0] == results[1] and sum(row[3] is not None for row in results[0]) > 30
