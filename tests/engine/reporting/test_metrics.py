"""The file of metrics, read by Prometheus' own parser."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.crawls.crawling import crawl
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page
from ttcrawl.engine.reporting.metrics import METRICS, Metrics, Series, text
from ttcrawl.output.counters import Snapshot

SNAPSHOT = Snapshot(**dict.fromkeys(Snapshot.__slots__, 0) | {"pages": 7, "seconds": 1.5})


def values(content: str) -> dict[str, tuple[str, float, str]]:
    """Metric -> type, value, label `directory`."""
    families = list(text_string_to_metric_families(content))
    return {
        sample.name: (family.type, sample.value, sample.labels["directory"])
        for family in families
        for sample in family.samples
    }


def test_every_name_of_a_directory_is_a_label() -> None:
    odd = 'a "b" \\ c\nd'
    read = values(text([Series({"directory": odd}, {"pages": 2}, SNAPSHOT)], 12.5, running=True))
    assert read["ttcrawl_pages_total"] == ("counter", 5.0, odd) and read["ttcrawl_pages"] == ("gauge", 7.0, odd)
    assert read["ttcrawl_seconds_total"] == ("counter", 1.5, odd)
    assert read["ttcrawl_running"] == ("gauge", 1.0, odd) and read["ttcrawl_written_seconds"][1] == 12.5
    assert read.keys() == METRICS.keys() | {"ttcrawl_running", "ttcrawl_written_seconds"}


def test_rings_are_told_apart_by_a_label(tmp_path: Path) -> None:
    metrics = Metrics(tmp_path / "all.prom", tmp_path, pytest.fail)
    for ring, pages in ((1, 7), (2, 9)):
        metrics.begin({"pages": 2}, ring)
        metrics.begin({"pages": 99}, ring)  # another process of the same ring goes on
        metrics.show(replace(SNAPSHOT, pages=pages), ring)
    metrics.close()
    families = text_string_to_metric_families((tmp_path / "all.prom").read_text())
    read = {(each.name, each.labels["ring"]): each.value for family in families for each in family.samples}
    assert [read["ttcrawl_pages_total", ring] for ring in "12"] == [5.0, 7.0]
    assert [read["ttcrawl_pages", ring] for ring in "12"] == [7.0, 9.0]
    assert [read["ttcrawl_running", ring] for ring in "12"] == [0.0, 0.0]


@pytest.mark.slow
def test_a_crawl_writes_its_figures(tmp_path: Path) -> None:
    pages = {("a.test", "/"): Answer(body=page("/1", "/2", "/3"))}
    with Web(pages | {("a.test", f"/{n}"): Answer(body=page()) for n in (1, 2)}) as web:
        file = tmp_path / "crawl.prom"
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--set", f"crawl.metrics={file}")
    assert done.status == 0, done.err
    read = values(file.read_text())
    assert {name: value for name, (_, value, _) in read.items() if name in NAMES} == NAMES
    assert abs(read["ttcrawl_written_seconds"][1] - time.time()) < 60


@pytest.mark.slow
def test_counters_begin_with_a_run(tmp_path: Path) -> None:
    """A requeue, or a kill, makes totals of all runs smaller; a counter that falls counts anew in Prometheus."""
    file, busy = tmp_path / "crawl.prom", Answer(status=503)
    pages = {("a.test", "/"): Answer(body=page("/1", "/2")), ("a.test", "/1"): [busy, Answer(body=page("/3"))]}
    with Web(pages) as web:
        options = ("--no-obey-delay", "--set", "fetch.retries=0", "--set", "politeness.backoff=0.1")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options, "--set", f"crawl.metrics={file}")
        first = values(file.read_text())
        assert run("requeue", done.directory, "--reason", "http 503").returncode == 0
        assert run("resume", done.directory, "--progress", "none").returncode == 0
    second = values(file.read_text())
    both = [[read[name][1] for name in ("ttcrawl_pages_total", "ttcrawl_pages")] for read in (first, second)]
    assert both == [[3, 3], [2, 4]]


NAMES = {"ttcrawl_pages_total": 4, "ttcrawl_queued": 0, "ttcrawl_errors_total": 1, "ttcrawl_running": 0}


@pytest.mark.slow
def test_a_file_that_cannot_be_written_is_said_once(tmp_path: Path) -> None:
    with Web({("a.test", "/"): Answer(body=page())}) as web:
        nowhere = f"crawl.metrics={tmp_path}/none/crawl.prom"
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--set", nowhere)
    assert done.status == 0
    assert done.err.count("cannot write [crawl] metrics") == 1 and "the crawl goes on without it" in done.err


def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    """Nor is a device: for root /dev/null would be a file afterwards."""
    path, said = tmp_path / "pipe", list[str]()
    os.mkfifo(path)
    Metrics(path, tmp_path, said.append).close()
    assert path.is_fifo() and said == [
        f"cannot write [crawl] metrics {path}: is not a regular file; the crawl goes on without it"
    ]
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    Metrics(link, tmp_path, said.append).close()
    assert link.is_symlink() and "ttcrawl_running" in target.read_text()


def test_a_part_of_the_crawl_is_not_replaced_and_ends_no_crawl(tmp_path: Path) -> None:
    (tmp_path / "crawl.db").write_text("tables")
    (tmp_path / "config.ini").write_text("mine")
    said = list[str]()
    metrics = Metrics(tmp_path / "config.ini", tmp_path, said.append)
    metrics.begin({})
    for _ in range(2):
        metrics.show(SNAPSHOT)
        metrics.close()
    assert (tmp_path / "config.ini").read_text() == "mine"
    assert len(said) == 1 and "is a part of the crawl in" in said[0] and "the crawl goes on without it" in said[0]
