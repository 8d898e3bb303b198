"""What must hold at the end of a long crawl: the truth, the order of the archive, politeness, memory, answers."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby, pairwise
from urllib.parse import urlsplit

from tests.soak.weeks.play import LOWER, Play
from tests.soak.weeks.watch import Sample
from tests.soak.weeks.web import EXCLUDED, truth
from tests.support.crawls.crawling import query, verified
from ttcrawl.engine.reporting.metrics import EVERY

#: Seconds between requests to one address, whatever the host (the default of [politeness] address_delay).
ADDRESS_DELAY = 0.2

WRITTEN = "ttcrawl_written_seconds"

COUNTERS = ("ttcrawl_pages_total", "ttcrawl_links_total", "ttcrawl_bytes_total", "ttcrawl_seconds_total")

#: Seconds that a busy server may take to read and answer a request whose process was killed: the crawl counts from the
#: end of the process. Such a request is made again.
LAG = 0.1

#: The step with which each path was excluded.
STEPS = {"/calendar/1": "add_a_rule", "/late/1": "mend_and_try_again"}


def wrong(play: Play) -> list[str]:
    """Everything that does not hold."""
    steps = (_states, _rules, _polite, _order, _answers, _metrics, _estimates, _memory)
    return [line for step in steps for line in step(play)]


def _states(play: Play) -> Iterator[str]:
    rows = query(play.crawl, "SELECT url, state, reason FROM url")
    states = {}
    for url, state, reason in rows:
        parts = urlsplit(url)
        states[parts.hostname, parts.path] = (state, reason)
    early = {
        path: {host for (host, other), (state, _) in states.items() if other == path and state == "fetched"}
        for path in EXCLUDED
    }
    expected = truth(play.web, early)
    if len(rows) != len(states):
        yield f"{len(rows) - len(states)} URLs are there twice"
    only = set(EXCLUDED.values())
    for key in sorted(expected.keys() | states.keys()):
        if key[1] in only and states.get(key) == ("refused", "depth"):
            continue  # it was too deep, and what leads to it is excluded now
        if states.get(key) != expected.get(key):
            yield f"{key}: {states.get(key)} instead of {expected.get(key)}"


def _rules(play: Play) -> Iterator[str]:
    """No request after a path was excluded."""
    for path, step in STEPS.items():
        late = [hit for hit in play.hits if hit.path == path and hit.arrived > play.moments[step]]
        if late:
            yield f"{path} was requested {len(late)} times after it was excluded"


def _polite(play: Play) -> Iterator[str]:
    """By the log of the servers."""
    least = {each.name: each.delay for each in play.web.hosts}
    address = {each.name: each.address for each in play.web.hosts}
    lowered = play.moments["add_seeds"]
    by_host, by_address = defaultdict(list), defaultdict(list)
    for hit in play.hits:
        by_host[hit.host].append(hit)
        by_address[address[hit.host]].append(hit)
    for host, hits in by_host.items():
        for before, after in pairwise(hits):
            delay = least[host] or (play.unit if after.arrived < lowered else LOWER * play.unit)
            gap = after.arrived - (before.answered or before.arrived)
            lag = LAG if before.path == after.path else 0.0
            if gap < delay - lag:
                yield f"{host}: {after.path} {gap:.3f} s after {before.path}, the delay is {delay:g} s"
    for each, hits in by_address.items():
        for before, after in pairwise(hits):
            if after.arrived - (before.answered or before.arrived) < ADDRESS_DELAY:
                yield f"{each}: two requests within {after.arrived - (before.answered or before.arrived):.3f} s"


def _order(play: Play) -> Iterator[str]:
    if told := verified(play.crawl):
        yield f"verify: {told}"
    if "Traceback" in play.log.read_text():
        yield f"a traceback is in {play.log}"


def _answers(play: Play) -> Iterator[str]:
    took = [each.answered_in for each in play.samples]
    if len(took) < 10:
        yield f"status was read {len(took)} times"
    elif statistics.median(took) > 2:
        yield f"status takes {statistics.median(took):.1f} s"


def _metrics(play: Play) -> Iterator[str]:
    """They are new, and no counter falls within a run."""
    for each in play.samples:
        age = each.at - max(each.begun, each.metrics.get(WRITTEN, 0.0))
        if age > 3 * EVERY:
            yield f"metrics: {age:.0f} s old"
    for _, samples in groupby((each for each in play.samples if each.metrics.get(WRITTEN, 0.0) > each.begun), _run):
        for earlier, later in pairwise(samples):
            for name in COUNTERS:
                if later.metrics[name] < earlier.metrics[name]:
                    yield f"metrics: {name} falls from {earlier.metrics[name]:g} to {later.metrics[name]:g}"


def _run(each: Sample) -> int:
    return each.run


def _estimates(play: Play) -> Iterator[str]:
    """Status tells how long the queue takes at least."""
    for left, true, bound in estimates(play):
        if left > 1.1 * true + play.unit:
            yield f"status: {left:,.0f} s left ({bound}), and the end came in {true:,.0f} s"


def _memory(play: Play) -> Iterator[str]:
    """In the last third not much more than in the middle one."""
    third = len(play.samples) // 3
    middle = max((each.memory for each in play.samples[third : 2 * third]), default=0)
    last = max((each.memory for each in play.samples[2 * third :]), default=0)
    if last > 1.25 * middle:
        yield f"memory grows: {middle / 1e6:,.0f} MB, then {last / 1e6:,.0f} MB"


def estimates(play: Play) -> list[tuple[float, float, str]]:
    """(Seconds left by status, seconds until the end, what bounds it) of each sample."""
    return [
        (each.seconds_left, play.moments["end"] - each.at, each.bound)
        for each in play.samples
        if each.seconds_left is not None
    ]
