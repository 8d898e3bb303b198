"""A crawl with rules, traps, robots.txt, redirects and errors: each URL explained, and compared with what was built."""

import json
import os
import shutil
import signal
import sqlite3
import time
from contextlib import closing

import pytest

from tests.report.sample_crawl import write
from tests.support.crawls.crawling import crawl, options_for
from tests.support.crawls.preforked import run
from tests.support.faults.killing import start
from tests.support.web.site import Answer, Web, at, moved, page, robots
from ttcrawl.cli import main
from ttcrawl.config import example
from ttcrawl.inspect.why.life import life
from ttcrawl.inspect.why.life_text import text
from ttcrawl.inspect.why.open_crawl import open_crawl
from ttcrawl.inspect.why.summary import summary
from ttcrawl.web.url import key

HOST = "a.test"
EVIL = "/evil\x1b[2J"

SITE = {
    "/robots.txt": robots("User-agent: *", "Crawl-delay: 0.01", "Allow: /private/open", "Disallow: /private/"),
    "/": Answer(
        body=page(
            *("/b?utm_source=x", "B/../b", "/private/x", "/private/open/x", "/moved", "/x.png", "/c/c/c/c/c", "/no/1"),
            *(at("b.test", "/"), "/twin", "/flaky", "/r0", "/gone", "mailto:x@a.test", "#here", "ftp:"),
            title="Home",
            content='<a href="/quiet" rel="nofollow">q</a>',
        )
    ),
    "/b": Answer(body=page("/deep", "/b", "/moved", "/moved")),
    "/deep": Answer(body=page("/deeper")),
    "/moved": moved("/target"),
    "/target": Answer(body=page("/b")),
    "/twin": Answer(body=page("/b")),
    "/flaky": [Answer(status=503), Answer(body=page("/gone"))],
    **{f"/r{n}": moved(f"/r{n + 1}") for n in range(4)},
    "/private/open/x": Answer(body=page()),
}
CONFIG = """[scope]
rules =
    exclude */no/*
max_redirects = 2
[links]
nofollow = all
[crawl]
max_depth = 2
[politeness]
backoff = 0.02
[fetch]
retry_wait = 0.05
"""

#: path -> state, reason, rule, depth, where it was met, times linked; worked out by hand from the site above.
EXPECTED = {
    "/": ("fetched", "http 200", "", 0, None, 0),
    "/b": ("fetched", "http 200", "", 1, "/", 4),  # twice from /, by two spellings; from /target and /twin
    "/private/x": ("refused", "robots.txt", "", 1, "/", 1),
    "/private/open/x": ("fetched", "http 200", "", 1, "/", 1),
    "/moved": ("moved", "http 301", "", 1, "/", 3),
    "/target": ("fetched", "http 200", "", 1, "/moved", 1),
    "/x.png": ("refused", "scope: extension", "extensions ([scope])", 1, "/", 1),
    "/c/c/c/c/c": ("refused", "trap: repeated segments", "[traps] repeats = 3", 1, "/", 1),
    "/no/1": ("refused", "scope: rule", "exclude */no/* (INI, line 3)", 1, "/", 1),
    "/twin": ("fetched", "http 200", "", 1, "/", 1),
    "/flaky": ("fetched", "http 200", "", 1, "/", 1),
    "/gone": ("fetched", "http 404", "", 1, "/", 2),
    "/quiet": ("refused", "nofollow", "[links] nofollow = all", None, "/", 1),
    "/deep": ("fetched", "http 200", "", 2, "/b", 1),
    "/deeper": ("refused", "depth", "[crawl] max_depth = 2", 3, "/deep", 1),
    "/r0": ("moved", "http 301", "", 1, "/", 1),
    "/r1": ("moved", "http 301", "", 1, "/r0", 1),
    "/r2": ("moved", "http 301", "", 1, "/r1", 1),
    "/r3": ("refused", "redirects", "[scope] max_redirects = 2", 1, "/r2", 1),
}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    directory = tmp_path_factory.mktemp("why")
    (directory / "my.ini").write_text(CONFIG)
    with Web({(HOST, path): answer for path, answer in SITE.items()}) as web:
        done = crawl(web, web.url(HOST, "/"), directory / "c", "-c", directory / "my.ini")
        assert done.status == 0, done.err
        return done, web.url(HOST, ""), web.log()


