"""A thousand hosts at a delay of four seconds, all busy at once: as fast as politeness allows, and never faster."""

from collections import defaultdict
from itertools import pairwise

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web, page

#: Nearly three minutes: a thousand hosts take two to four seconds to start on two cores, however long the crawl is.
#: With half the delay the processors of a slow machine are the limit, which have to serve the pages, too.
HOSTS, PAGES, DELAY = 1000, 40, 4.0


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_thousand_hosts_within_three_percent_of_the_floor(tmp_path):
    """In one of three rounds: others keep the machine busy at times, and that makes no crawl faster."""
    rounds = []
    while len(rounds) < 3 and min(rounds, default=9) > 1.03:
        rounds.append(one_crawl(tmp_path / str(len(rounds))))
        print(f"{rounds[-1] - 1:+.2%} over the floor")
    assert min(rounds) <= 1.03, rounds


def one_crawl(directory):
    """How long it took, in terms of its floor; never faster."""
    directory.mkdir()
    pages = {}
    for number in range(HOSTS):
        host = f"h{number}.test"
        pages[host, "/robots.txt"] = Answer(status=404)
        pages[host, "/"] = Answer(body=page(*(f"/{n}" for n in range(1, PAGES))))
        pages.update({(host, f"/{n}"): Answer(body=page("/")) for n in range(1, PAGES)})
    with Web(pages) as web:
        seeds = directory / "seeds.txt"
        seeds.write_text("\n".join(web.url(f"h{number}.test", "/") for number in range(HOSTS)))
        options = ("--seeds", seeds, "--set", f"politeness.delay={DELAY}", "--set", "traps.same_content=0")
        done = crawl(web, [], directory / "c", *options, timeout=300)
        log = web.log()
    assert done.status == 0, done.err
    assert done.query("SELECT state, count(*) FROM url GROUP BY 1") == [("fetched", HOSTS * PAGES)]
    hits = defaultdict(list)
    for hit in log:
        hits[hit.host].append(hit)
    assert {len(each) for each in hits.values()} == {PAGES + 1}
    gaps = [later.arrived - earlier.answered for each in hits.values() for earlier, later in pairwise(each)]
    assert min(gaps) >= DELAY
    floor = PAGES * DELAY
    took = max(hit.arrived for hit in log) - min(hit.arrived for hit in log)
    return took / floor
