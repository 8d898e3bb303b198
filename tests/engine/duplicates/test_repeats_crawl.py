"""A site most of whose URLs say what others say, beside honest ones that look alike; counted by the server's log."""

import random
from collections import Counter

import pytest

from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killing import FAST, killed_crawl
from tests.support.web.site import Answer, Web
from ttcrawl.report.parts.repeats import sections
from ttcrawl.report.study import study

HOST = "a.test"
ARTICLES, LISTS, ITEMS, SHOP, SESSIONS, MONTHS = 60, 10, 40, 15, 40, 110
EVENTS = (31, 77)  # months that have one
LINKS = 20  # on every page, so that all versions of one have the same words
OPTIONS = ("--no-obey-delay", "--set", "traps.same_content=0", "--set", "politeness.connections=4")


def made(says, *hrefs):
    rng = random.Random(says)
    words = " ".join("".join(rng.choices("abcdefghiklmnoprstu", k=7)) for _ in range(12))
    hrefs = (*hrefs, *["/"] * (LINKS - len(hrefs)))
    links = "".join(f'<li><a href="{href}">more</a>\n' for href in hrefs)
    return f"<!DOCTYPE html><title>{says}</title><p>{words}<ul>{links}</ul>".replace("&", "&amp;").encode()


def site():
    """Path -> what it says, and its body."""
    said = {}

    def put(path, says, *hrefs):
        said[path] = (says, made(says, *hrefs))

    lists = [f"/list?page={n}" if n else "/list" for n in range(LISTS)]
    put("/", "home", "/list", "/item?id=0", "/shop/0?sid=0", "/months", "/help")
    put("/help", "help", "/docs/de/help", "/docs/en/help")
    put("/docs/de/help", "Hilfe")
    put("/docs/en/help", "help in English")
    for n in range(LISTS):
        sorts = [f"sort={by}&order={way}" for by in ("name", "date", "size") for way in ("up", "down")]
        orders = [f"/list?page={n}&{each}" if n else f"/list?{each}" for each in sorts]
        articles = [f"/art/{n + LISTS * k}" for k in range(ARTICLES // LISTS)]
        put(lists[n], f"list {n}", *lists[n + 1 : n + 2], *articles, *orders)
        for order in orders:
            put(order, f"list {n}", *orders, *reversed(articles))
    for n in range(ARTICLES):
        put(f"/art/{n}", f"article {n}", f"/art/{n}?print=1", f"/print/art/{n}")
        put(f"/art/{n}?print=1", f"article {n}")
        put(f"/print/art/{n}", f"article {n}")
    for n in range(ITEMS):
        put(f"/item?id={n}", f"item {n}", *(f"/item?id={k}" for k in (2 * n + 1, 2 * n + 2) if k < ITEMS))
    for n in range(SHOP):  # nowhere without a session, and each link has another one
        for sid in range(SESSIONS):
            hrefs = [f"/shop/{(n + k) % SHOP}?sid={(3 * sid + 7 * n + k) % SESSIONS}" for k in (1, 2, 5)]
            put(f"/shop/{n}?sid={sid}", f"shop {n}", *hrefs)
    for n in range(MONTHS):
        says = f"event {n}" if n in EVENTS else "no events"
        put(f"/cal/{n // 12}/{n % 12}", says)
    put("/months", "months", *(f"/cal/{n // 12}/{n % 12}" for n in range(MONTHS)))
    return said


SITE = site()
HONEST = {path for path in SITE if path.startswith(("/list?page", "/item", "/docs")) and "sort" not in path}


@pytest.fixture(scope="module")
def web():
    with Web({(HOST, path): Answer(body=body) for path, (_, body) in SITE.items()}) as running:
        yield running


NO_PROBES = "--set", "duplicates.soft_404=0"


def paths_of(web, since=0):
    return [hit.path for hit in web.log()[since:] if hit.path != "/robots.txt"]


def contents(paths):
    return Counter(SITE[path][0] for path in paths)


def crawled(web, directory, repeated, *options):
    """The crawl, and the paths that were asked for; no soft 404 is looked for, which would be a few more."""
    since = len(web.log())
    done = crawl(
        web,
        web.url(HOST, "/"),
        directory / "c",
        *OPTIONS,
        "--set",
        f"duplicates.repeated={repeated}",
        *NO_PROBES,
        *options,
    )
    assert done.status in (0, 3), done.err
    assert verified(done.directory) == ""
    return done, paths_of(web, since)


@pytest.fixture(scope="module")
def everything(web, tmp_path_factory):
    done, paths = crawled(web, tmp_path_factory.mktemp("no"), "no")
    assert done.query("SELECT * FROM pattern") == [] and len(paths) == len(set(paths))
    return set(paths)


@pytest.fixture(scope="module")
def refusing(web, tmp_path_factory):
    done, paths = crawled(web, tmp_path_factory.mktemp("refuse"), "refuse")
    return done, set(paths)


@pytest.mark.slow
def test_the_site_is_what_it_is_meant_to_be(everything):
    honest = contents(everything)
    assert len(honest) == 5 + LISTS + ARTICLES + ITEMS + SHOP + len(EVENTS) + 1
    assert len(everything) > 5 * len(honest) and everything >= HONEST


@pytest.mark.slow
def test_most_duplicates_are_not_fetched(everything, refusing):
    done, paths = refusing
    duplicates = [len(each) - len(contents(each)) for each in (everything, paths)]
    assert duplicates[1] <= 0.4 * duplicates[0]
    assert paths >= HONEST, "pages that their number or their id tells apart"
    figures = {text: row for text, *row in done.query("SELECT text, repeating, refused FROM pattern")}
    assert {text for text, (repeating, _) in figures.items() if repeating} == {
        *("?print", "*/print/*", "?sid", "?sort", "?order", "/cal/#/#"),
    }
    rules = done.query("SELECT text FROM rule JOIN url ON rule.id = rule WHERE reason = 'duplicate pattern' GROUP BY 1")
    assert {text.split(":")[0] for (text,) in rules} == {f"pattern {text}" for text, row in figures.items() if row[1]}


@pytest.mark.slow
def test_what_is_lost_is_within_what_the_audit_says(everything, refusing):
    """Only in the calendar: an event in a month that would be as empty as all others."""
    done, paths = refusing
    missing = set(contents(everything)) - set(contents(paths))
    assert missing <= {f"event {n}" for n in EVENTS}
    table = {row.label.rpartition(" ")[2]: row.values for row in sections([study(done.directory).repeats])[0].rows}
    *_, audited, lost, _, interval = table["/cal/#/#"]
    low, high = (int(each.replace(",", "")) for each in interval.split(" to "))
    assert 0 <= lost <= audited and low <= len(missing) <= high
    told = table["patterns"]  # all of them
    assert told[3] == done.query("SELECT count(*) FROM url WHERE reason = 'duplicate pattern'")[0][0]
    others = {label: values for label, values in table.items() if label not in ("/cal/#/#", "patterns")}
    assert {values[5] for values in others.values()} == {0}, "nothing is lost but in the calendar"


@pytest.mark.slow
def test_the_last_come_last(everything, web, tmp_path):
    """Of so many pages more say something new, and none is lost at the end."""
    most = 2 * len(contents(everything))
    (_, usual), (stopped, paths) = (
        crawled(web, tmp_path / name, name, "--max-pages", most) for name in map(_directory(tmp_path), ("no", "last"))
    )
    assert len(usual) == len(paths) == most
    assert len(contents(paths)) > 1.2 * len(contents(usual))
    since = len(web.log())
    resumed = run("resume", stopped.directory, "--max-pages", "0")
    assert resumed.returncode == 0 and verified(stopped.directory) == "", resumed.stderr
    assert {*paths, *paths_of(web, since)} == everything
    assert stopped.query("SELECT sum(put_last) > 100, sum(refused) FROM pattern") == [(1, 0)]


def _directory(tmp_path):
    def make(name):
        (tmp_path / name).mkdir()
        return name

    return make


@pytest.mark.slow
def test_a_crawl_that_goes_on_knows_what_repeats(refusing, web, tmp_path):
    """Patterns are not judged anew: that would cost some twenty pages each."""
    done, paths = crawled(web, tmp_path, "refuse", "--max-pages", "240")
    assert done.status == 3
    repeating = "SELECT text FROM pattern WHERE repeating"
    before = {text for (text,) in done.query(repeating)}
    since = len(web.log())
    resumed = run("resume", done.directory, "--max-pages", "0")
    assert resumed.returncode == 0 and verified(done.directory) == "", resumed.stderr
    assert before and before <= {text for (text,) in done.query(repeating)}
    assert len(paths) + len(paths_of(web, since)) < len(refusing[1]) + 20 * len(before)


@pytest.mark.slow
def test_kills(everything, tmp_path):
    slow = {(HOST, path): Answer(body=body, delay=0.05) for path, (_, body) in SITE.items()}
    options = (*OPTIONS, *FAST, *NO_PROBES, "--set", "duplicates.repeated=refuse")
    with Web(slow) as web:
        how = {"victims": ("crawl", "all"), "requests": 250}
        killed = killed_crawl(web, [web.url(HOST, "/")], tmp_path, 3, random.Random(3), *options, **how)
        paths = set(paths_of(web))
    assert killed.total() == 3 and verified(tmp_path / "c") == ""
    assert paths >= HONEST and set(contents(everything)) - set(contents(paths)) <= {f"event {n}" for n in EVENTS}
