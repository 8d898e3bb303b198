"""Two minutes that stand for weeks: the steps of `python -m tests.soak.weeks` over fewer hosts."""

from __future__ import annotations

import pytest

from tests.soak.weeks.judge import wrong
from tests.soak.weeks.play import Play
from tests.soak.weeks.web import HEALTH, LIMIT, generated, truth


@pytest.mark.alone
@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_crawl_that_is_stopped_killed_and_changed_ends_complete(tmp_path) -> None:
    play = Play(tmp_path, 200, 120)
    play.play()
    assert wrong(play) == []
    assert play.runs >= 9 and play.killed >= 5 and len(play.hits) > 200 * 12


def test_the_generated_hosts_have_what_the_steps_need() -> None:
    web = generated(50, 1.0)
    assert {each.health for each in web.hosts} == {*HEALTH.values(), "well"}
    assert sum(each.added for each in web.hosts) == 10
    states = set(truth(web, {"/calendar/1": {"h0.test"}, "/late/1": set()}).values())
    refused = {("refused", reason) for reason in ("scope: host", "scope: rule", "robots.txt")}
    answered = {("fetched", "http 200"), ("fetched", "http 404"), ("moved", "http 301")}
    assert states == refused | answered | {("failed", "connection refused")}
    assert max(depths(web.links, "h0.test")) > LIMIT


def depths(links: dict[tuple[str, str], tuple[tuple[str, str], ...]], host: str) -> list[int]:
    """The length of the shortest path to each page of a host."""
    found, ahead = {"/": 0}, ["/"]
    for path in ahead:
        for name, target in links[host, path]:
            if name == host and target not in found:
                found[target] = found[path] + 1
                ahead.append(target)
    return list(found.values())