#: What JSON has of a URL and of its answer.
FIELDS = {
    *("state", "reason", "sentence", "compared", "rule", "depth", "redirects", "off_topic", "score", "requisite"),
    *("priority", "attempts", "discovered", "processed", "found_on", "found_by", "sitemap", "spelled", "now", "robots"),
    *("queue", "requests", "robots_first", "answer", "history", "dropped", "topic", "browser", "visits", "absence"),
    *("moved_here", "lost_links"),
}
FIELDS_OF_ANSWER = {
    *(
        "imported_from",
        "time",
        "status",
        "type",
        "charset",
        "length",
        "title",
        "parser",
        "parse_error",
        "failed_steps",
        "unread",
        "links",
    ),
    *("content_links", "same_page_links", "not_http", "robots", "location", "target", "same_bytes", "same_as"),
    *("soft_404", "missing", "held_by", "original", "same", "similarity", "unsettled", "file", "offset", "size"),
}


@pytest.fixture
def crawl_of(crawled):
    with open_crawl(crawled[0].directory) as crawl:
        yield crawl


@pytest.mark.slow
def test_each_url_is_as_it_was_built(crawled, crawl_of):
    done, base, _ = crawled
    known = {url for (url,) in done.query("SELECT url FROM url")}
    assert known == {base + path for path in EXPECTED} | {base.replace(HOST, "b.test") + "/"}
    for path, (state, reason, rule, depth, found_on, times) in EXPECTED.items():
        told = life(crawl_of, base + path)
        entry = told.entry
        assert (entry.row.state, entry.row.reason, entry.row.depth) == (state, reason, depth), path
        assert entry.row.rule == rule.replace("INI", str(done.directory.parent / "my.ini")), path
        assert entry.origin.found_on == (base + found_on if found_on else None), path
        assert (told.linked.times, told.linked.looked_through) == (times, told.linked.of), path
        assert entry.decided.sentence and entry.decided.now is None and entry.queue is None, path


def test_the_exchanges_are_those_that_the_server_saw(crawled, crawl_of):
    _, base, log = crawled
    for path in EXPECTED:
        hits = [hit for hit in log if hit.path == path]
        entry = life(crawl_of, base + path).entry
        assert [each.outcome for each in entry.requests] == [f"http {hit.status}" for hit in hits], path
        for hit, each in zip(hits, entry.requests, strict=True):
            assert each.started <= hit.arrived <= each.started + each.seconds
        assert (entry.answer is not None) == bool(hits)
        if hits:
            assert entry.robots_first.started < entry.requests[0].started


def test_what_each_kind_is_told_beside(crawled, crawl_of):
    _, base, _ = crawled

    def of(path):
        return life(crawl_of, base + path).entry

    private, free = of("/private/x").decided.robots, of("/private/open/x").decided.robots
    assert (private.allowed, private.line, private.text) == (False, 4, "Disallow: /private/")
    assert (free.allowed, free.line, free.text) == (True, 3, "Allow: /private/open")
    assert (private.url, private.status) == (f"{base}/robots.txt", 200)
    assert of("/x.png").decided.robots is None and of("/deeper").decided.robots is None
    assert of("/deeper").decided.compared == "depth 3 > 2" and of("/r3").decided.compared == "redirects 3 > 2"
    assert of("/moved").answer.page.location == "/target" and of("/moved").answer.target.url == f"{base}/target"
    assert of("/r2").answer.target.state == "refused"
    # the same body three times: the first of the others in the order in which they were met
    same = of("/target").answer.same_bytes
    assert (same.same_bytes, same.same_as) == (1, f"{base}/twin")
    flaky = of("/flaky")
    assert flaky.row.attempts == 2 and flaky.requests[0].backoff is not None
    assert flaky.requests[0].backoff_from == "http 503" and flaky.requests[0].delay_from == "robots.txt"
    home = of("/").answer.page
    assert (home.title, home.links, home.same_page_links, home.not_http) == ("Home", 15, 1, 2)
    spelled = of("/b").origin.spelled
    assert spelled.text == f"{base}/b?utm_source=x" and spelled.steps[-1].name == "drop_parameters"


