"""Sitemaps and feeds whose dates announce changes, and some that lie, in a continuous crawl."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
import xxhash

from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import BEGIN, DAY, Server
from tests.support.crawls.crawling import query, verified
from ttcrawl.recrawl.belief import AGAIN, MOST, TRIAL, Belief

DAYS, PAGES, BUDGET = 40, 20, 9


def after(visits, belief=None):
    belief = belief or Belief()
    for hit in visits:
        belief = belief.after(hit=hit)
    return belief


@pytest.mark.parametrize(
    ("visits", "allowance"),
    [
        ([], TRIAL),
        ([True] * TRIAL, None),
        ([False] * TRIAL, AGAIN),
        ([False] * (TRIAL - 1), 1),  # the last one of the trial
        ([True, False] * TRIAL, None),
        ([True] * 1000 + [False] * 30, None),
        ([True] * 1000 + [False] * (MOST + 1), AGAIN),  # an honest site changes its software
        ([False] * 1000 + [True] * (MOST + 1), None),  # and back
    ],
)
def test_a_host_is_believed_while_its_dates_are_right(visits, allowance):
    assert after(visits).allowance == allowance


@dataclass
class Sitemap(Server):
    """`dates`: path -> the date of the page at a moment, seconds since the epoch."""

    dates: dict = None
    form: str = "<urlset>{}</urlset>"
    entry: str = "<url><loc>{}</loc><lastmod>{}</lastmod></url>"

    def body(self, now):
        dates = {path: datetime.fromtimestamp(date(now), UTC).isoformat() for path, date in self.dates.items()}
        return self.form.format("".join(self.entry.format(*each) for each in dates.items())).encode()

    def etag(self, now):
        return f'"{xxhash.xxh3_64_hexdigest(self.body(now))}"'

    def last_modified(self, now):
        return ""


ATOM = {
    "form": '<feed xmlns="http://www.w3.org/2005/Atom">{}</feed>',
    "entry": '<entry><link href="{}"/><updated>{}</updated></entry>',
}


def site(name, chance, dates_of, changes=2, **form):
    """A page, others that change now and then, and a sitemap with dates: `dates_of` page -> a function of time."""
    pages = {
        f"/{number}": Server(changes=tuple(sorted(chance.uniform(8, DAYS - 4) for _ in range(changes))))
        for number in range(PAGES)
    }
    listing = Sitemap(dates={path: dates_of(page) for path, page in pages.items()}, type="application/xml", **form)
    return {name: Server(), f"{name}/sitemap.xml": listing} | {f"{name}{path}": page for path, page in pages.items()}


def lag(directory, pages):
    """Host -> the mean days from each change to the visit that finds it, for changes that one has found."""
    rows = query(directory, "SELECT url, started FROM visit WHERE kind = 'page' ORDER BY started")
    result = {}
    for name, page in pages.items():
        host, _, path = name.partition("/")
        visits = [started for url, started in rows if f"//{host}:" in url and url.endswith(f"/{path}")]
        for day in page.changes:
            late = [(started - BEGIN) / DAY - day for started in visits if (started - BEGIN) / DAY >= day]
            result.setdefault(host, []).append(min(late, default=DAYS - day))
    return {host: sum(late) / len(late) for host, late in result.items() if late}


def crawled(directory, signals):
    """Crawl an honest site, one with an honest feed, and one whose pages never change and whose dates are of now."""
    chance, clock = random.Random(8), Clock()
    pages = site("honest.test", chance, lambda page: page.changed_at)
    pages |= site("feed.test", chance, lambda page: page.changed_at, **ATOM)
    pages |= site("liar.test", chance, lambda page: lambda now: now - 60, changes=0)
    pages |= site("future.test", chance, lambda page: lambda now: now + 9 * DAY, changes=0)
    keys = {
        "revisit.policy": "uniform",
        "revisit.budget": BUDGET,
        "revisit.signals": signals,
        "sitemaps.use": "yes",
        "revisit.longest": 60 * DAY,
    }
    with served(pages, clock) as port:
        recrawl(directory, [name for name in pages if "/" not in name], port, clock, DAYS * DAY, keys)
    assert verified(directory) == ""
    believed = "SELECT host, hits, misses FROM signal JOIN site ON site.id = site"
    return lag(directory, pages), {host.partition(":")[0]: rest for host, *rest in query(directory, believed)}


@pytest.mark.slow
def test_announced_changes_are_found_soon_and_liars_are_found_out(tmp_path):
    without, nothing = crawled(tmp_path / "without", "no")
    late, beliefs = crawled(tmp_path / "signals", "yes")
    assert nothing == {}
    for host in ("honest.test", "feed.test"):
        assert late[host] < without[host] / 2
        assert late[host] < 2  # a day until the sitemap is read again, and the visits before in the queue
        assert beliefs[host][0] > 0.8 * sum(beliefs[host])
    hits, misses = beliefs["liar.test"]
    assert hits == 0 and misses <= TRIAL + DAYS * AGAIN
    assert "future.test" not in beliefs


@pytest.mark.slow
def test_a_signal_waits_for_expiry_and_for_the_shortest_interval(tmp_path):
    """A page that is announced each day has a visit in four days."""
    chance, counts = random.Random(1), {}
    for name, keys in (("expiry", {"revisit.obey_expiry": "yes"}), ("shortest", {"revisit.shortest": 4 * DAY})):
        clock = Clock()
        pages = site("a.test", chance, lambda page: page.changed_at, changes=0)
        changing = pages["a.test/0"]
        changing.changes = tuple(range(1, DAYS))
        changing.fields = lambda now: {"Cache-Control": f"max-age={4 * DAY:.0f}"}
        keys |= {"revisit.policy": "uniform", "revisit.budget": 5, "revisit.signals": "yes", "sitemaps.use": "yes"}
        with served(pages, clock) as port:
            recrawl(tmp_path / name, ["a.test"], port, clock, 20 * DAY, keys)
        counts[name] = changing.asked
    assert all(4 <= count <= 6 for count in counts.values()), counts
