"""Sites without end beside an honest one: all of the honest one is fetched, each trap is cut with its reason."""

import time
from collections import Counter
from itertools import permutations, product
from urllib.parse import urlsplit

import pytest

from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import ANY, Answer, Web, at, moved, page

MOST = 200  # fetches a trap may cost
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November")
MONTHS += ("December",)
YEAR = time.gmtime().tm_year


def honest():
    """500 pages in lists of 25, each list leading to the next one, items in a deep and a dated place."""
    pages = {}
    for n in range(480):
        place = (
            f"/docs/en/api/{n % 7}/item/{n}" if n % 2 else f"/{1900 + n % 120}/{n % 12 + 1:02}/{n % 28 + 1:02}/item-{n}"
        )
        pages[place] = page("/", title=f"Item {n}", content=f"<p>No {n * n}")
    places = list(pages)
    for n in range(20):
        following = f"/list?page={n + 1}&sort=up" if n < 19 else "/"
        pages[f"/list?page={n}&sort=up" if n else "/"] = page(*places[n::20], following)
    return pages


def calendar():
    def url(n):
        return f"/calendar?month={n // 12}-{n % 12 + 1:02}&view=grid"

    def month(n):
        cells = "<td></td>" * (n * 3 % 7) + "".join(f"<td>{day}</td>" for day in range(1, 29 + n % 4))
        head = f"<h1>{MONTHS[n % 12]} {n // 12}</h1><table>{cells}</table>"
        return page(url(n - 1), url(n + 1), content=head)

    return {"/": page(url((YEAR + 3) * 12))} | {url(n): month(n) for n in range(1500 * 12, 2100 * 12)}


def nested():
    """A relative link that was meant from the root."""
    return {"/" + "news/" * n: page("news/", "x/news/", title=str(n)) for n in range(60)} | {
        "/" + "x/news/" * n: page("x/news/") for n in range(1, 60)
    }


def sessions():
    """A new session with every answer; the same pages with and without."""
    hrefs = [f"/p{n}?PHPSESSID={n:032x}" for n in range(10)] + [f"/q{n};jsessionid={n:032X}" for n in range(10)]
    pages = {"/": page(*hrefs)}
    for n in range(10):
        both = page(f"/p{n * 3 % 10}?id=1&PHPSESSID=f{n:031x}", f"/q{n}?utm_source=p{n}")
        pages |= dict.fromkeys((f"/p{n}", f"/q{n}", f"/p{n}?id=1"), both)
    return pages


def permuted():
    """Six parameters in every order: 720 spellings, each page leading to nine others."""
    orders = ["/shop?" + "&".join(each) for each in permutations([f"{name}={name}1" for name in "abcdef"])]
    return {"/": page(orders[0])} | {
        order: page(*(orders[(n * 7 + k * 80 + 1) % 720] for k in range(9))) for n, order in enumerate(orders)
    }


def loop(other):
    """A counter that goes from one host to the other and back."""
    return {"/": page("/go/0")} | {f"/go/{n}": page(at(other, f"/go/{n + 1}"), title="Go on") for n in range(3000)}


TRAPS = {
    "calendar.test": (calendar(), {"trap: calendar", "trap: same content"}),
    "nested.test": (nested(), {"trap: repeated segments"}),
    "sessions.test": (sessions(), set()),
    "permuted.test": (permuted(), {"trap: permuted query"}),
    "loop1.test": (loop("loop2.test"), {"trap: same content"}),
    "loop2.test": (loop("loop1.test"), {"trap: same content"}),
}


def web_of(*names):
    sites = {"honest.test": honest()} | {name: TRAPS[name][0] for name in names}
    sites["honest.test"]["/"] += page(*(at(name, "/") for name in names))
    return Web({(host, path): Answer(body=body) for host, site in sites.items() for path, body in site.items()})