@pytest.mark.parametrize(
    ("url", "would", "line"),
    [
        ("BASE/new", "queued, at any depth within max_depth", 0),
        ("BASE/private/new", "queued, and refused when its turn comes: robots.txt", 4),
        ("BASE/no/new", "refused: scope: rule", 0),
        ("BASE/c/c/c/c", "refused: trap: repeated segments", 0),
        ("BASE/new.png?a", "refused: scope: extension", 0),
        ("http://127.0.0.1/", "refused: scope: host", None),
    ],
)
def test_a_url_that_was_never_met(crawled, crawl_of, url, would, line):
    told = life(crawl_of, url.replace("BASE", crawled[1]))
    assert told.entry is None and told.unknown.would.startswith(would) and told.linked.times == 0
    assert told.unknown.robots is None if line is None else told.unknown.robots.line == line
    assert "no page that was read links to it" in text(told) and "never discovered: it would be" in text(told)


def test_an_address_that_may_not_be_asked(crawled, tmp_path):
    shutil.copytree(crawled[0].directory, tmp_path / "c")
    config = tmp_path / "c" / "config.ini"
    config.write_text(config.read_text().replace("scope = host", "scope = any"))
    with open_crawl(tmp_path / "c") as crawl:
        told = life(crawl, "http://10.0.0.1:8080/x").unknown
        assert told.address == "10.0.0.1 is private" and told.would.endswith("blocked address")
        assert life(crawl, "http://[::1]/").unknown.address == "::1 is loopback"
        assert life(crawl, "http://8.8.8.8/").unknown.address == ""
        other = life(crawl, crawled[1].replace(HOST, "b.test") + "/").entry
        assert (other.row.reason, other.decided.now.reason) == ("scope: host", "")
    assert (
        "decide otherwise: no rule refuses it" in why(tmp_path / "c", crawled[1].replace(HOST, "b.test") + "/").stdout
    )


def why(directory, *options):
    return run("why", directory, *options)


def test_the_command_line(crawled):
    done, base, _ = crawled
    both = why(done.directory, base + "/b?utm_source=y#top", base + "/never")
    assert (both.returncode, both.stderr) == (1, "")
    met, never = both.stdout.split("\n\n")
    assert met.startswith(
        f"{base}/b\n  input       {base}/b?utm_source=y#top\n              fragment: {base}/b?utm_source=y\n"
    )
    assert "4 times from 3 pages" in met and f"{base}/: anchor in content" in met
    assert never.startswith(f"{base}/never\n  state       never discovered")
    told = why(done.directory, base + "/private/x", "--format", "json")
    assert told.returncode == 0
    entry = json.loads(told.stdout)[0]["entry"]
    assert entry["robots"]["line"] == 4 and entry.keys() == FIELDS
    (home,) = json.loads(why(done.directory, base + "/", "--format", "json").stdout)
    assert home["entry"].keys() == FIELDS and home["entry"]["answer"].keys() == FIELDS_OF_ANSWER
    assert "(depth 3 > 2)" in why(done.directory, base + "/deeper").stdout


@pytest.mark.slow
def test_the_sums_are_those_of_the_report(crawled, crawl_of):
    done, base, _ = crawled
    report = json.loads(run("report", done.directory, "--format", "json").stdout)
    tallies = summary(crawl_of)
    assert sum(each.urls for each in tallies) == report["urls"] == len(EXPECTED) + 1
    by_state = {state: sum(e.urls for e in tallies if e.state == state) for state in ("fetched", "moved", "queued")}
    assert by_state == {"fetched": report["pages"], "moved": report["moved"], "queued": report["queued"]}
    for reason, urls in report["refused"].items():
        assert sum(each.urls for each in tallies if (each.state, each.reason) == ("refused", reason)) == urls
    forbidden = next(each for each in tallies if each.reason == "robots.txt")
    assert forbidden.rule == f"Disallow: /private/ ({base}/robots.txt, line 4)"
    assert forbidden.examples == (f"{base}/private/x",) and all(each.sentence for each in tallies)
    said = why(done.directory, "--summary").stdout
    assert said.endswith(f"{report['urls']} URLs\n") and "scope: rule" in said


