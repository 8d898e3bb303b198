"""What honest hosts get of the requests that their delays allow."""

from __future__ import annotations

from collections.abc import Iterator

from tests.soak.operate import Operator, Run
from tests.support.web.site import Hit


def shares(hits: dict[str, list[Hit]], operator: Operator) -> Iterator[float]:
    """Of the requests that its delay allows, for each honest host that always has a page that is due.

    Those of all runs that are longer than three delays, from the first request on, which may come a delay late.
    """
    hosts = operator.hosts
    for name, host in hosts.honest.items():
        delay, allowed, sent = hosts.delay(name), 0.0, 0.0
        if host.delay is not None and host.delay < hosts.settings.delay:
            continue  # its pages are visited sooner than they are due again
        for run in operator.runs:
            if run.ended - run.begun > 3 * delay:
                more = _allowed(hits.get(name, []), run, delay)
                allowed, sent = allowed + more[0], sent + more[1]
        if allowed:
            yield sent / allowed


def _allowed(hits: list[Hit], run: Run, delay: float) -> tuple[float, float]:
    """(Requests that a delay allows, requests) in a run; the time since the last one counts as a part of one."""
    own = [hit for hit in hits if run.begun <= hit.arrived <= run.ended]
    begin = own[0].arrived if own else run.begun + 2 * delay
    took = sum((hit.answered or hit.arrived) - hit.arrived for hit in own) / max(1, len(own))
    last = min(1.0, (run.ended - own[-1].arrived) / (delay + took)) if own else 0.0
    return (run.ended - begin) / (delay + took), len(own[1:]) + last