def crawled(tmp_path, web, *options):
    done = crawl(
        web, web.url("honest.test", "/"), tmp_path / "c", "--no-obey-delay", "--scope", "any", *options, timeout=300
    )
    assert done.status == 0, done.err
    verified = run("verify", done.directory)
    assert verified.returncode == 0, verified.stdout
    asked = Counter(hit.host for hit in web.log() if hit.path != "/robots.txt")
    reasons: dict[str, set[str]] = {}
    for url, (state, reason) in done.states().items():
        host = urlsplit(url).hostname
        reasons.setdefault(host, set())
        if state == "refused":
            reasons[host].add(reason)
    return asked, reasons


@pytest.mark.slow
def test_all_traps_beside_an_honest_site(tmp_path):
    with web_of(*TRAPS) as web:
        asked, reasons = crawled(tmp_path, web, "--inline")
    assert asked["honest.test"] == 500 and reasons["honest.test"] == set()
    for name, (_, expected) in TRAPS.items():
        assert asked[name] <= MOST
        # which of the two hosts of the loop comes to its end first is nobody's concern
        assert reasons[name] == expected or (name.startswith("loop") and reasons[name] <= expected), name
    assert asked["sessions.test"] == 31
    assert asked["loop1.test"] + asked["loop2.test"] <= MOST
    assert reasons["loop1.test"] | reasons["loop2.test"] == {"trap: same content"}


@pytest.mark.slow
def test_a_page_of_too_many_links(tmp_path):
    """What stands behind the last link that is followed may be followed from another page."""
    pages = {"/": page(*(f"/{n}" for n in range(10)), "/more"), "/0": page("/9"), "/more": page()}
    pages |= {f"/{n}": page() for n in range(1, 10)}
    with Web({("a.test", path): Answer(body=body) for path, body in pages.items()}) as web:
        done = crawl(
            web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", "--set", "traps.urls_per_page=5"
        )
    states = {urlsplit(url).path: state for url, state in done.states().items()}
    cut = {path for path, state in states.items() if state == ("refused", "trap: urls")}
    assert cut == {"/5", "/6", "/7", "/8", "/more"}
    assert {state for path, state in states.items() if path not in cut} == {("fetched", "http 200")}
    verified = run("verify", done.directory)
    assert verified.returncode == 0, verified.stdout