def damage(directory, *queries):
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        for query in queries:
            db.execute(query)


def test_a_killed_crawl_whose_index_lacks_urls(crawled, tmp_path):
    done, base, _ = crawled
    shutil.copytree(done.directory, tmp_path / "c")
    damage(
        tmp_path / "c",
        "UPDATE crawl SET value = '3' WHERE name = 'indexed'",
        "DELETE FROM by_key WHERE id > 3",
        "UPDATE crawl SET value = '' WHERE name = 'finished'",
    )
    with open_crawl(done.directory) as whole, open_crawl(tmp_path / "c") as killed:
        for path in EXPECTED:
            assert life(whole, base + path, 0.0).entry == life(killed, base + path, 0.0).entry


@pytest.mark.slow
def test_the_queue_of_a_crawl_that_was_stopped(tmp_path):
    answers = {(HOST, "/"): Answer(body=page(*(f"/{n}" for n in range(9))))}
    with Web(answers) as web:
        options = ("--max-pages", "3", "--set", "politeness.delay=0.01")
        done = crawl(web, web.url(HOST, "/"), tmp_path / "c", *options)
        base = web.url(HOST, "")
    assert done.status == 3
    for index in ("whole", "lacking"):
        with open_crawl(tmp_path / "c") as crawl_:
            for place, path in enumerate(f"/{n}" for n in range(2, 9)):
                told = life(crawl_, base + path)
                queue = told.entry.queue
                assert (queue.before, queue.priority, queue.waits, queue.in_flight) == (place, 1024, 0.0, ""), index
                assert queue.why == "default delay of 0.01 s"
                assert f"priority 1,024, {place} URL{'' if place == 1 else 's'} of its host before it" in text(told)
        damage(
            tmp_path / "c",
            "UPDATE crawl SET value = '4' WHERE name = 'indexed'",
            "DELETE FROM queue WHERE id > 7",
        )
    damage(tmp_path / "c", "UPDATE url SET due = 1e10 WHERE state = 'queued'")
    with open_crawl(tmp_path / "c") as crawl_:
        assert life(crawl_, base + "/5", 1e9).entry.queue.why.startswith("it is retried then")


@pytest.mark.slow
def test_a_live_crawl_and_the_same_killed(tmp_path):
    """One page never comes: it is in flight, and its host is held."""
    answers = {(HOST, "/"): Answer(body=page("/slow", "/next")), (HOST, "/slow"): Answer(body=page(), delay=60.0)}
    with Web(answers) as web:
        slow, following = web.url(HOST, "/slow"), web.url(HOST, "/next")
        options = ("--set", "politeness.delay=0.01", "-d", tmp_path / "c", *options_for(web))
        process = start(tmp_path, "crawl", web.url(HOST, "/"), *options)
        try:
            end = time.monotonic() + 30
            while True:
                assert time.monotonic() < end
                time.sleep(0.3)
                done = why(tmp_path / "c", slow, following, "--format", "json")
                if done.returncode == 0 and (told := json.loads(done.stdout))[0]["entry"]["queue"]["in_flight"]:
                    break
            assert why(tmp_path / "c", "--summary").returncode == 0
            assert why(tmp_path / "c", "--as-if", "crawl.max_depth=0").returncode == 0
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate(timeout=20)
    held, waiting = (each["entry"]["queue"] for each in told)
    assert held["in_flight"].startswith("fetch process ") and waiting["in_flight"] == ""
    assert waiting["why"] == "locked: a request is under way" and (held["before"], waiting["before"]) == (0, 1)
    killed = why(tmp_path / "c", slow)
    assert (
        killed.returncode == 0 and "in flight: fetch process" in killed.stdout and "0 URLs of its host" in killed.stdout
    )


