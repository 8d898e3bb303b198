"""The counters of a crawl, as table `crawl` stores them from one run to the next."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ttcrawl.output.counters import Counters

if TYPE_CHECKING:
    from ttcrawl.frontier.frontier import Frontier
    from ttcrawl.frontier.ledger import Ledger
    from ttcrawl.frontier.seen import SeenFigures


def counters_of(about: Mapping[str, str]) -> Counters:
    pages, relevant, links, size = (_total(about, name) for name in ("pages", "relevant", "found", "bytes"))
    return Counters(
        pages=pages,
        no_page=_total(about, "no_page"),
        relevant=relevant,
        links=links,
        bytes=size,
        readers=readers_of(about),
    )


def readers_of(about: Mapping[str, str]) -> Counter[str]:
    """HTML pages by what read them: vocabulary.reader.COMPILED, or why Python did."""
    return Counter(json.loads(about.get("readers", "{}")))


def figures_of(about: Mapping[str, str]) -> SeenFigures:
    from ttcrawl.frontier.seen import SeenFigures  # ttcrawl status reads counters too, and needs no frontier

    return SeenFigures(*(int(about.get(f"seen_{name}", 0)) for name in ("tests", "maybe", "false")))


def restore(about: Mapping[str, str], ledger: Ledger, frontier: Frontier) -> None:
    """Continue the counts of the last run."""
    ledger.refused, ledger.unrecorded = _total(about, "refused"), _total(about, "unrecorded")
    ledger.aside, frontier.queued = _total(about, "aside"), _total(about, "queued")
    ledger.in_scope = _total(about, "in_scope")


def rows(counters: Counters, ledger: Ledger, frontier: Frontier, figures: SeenFigures) -> dict[str, object]:
    """Return name -> value, for table `crawl`."""
    return {
        "seen_tests": figures.tests,
        "seen_maybe": figures.maybe,
        "seen_false": figures.false,
        "total_pages": counters.pages,
        "total_no_page": counters.no_page,
        "total_relevant": counters.relevant,
        "total_found": counters.links,
        "total_bytes": counters.bytes,
        "total_queued": frontier.queued,
        "total_refused": ledger.refused,
        "total_unrecorded": ledger.unrecorded,
        "total_aside": ledger.aside,
        "total_in_scope": ledger.in_scope,
        "readers": json.dumps(counters.readers),
    }


def _total(about: Mapping[str, str], name: str) -> int:
    return int(about.get(f"total_{name}", 0))