@pytest.mark.slow
def test_a_page_that_leads_to_a_thousand_alike(tmp_path):
    """What is queued already is refused as well, once its pattern is known to say the same."""
    pages = {"/": page("/honest", *(f"/print?page={n}" for n in range(1000))), "/honest": page()}
    pages |= {f"/print?page={n}": page("/", content="<p>Please log in</p>") for n in range(1000)}
    with Web({("a.test", path): Answer(body=body) for path, body in pages.items()}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline")
        asked = len(web.log())
    assert asked <= MOST and done.states()[web.url("a.test", "/honest")] == ("fetched", "http 200")
    reasons = Counter(reason for _, reason in done.states().values())
    assert reasons["http 200"] + reasons["trap: same content"] == 1002
    assert done.query("SELECT text FROM url JOIN rule ON rule.id = rule GROUP BY 1") == [("[traps] same_content = 50",)]


@pytest.mark.slow
def test_a_gallery_is_no_trap(tmp_path):
    """Its pages differ in their number and in their picture alone."""
    pages = {"/": page(*(f"/gallery/{n}.html" for n in range(150)))}
    for n in range(150):
        pages[f"/gallery/{n}.html"] = page(
            f"/gallery/{n + 1}.html", content=f"<p>Photo {n}</p><img src='/img/{n}.jpg'>"
        )
    with Web({("a.test", path): Answer(body=body) for path, body in pages.items()}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline")
    assert Counter(state for state, _ in done.states().values())["fetched"] == 152  # the last leads to one that is not


@pytest.mark.slow
def test_rules_set_at_resume_hold_for_what_is_queued(tmp_path):
    with Web({("a.test", path): Answer(body=page(*(f"/bad/{n}" for n in range(9)))) for path in ("/",)}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", "--max-pages", "1")
        more = ("--max-pages", "0", "--set", "scope.rules=exclude path:/bad/")
        resumed = run("resume", tmp_path / "c", "--inline", *more)
        assert resumed.returncode == 0, resumed.stderr
        assert not any("/bad/" in hit.path for hit in web.log())
    rules = "SELECT DISTINCT state, reason, text FROM url LEFT JOIN rule ON rule.id = rule ORDER BY 1"
    fetched, refused = done.query(rules)
    assert fetched == ("fetched", "http 200", None) and refused[:2] == ("refused", "scope: rule")
    assert refused[2].startswith("exclude path:/bad/")


def test_a_redirect_that_sets_a_session(tmp_path):
    """It leads to the same URL, for the session is left out; the next answer is the page, or it has moved for good."""
    session = moved(at("a.test", "/s?PHPSESSID=1"))
    pages = {("a.test", "/"): Answer(body=page("/s", "/t"))}
    pages |= {
        ("a.test", "/s"): [session, Answer(body=page())],
        ("a.test", "/t"): moved(at("a.test", "/t?utm_source=1")),
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline")
        asked = Counter(hit.path for hit in web.log())
    states = {urlsplit(url).path: state for url, state in done.states().items()}
    assert states == {"/": ("fetched", "http 200"), "/s": ("fetched", "http 200"), "/t": ("moved", "http 301")}
    assert asked["/s"] == asked["/t"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("obey", ["--obey-delay", "--no-obey-delay"])
def test_pages_of_one_host(tmp_path, obey):
    """So many of each are asked for, redirects and failures included; the count goes on after a stop."""
    pages = {}
    for host, other in (("a.test", "b.test"), ("b.test", "a.test")):
        pages[host, "/"] = Answer(body=page(*(f"/{n}" for n in range(30)), at(other, "/")))
        pages |= {(host, f"/{n}"): Answer(body=page(), delay=0.01) for n in range(0, 30, 2)}
    settings = ("--set", "traps.pages_per_host=12", "--set", "politeness.delay=0.01")
    with Web(pages) as web:
        done = crawl(
            web,
            web.url("a.test", "/"),
            tmp_path / "c",
            "--inline",
            obey,
            "--scope",
            "any",
            *settings,
            "--max-pages",
            "5",
        )
        assert done.status == 3
        resumed = run("resume", tmp_path / "c", "--inline", "--max-pages", "0")
        assert resumed.returncode == 0, resumed.stderr
        asked = Counter(hit.host for hit in web.log() if hit.path != "/robots.txt")
    assert asked == {"a.test": 12, "b.test": 12}
    reasons = Counter(reason for _, reason in done.states().values())
    assert reasons["trap: host"] == 2 * 19 and done.query("SELECT requested FROM site") == [(12,), (12,)]


@pytest.mark.slow
@pytest.mark.parametrize("parsers", [1, 4])
@pytest.mark.parametrize("name", [*TRAPS][:4])
def test_each_trap(tmp_path, name, parsers):
    with web_of(name) as web:
        asked, reasons = crawled(tmp_path, web, "--parsers", parsers)
    assert asked["honest.test"] == 500 and asked[name] <= MOST
    assert reasons == {"honest.test": set(), name: TRAPS[name][1]}


def numbered(n, words="Photo"):
    return f"<h1>{words} {n}</h1>"


def listed_photos():
    """200 pages that a list names; their texts differ in their number alone, and each leads to the next one."""
    pages = {"/": page(*(f"/photo/{n}" for n in range(200)))}
    return pages | {f"/photo/{n}": page(f"/photo/{(n + 1) % 200}", "/", content=numbered(n)) for n in range(200)}


def chained_photos():
    """The same without a list: each is known from the one before it alone."""
    pages = {f"/photo/{n}": page(f"/photo/{n + 1}", content=numbered(n)) for n in range(1, 199)}
    return {"/": page("/photo/1")} | pages | {"/photo/199": page("/", content=numbered(199))}


def archive():
    """Lists of which each says that it is page so and so, and leads to entries of their own."""
    lists = {
        f"/archive?page={n}": page(f"/archive?page={n + 1}", *(f"/entry/{n}-{k}" for k in "ab")) for n in range(99)
    }
    entries = {f"/entry/{n}-{k}": page(content=f"<p>{k * (n + 1)}") for n in range(99) for k in "ab"}
    return {"/": page("/archive?page=0")} | lists | entries | {"/archive?page=99": page("/", title="The last one")}


def downloads():
    """Pages that say "click here", each for another file."""
    pages = {"/": page(*(f"/get?id={n}" for n in range(150)))}
    pages |= {f"/get?id={n}": page(f"/files/{n}", content="<p>Click here") for n in range(150)}
    return pages | {f"/files/{n}": page(content=f"<p>{'x' * n}") for n in range(150)}


def documents():
    """RFCs by number, each in three forms that say nothing but what it is."""
    pages = {"/": page(*(f"/rfc/{n}/{form}.html" for n in range(1, 101) for form in ("info", "text", "errata")))}
    for n in range(1, 101):
        pages[f"/rfc/{n}/text.html"] = page(content=f"<p>Text of RFC {n}: {'word ' * n}")
        pages[f"/rfc/{n}/info.html"] = page(f"/rfc/{n}/text.html", content=numbered(n, "Information on RFC"))
        pages[f"/rfc/{n}/errata.html"] = page(content=numbered(n, "No errata for RFC"))
    return pages


def programme():
    """A calendar of eight years in which something happens, and of which no month leads further."""
    months = [(year, month) for year in range(YEAR - 6, YEAR + 2) for month in range(1, 13)]
    place = "/events/{}/{:02}/".format
    pages = {"/": page(place(*months[0]))}
    for n, (year, month) in enumerate(months):
        more = [place(*months[n + 1])] if n + 1 < len(months) else []
        pages[place(year, month)] = page(*more, content=f"<h1>{month} {year}</h1><p>{'concert ' * (n + 1)}")
    return pages


def mirror():
    """An older copy in a directory of its own, byte for byte."""
    names = [f"d{n % 5}/p{n}.html" for n in range(120)]
    pages = {"/": page(*names, "old/"), "/old/": page(*names, "old/")}
    return (
        pages
        | {top + name: page(content=f"<p>{name}") for top in ("/", "/old/") for name in names}
        | {"/old/old/": page(title="None older")}
    )


def framed():
    """Eighty lessons, each in the same frameset."""
    frameset = b"<frameset><frame src=menu.html><frame src=text.html></frameset>"
    lessons = [f"/lesson{n}/" for n in range(80)]
    pages = {"/": frameset, "/menu.html": page(*lessons), "/text.html": page(content="<p>Welcome")}
    for n, lesson in enumerate(lessons):
        pages |= {lesson: frameset, f"{lesson}menu.html": page("1.html", content="<p>Menu")}
        pages |= {
            f"{lesson}text.html": page(content=numbered(n, "Lesson")),
            f"{lesson}1.html": page(title=f"{n} x {n}"),
        }
    return pages


def goods():
    """Lists of goods of four kinds in five orders, all of which differ, and their pages, which have a number alone."""
    pages = {}
    for kind in ("a", "b", "c", "d"):
        for order in range(5):
            place = f"/goods?kind={kind}&sort={order}" if kind + str(order) != "a0" else "/"
            names = [f"/item/{kind}{(n * (order + 1)) % 31}" for n in range(31)]
            following = [f"/goods?kind={each}&sort={order}" for each in "bcd"] + [f"/goods?kind={kind}&sort=1"]
            pages[place] = page(*names, *following, content="<p>" + " ".join(names))
        pages |= {f"/item/{kind}{n}": page("/", content=numbered(n, f"Thing {kind}")) for n in range(31)}
    pages["/goods?kind=a&sort=1"] = page(*(f"/goods?kind={kind}&sort={n}" for kind in "abcd" for n in range(1, 5)))
    return pages


HONEST = [listed_photos, chained_photos, archive, downloads, documents, programme, mirror, framed, goods]


@pytest.mark.slow
@pytest.mark.parametrize("made", HONEST, ids=lambda made: made.__name__)
def test_honest_sites_are_fetched_whole(tmp_path, made):
    site = made()
    with Web({("a.test", path): Answer(body=body) for path, body in site.items()}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", timeout=300)
    assert done.status == 0, done.err
    reached = {
        url.partition("a.test")[2].partition("/")[2] for url, state in done.states().items() if state[0] == "fetched"
    }
    assert {path[1:] for path in site} <= reached
    assert {reason for state, reason in done.states().values() if state == "refused"} == set()


LETTERS = "xyz"


def by_their_ends():
    """A server that looks at the end of a path alone, and relative links between its four pages."""
    ways = ["".join(way) for depth in range(7) for way in product(LETTERS, repeat=depth)]
    return {
        "/" + "".join(f"{step}/" for step in way): page(*(f"{each}/" for each in LETTERS), title=way[-1:])
        for way in ways
    }


def without_end(*hrefs):
    """A server that has one page for all paths but the front page."""
    return {"/": page(*hrefs, title="Front"), ANY: page(*hrefs)}


#: Sites without end, and the requests that they may cost.
ENDLESS = {
    "three relative links": (without_end("x/", "y/", "z/"), 40),
    "forty relative links": (without_end(*(f"p{n}/" for n in range(40))), 80),
    "files and directories": (without_end("x/page.html", "y/page.html", "about/us/"), 40),
    "one long link": (without_end("a/b/c/d/e/"), 30),
    "up and down": (without_end("../up/down/"), 30),
    "the end of a path": (by_their_ends(), 70),
    "a growing query": (without_end("?a=1", "/list?a=1&b=2", "/list?a=1&b=2&c=3", "x/?a=1"), 40),
    "a numbered chain": (
        {"/": page("/n/1")} | {f"/n/{n}": page(f"/n/{n + 1}", content=numbered(n)) for n in range(999)},
        430,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDLESS)
def test_sites_without_end(tmp_path, name):
    site, most = ENDLESS[name]
    with Web({("a.test", path): Answer(body=body) for path, body in site.items()}) as web:
        done = crawl(
            web,
            web.url("a.test", "/"),
            tmp_path / "c",
            "--no-obey-delay",
            "--inline",
            "--max-pages",
            "2000",
            timeout=300,
        )
        asked = len(web.log())
    assert done.status == 0 and asked <= most, asked
    reasons = {reason for state, reason in done.states().values() if state == "refused"}
    assert reasons <= {"trap: same bytes", "trap: same content", "trap: repeated segments"} and reasons
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
def test_why_tells_of_longer_urls_with_the_same_bytes(tmp_path):
    site, _ = ENDLESS["three relative links"]
    with Web({("a.test", path): Answer(body=body) for path, body in site.items()}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline")
        stopped = crawl(web, web.url("a.test", "/"), tmp_path / "d", "--no-obey-delay", "--inline", "--max-pages", "5")
        assert stopped.status == 3
        before = len(web.log())
        resumed = run("resume", tmp_path / "d", "--inline", "--max-pages", "0")
        assert resumed.returncode == 0, resumed.stderr
        assert len(web.log()) - before <= 40  # it finds out anew
    refused = next(url for url, (_, reason) in done.states().items() if reason == "trap: same bytes")
    told = run("why", done.directory, refused).stdout
    assert "refused, trap: same bytes" in told and "longer than the URL" in told and "[traps] same_bytes = 10" in told