@pytest.mark.slow
def test_a_url_that_was_refused_and_got_no_row(tmp_path):
    answers = {(HOST, "/"): Answer(body=page("/1.png", "/2.png"))}
    with Web(answers) as web:
        crawl(web, web.url(HOST, "/"), tmp_path / "c", "--set", "frontier.refused=1", "--no-obey-delay")
        told = why(tmp_path / "c", web.url(HOST, "/2.png"))
    assert told.returncode == 1 and "once from 1 page" in told.stdout and "[frontier] refused" in told.stdout
    assert "Not included: 1 refused URL without a row" in why(tmp_path / "c", "--as-if", "crawl.max_depth=3").stdout


def test_a_walk_over_the_links_that_takes_too_long(crawled, crawl_of):
    told = life(crawl_of, crawled[1] + "/b", patience=0.0, segment=2)
    pages = len(crawled[0].query("SELECT source FROM outlinks"))
    assert (told.linked.looked_through, told.linked.of, told.linked.times) == (1, pages, 2)
    assert f"2 times from 1 page (stopped by the time limit after 1 of {pages} pages)" in text(told)
    assert life(crawl_of, crawled[1] + "/b").linked.times == 4


@pytest.mark.slow
def test_a_redirect_to_the_same_page_and_rules_that_depend_on_the_way(tmp_path):
    pages = {("a.test", "/"): Answer(body=page("/s?PHPSESSID=1", "/t"))}
    pages |= {("a.test", path): moved(f"{path}?PHPSESSID=2") for path in ("/s", "/t")}
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--exclude", "hops:>1")
    assert done.status == 0, done.err
    with open_crawl(tmp_path / "c") as crawl_:
        for path in ("/s", "/t"):
            told = text(life(crawl_, web.url("a.test", path)))
            assert "redirects to itself: its canonical location is this URL" in told
        seed, further = (text(life(crawl_, web.url("a.test", path))) for path in ("/", "/further"))
    assert "a seed" in seed and "0 links" not in seed
    assert (
        "it would be queued, unless max_depth or a rule with depth: or hops: refuses it where it is discovered"
        in further
    )


@pytest.mark.slow
def test_a_url_that_was_met_under_other_rules_of_url(tmp_path):
    with Web({("a.test", "/"): Answer(body=page("/x?b=1&a=2"))}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
    config = tmp_path / "c" / "config.ini"
    config.write_text(config.read_text().replace("sort_query = no", "sort_query = yes"))  # as resume --set does
    with open_crawl(done.directory) as crawl_:
        met = life(crawl_, web.url("a.test", "/x?b=1&a=2"))
        assert met.entry.row.state == "fetched" and met.input.url == web.url("a.test", "/x?b=1&a=2")
        assert life(crawl_, web.url("a.test", "/y?b=1&a=2")).input.url == web.url("a.test", "/y?a=2&b=1")


@pytest.mark.slow
def test_robots_txt_that_could_not_be_read(tmp_path):
    answers = {(HOST, "/robots.txt"): Answer(status=500), (HOST, "/"): Answer(), ("b.test", "/"): Answer(body=page())}
    with Web(answers) as web:
        options = ("--set", "politeness.robots_patience=0", "--no-obey-delay")
        crawl(web, [web.url(HOST, "/"), web.url("b.test", "/")], tmp_path / "c", *options)
        seed, other, free = (
            why(tmp_path / "c", web.url(*each)) for each in ((HOST, "/"), (HOST, "/x"), ("b.test", "/"))
        )
    assert "refused, robots.txt: http 500" in seed.stdout and "answered 500, so nothing is allowed." in seed.stdout
    assert "  robots.txt  not read: http 500\n" in other.stdout
    assert "allowed: there is none (http 404)" in free.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answers", "status"),
    [
        ({(HOST, "/robots.txt"): moved("/robots.txt", 302)}, 302),
        ({(HOST, "/robots.txt"): moved("ftp://a.test/robots.txt", 307)}, 307),
        ({(HOST, "/robots.txt"): moved(at("b.test", "/rules"), 302)}, 302),
        ({(HOST, "/robots.txt"): moved("/1", 301), (HOST, "/1"): moved("/robots.txt", 308)}, 308),
        # a host below has rules against the request for those of another host
        (
            {
                (HOST, "/robots.txt"): moved(at(f"x.{HOST}", "/no"), 303),
                (f"x.{HOST}", "/robots.txt"): robots("User-agent: *", "Disallow: /no"),
            },
            303,
        ),
    ],
    ids=["a loop", "no http URL", "another domain", "two in a loop", "where it may not be requested"],
)
def test_a_robots_txt_that_only_redirects(tmp_path, answers, status):
    with Web({**answers, (HOST, "/"): Answer(body=page())}) as web:
        done = crawl(web, web.url(HOST, "/"), tmp_path / "c", "--no-obey-delay")
        told = why(tmp_path / "c", web.url(HOST, "/")).stdout
    assert f"allowed: it redirects too often, or to no URL that may be followed (http {status})" in told
    assert done.query("SELECT robots_status FROM site WHERE host LIKE 'a.test%'") == [(status,)]
    assert done.query("SELECT robots.status FROM robots JOIN site ON id = site WHERE host LIKE 'a.test%'") == [
        (status,)
    ]


