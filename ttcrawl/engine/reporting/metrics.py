"""The figures of a running crawl as a file in Prometheus' text format, for its textfile collector."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from msgspec import Struct

from ttcrawl.engine.counter_rows import counters_of
from ttcrawl.errors import UsageError
from ttcrawl.output.counters import Snapshot
from ttcrawl.store.regular import replace_named

#: Seconds between two versions of the file.
EVERY = 10.0

#: Metric -> type, help text, field of the snapshot. Counters begin with a run: a total of all runs falls after a kill
#: or a requeue, and Prometheus takes that for a reset, after which it counts the complete total again.
METRICS = {
    "ttcrawl_seconds_total": ("counter", "Seconds of crawling, in this run.", "seconds"),
    "ttcrawl_pages_total": ("counter", "Fetched pages, in this run.", "pages"),
    "ttcrawl_links_total": ("counter", "Link occurrences on pages, in this run.", "links"),
    "ttcrawl_bytes_total": ("counter", "Bytes of bodies received, in this run.", "bytes"),
    "ttcrawl_redirects_total": ("counter", "URLs that were redirects, in this run.", "moved"),
    "ttcrawl_errors_total": ("counter", "URLs that failed or answered with an error, in this run.", "errors"),
    "ttcrawl_retries_total": ("counter", "Requests that are made again, in this run.", "retries"),
    "ttcrawl_pages": ("gauge", "Fetched pages, with earlier runs.", "pages"),
    "ttcrawl_urls": ("gauge", "Distinct URLs discovered, with earlier runs.", "distinct_urls"),
    "ttcrawl_queued": ("gauge", "URLs in the queue.", "queued"),
    "ttcrawl_in_flight": ("gauge", "Requests under way.", "in_flight"),
    "ttcrawl_hosts_locked": ("gauge", "Hosts with a request under way.", "hosts_locked"),
    "ttcrawl_hosts_waiting": ("gauge", "Hosts that wait for their next permitted moment.", "hosts_waiting"),
}


class Series(Struct):
    """The figures of one crawl process. `before`: the totals with which its run began, by fields of a snapshot."""

    labels: Mapping[str, str]
    before: Mapping[str, float]
    now: Snapshot


class Metrics:
    """Writes the file at `path` every 10 seconds, and at the end. An error is said once and ends nothing."""

    def __init__(self, path: Path, directory: Path, say: Callable[[str], None]) -> None:
        self._path = path
        self._directory = directory
        self._say = say
        self._due = 0.0
        self._series: dict[int, Series] = {}  # by ring; 0: a crawl on one machine
        self._failed = False

    def begin(self, before: Mapping[str, float], ring: int = 0) -> None:
        """Count from these totals on."""
        labels = {"directory": str(self._directory)} | ({"ring": str(ring)} if ring else {})
        self._series.setdefault(ring, Series(labels, before, Snapshot()))

    def show(self, now: Snapshot, ring: int = 0) -> None:
        """Note the figures of a crawl process."""
        self._series[ring].now = now
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + EVERY
            self._write(running=True)

    def close(self) -> None:
        """Write the last figures: the crawl has stopped."""
        self._write(running=False)

    def _write(self, *, running: bool) -> None:
        try:
            content = text(self._series.values(), time.time(), running=running)
            replace_named(self._path, content.encode())
        except (OSError, UsageError) as error:  # it may be named as a part of the crawl, which was not there before
            if not self._failed:
                why = error.strerror if isinstance(error, OSError) else error
                self._say(f"cannot write [crawl] metrics {self._path}: {why}; the crawl goes on without it")
            self._failed = True


def totals(about: Mapping[str, str]) -> dict[str, float]:
    """Return the totals of earlier runs by their fields in a snapshot; `about` is table `crawl`."""
    counters = counters_of(about)
    seconds = float(about.get("seconds", 0))
    return {"seconds": seconds, "pages": counters.pages, "links": counters.links, "bytes": counters.bytes}


def totals_at(now: Snapshot) -> dict[str, float]:
    """Return the same of a process that is at work."""
    return {name: getattr(now, name) for name in ("seconds", "pages", "links", "bytes")}


def text(series: Collection[Series], at: float, *, running: bool) -> str:
    """Return the figures in the text format 0.0.4 (Prometheus, Exposition formats). `at`: seconds since the epoch."""
    lines: list[str] = []
    for name, (kind, about, field) in METRICS.items():
        lines += [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]
        for each in series:
            earlier = each.before.get(field, 0) if kind == "counter" else 0
            lines.append(f"{name}{_labelled(each.labels)} {round(getattr(each.now, field) - earlier, 3)}")
    for name, about, value in (
        ("ttcrawl_running", "1 while the crawl runs, 0 when it has stopped.", int(running)),
        ("ttcrawl_written_seconds", "When this file was written, Unix time.", round(at, 3)),
    ):
        lines += [f"# HELP {name} {about}", f"# TYPE {name} gauge"]
        lines += [f"{name}{_labelled(each.labels)} {value}" for each in series]
    return "\n".join(lines) + "\n"


def _labelled(labels: Mapping[str, str]) -> str:
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
