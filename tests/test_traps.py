"""Sites without end beside an honest one: all of the honest one is fetched, each trap is cut with its reason."""

import subprocess
import time
from collections import Counter
from itertools import permutations
from urllib.parse import urlsplit

import pytest

from tests.crawling import command, crawl
from tests.site import Answer, Web, at, moved, page

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
    verified = subprocess.run(command("verify", done.directory), capture_output=True, text=True)
    assert verified.returncode == 0, verified.stdout
    asked = Counter(hit.host for hit in web.log() if hit.path != "/robots.txt")
    reasons: dict[str, set[str]] = {}
    for url, (state, reason) in done.states().items():
        host = urlsplit(url).hostname
        reasons.setdefault(host, set())
        if state == "refused":
            reasons[host].add(reason)
    return asked, reasons


def test_all_traps_beside_an_honest_site(tmp_path):
    with web_of(*TRAPS) as web:
        asked, reasons = crawled(tmp_path, web)
    assert asked["honest.test"] == 500 and reasons["honest.test"] == set()
    for name, (_, expected) in TRAPS.items():
        assert asked[name] <= MOST
        # which of the two hosts of the loop comes to its end first is nobody's concern
        assert reasons[name] == expected or (name.startswith("loop") and reasons[name] <= expected), name
    assert asked["sessions.test"] == 31
    assert asked["loop1.test"] + asked["loop2.test"] <= MOST
    assert reasons["loop1.test"] | reasons["loop2.test"] == {"trap: same content"}


def test_a_page_of_too_many_links(tmp_path):
    """What stands behind the last link that is followed may be followed from another page."""
    pages = {"/": page(*(f"/{n}" for n in range(10)), "/more"), "/0": page("/9"), "/more": page()}
    pages |= {f"/{n}": page() for n in range(1, 10)}
    with Web({("a.test", path): Answer(body=body) for path, body in pages.items()}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--set", "traps.urls_per_page=5")
    states = {urlsplit(url).path: state for url, state in done.states().items()}
    cut = {path for path, state in states.items() if state == ("refused", "trap: urls")}
    assert cut == {"/5", "/6", "/7", "/8", "/more"}
    assert {state for path, state in states.items() if path not in cut} == {("fetched", "http 200")}
    verified = subprocess.run(command("verify", done.directory), capture_output=True, text=True)
    assert verified.returncode == 0, verified.stdout


def test_a_page_that_leads_to_a_thousand_alike(tmp_path):
    """What is queued already is refused as well, once its pattern is known to say the same."""
    pages = {"/": page("/honest", *(f"/print?page={n}" for n in range(1000))), "/honest": page()}
    pages |= {f"/print?page={n}": page("/", content="<p>Please log in</p>") for n in range(1000)}
    with Web({("a.test", path): Answer(body=body) for path, body in pages.items()}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
        asked = len(web.log())
    assert asked <= MOST and done.states()[web.url("a.test", "/honest")] == ("fetched", "http 200")
    reasons = Counter(reason for _, reason in done.states().values())
    assert reasons["http 200"] + reasons["trap: same content"] == 1002
    assert done.query("SELECT text FROM url JOIN rule ON rule.id = rule GROUP BY 1") == [("[traps] same_content = 50",)]


def test_a_gallery_is_no_trap(tmp_path):
    """Its pages differ in their number and in their picture alone."""
    pages = {"/": page(*(f"/gallery/{n}.html" for n in range(150)))}
    for n in range(150):
        pages[f"/gallery/{n}.html"] = page(
            f"/gallery/{n + 1}.html", content=f"<p>Photo {n}</p><img src='/img/{n}.jpg'>"
        )
    with Web({("a.test", path): Answer(body=body) for path, body in pages.items()}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
    assert Counter(state for state, _ in done.states().values())["fetched"] == 152  # the last leads to one that is not


def test_rules_set_at_resume_hold_for_what_is_queued(tmp_path):
    with Web({("a.test", path): Answer(body=page(*(f"/bad/{n}" for n in range(9)))) for path in ("/",)}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--max-pages", "1")
        more = ("--max-pages", "0", "--set", "scope.rules=exclude path:/bad/")
        resumed = subprocess.run(command("resume", tmp_path / "c", *more), capture_output=True, text=True)
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
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
        asked = Counter(hit.path for hit in web.log())
    states = {urlsplit(url).path: state for url, state in done.states().items()}
    assert states == {"/": ("fetched", "http 200"), "/s": ("fetched", "http 200"), "/t": ("moved", "http 301")}
    assert asked["/s"] == asked["/t"] == 2


@pytest.mark.parametrize("obey", ["--obey-delay", "--no-obey-delay"])
def test_pages_of_one_host(tmp_path, obey):
    """So many of each are asked for, redirects and failures included; the count goes on after a stop."""
    pages = {}
    for host, other in (("a.test", "b.test"), ("b.test", "a.test")):
        pages[host, "/"] = Answer(body=page(*(f"/{n}" for n in range(30)), at(other, "/")))
        pages |= {(host, f"/{n}"): Answer(body=page(), delay=0.01) for n in range(0, 30, 2)}
    settings = ("--set", "traps.pages_per_host=12", "--set", "politeness.delay=0.01")
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", obey, "--scope", "any", *settings, "--max-pages", "5")
        assert done.status == 3
        resumed = subprocess.run(command("resume", tmp_path / "c", "--max-pages", "0"), capture_output=True, text=True)
        assert resumed.returncode == 0, resumed.stderr
        asked = Counter(hit.host for hit in web.log() if hit.path != "/robots.txt")
    assert asked == {"a.test": 12, "b.test": 12}
    reasons = Counter(reason for _, reason in done.states().values())
    assert reasons["trap: host"] == 2 * 19 and done.query("SELECT asked FROM site") == [(12,), (12,)]


@pytest.mark.slow
@pytest.mark.parametrize("parsers", [1, 4])
@pytest.mark.parametrize("name", [*TRAPS][:4])
def test_each_trap(tmp_path, name, parsers):
    with web_of(name) as web:
        asked, reasons = crawled(tmp_path, web, "--parsers", parsers)
    assert asked["honest.test"] == 500 and asked[name] <= MOST
    assert reasons == {"honest.test": set(), name: TRAPS[name][1]}