def test_text_of_the_web_stays_text(tmp_path):
    made = write(tmp_path / "c", started=1)
    (made / "config.ini").write_text(example())
    damage(
        made,
        "UPDATE url SET url = 'http://a.org/' || id || char(27) || '[2J' WHERE id > 1",
        f"UPDATE url SET found_on = 2, key = {key('http://a.org/')} WHERE id = 1",
        "UPDATE page SET title = 'a' || char(10) || char(8238) || 'b', digest = x'00'",
    )
    said = why(made, "http://a.org/")
    assert said.returncode == 0 and "\\x1b[2J" in said.stdout and "\x1b" not in said.stdout
    assert "title: a\\x0a\\u202eb" in said.stdout and "same bytes as 5 other pages" in said.stdout
    assert "\x1b" not in why(made, "--summary").stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["none", "http://a.org/"], "none is not a crawl directory"),
        (["c"], "give one of these: URLs, --summary, or --as-if"),
        (["c", "http://a.org/", "--summary"], "give one of these: URLs, --summary, or --as-if"),
        (["c", "mailto:x@a.org"], "is not an http or https URL; write the complete URL, HOST/PATH or /PATH"),
        (["c", "#x"], "'#x' is not an http or https URL"),
        (["c", "--as-if", "exclude"], "write exclude=PATTERN"),
        (["c", "--as-if", "exclude=regex:("], "--as-if: exclude regex:(: missing )"),
        (["c", "--as-if", "traps.permutations=1"], "its effect is unknown without requests"),
        (["c", "--as-if", "crawl.max_depth=x"], "--as-if: [crawl] max_depth = x: write a whole number"),
        (["old", "http://a.org/"], "old has tables of version 2"),
        (["bare", "http://a.org/"], "config.ini is missing"),
        (["torn", "http://a.org/"], "crawl.db is damaged"),
        (["torn", "--as-if", "crawl.max_depth=1"], "crawl.db is damaged"),
    ],
)
def test_bad_input_is_one_line(tmp_path, monkeypatch, capsys, options, said):
    for name, query in (
        ("c", "SELECT 1"),
        ("old", "UPDATE crawl SET value = '2' WHERE name = 'schema_version'"),
        ("bare", "SELECT 1"),
        ("torn", "UPDATE outlinks SET targets = '[1, 2'"),
    ):
        made = write(tmp_path / name)
        damage(made, query, "UPDATE url SET url = 'http://b.org/' WHERE id = 2")
        if name != "bare":
            (made / "config.ini").write_text(example())
    damage(tmp_path / "torn", f"UPDATE outlinks SET targets = targets || '{key('http://a.org/')}'")
    monkeypatch.chdir(tmp_path)
    assert main(["why", *options]) == 2
    out = capsys.readouterr()
    assert out.out == "" and out.err.count("\n") == 1 and said in out.err
