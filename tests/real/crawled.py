"""Crawls of documentation sites that nginx serves."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import ada_url

from benchmarks.docsites import DocSites, Logged


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    rows: dict[str, tuple[str, int | None]]  # URL -> state, status; without what was refused
    unfinished: list[str]
    requests: list[Logged]  # as nginx saw them


def crawl(sites: DocSites, seeds: Iterable[str], directory: Path, *options: str) -> Crawled:
    command = [sys.executable, "-m", "ttcrawl", "crawl", *seeds, "-d", str(directory), "--no-obey-delay"]
    command += ["--set", "scope.extensions="]  # the walk follows links to pictures too
    for entry in sites.resolve:
        command += ["--resolve", entry]
    since = sites.mark()
    done = subprocess.run([*command, "--progress", "none", *options], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stdout}\n{done.stderr}"
    with closing(sqlite3.connect(directory / "crawl.db")) as database:
        rows = database.execute(
            "SELECT url.url, url.state, page.status FROM url LEFT JOIN page ON page.url = url.id"
            " WHERE url.state <> 'refused'"
        ).fetchall()
    return Crawled(
        rows={url: (state, status) for url, state, status in rows},
        unfinished=[url for url, state, _ in rows if state == "queued"],
        requests=[request for request in sites.log(since) if request.agent.startswith("ttcrawl/")],
    )


def canonical(walked: dict[str, int], host: str | None = None) -> dict[str, int]:
    """The walk in the spelling of the URL standard, in which the crawler keeps its URLs."""
    spelled: dict[str, int] = {}
    for url, status in walked.items():
        if host in (None, urlsplit(url).hostname):
            assert spelled.setdefault(ada_url.normalize_url(url), status) == status, f"two answers for {url}"
    return spelled
