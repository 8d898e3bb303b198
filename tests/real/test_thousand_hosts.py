"""A thousand hosts at a delay of two seconds, all busy at once: as fast as politeness allows, and never faster."""

from collections import defaultdict
from itertools import pairwise

import pytest

from tests.crawling import crawl
from tests.site import Answer, Web, page

HOSTS, PAGES, DELAY = 1000, 40, 2.0


@pytest.mark.slow
def test_a_thousand_hosts_within_three_percent_of_the_floor(tmp_path):
    pages = {}
    for number in range(HOSTS):
        host = f"h{number}.test"
        pages[host, "/robots.txt"] = Answer(status=404)
        pages[host, "/"] = Answer(body=page(*(f"/{n}" for n in range(1, PAGES))))
        pages.update({(host, f"/{n}"): Answer(body=page("/")) for n in range(1, PAGES)})
    with Web(pages) as web:
        seeds = tmp_path / "seeds.txt"
        seeds.write_text("\n".join(web.url(f"h{number}.test", "/") for number in range(HOSTS)))
        options = ("--seeds", seeds, "--set", f"politeness.delay={DELAY}")
        done = crawl(web, [], tmp_path / "c", *options, timeout=300)
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
    print(f"{took:.2f} s, floor {floor:.0f} s, {took / floor - 1:+.2%}; smallest gap {min(gaps):.4f} s")
    assert took <= floor * 1.03
