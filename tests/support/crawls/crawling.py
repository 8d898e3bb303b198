"""Run the command as a user does, and read what it left behind with SQL."""

from __future__ import annotations

import io
import sqlite3
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from tests.support.crawls.preforked import run
from tests.support.web.site import Web
from ttcrawl.cli import main


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    status: int
    out: str
    err: str
    directory: Path

    def query(self, sql: str) -> list[tuple]:
        return query(self.directory, sql)

    def states(self) -> dict[str, tuple[str, str]]:
        """URL -> state, reason."""
        return {url: (state, reason) for url, state, reason in self.query("SELECT url, state, reason FROM url")}


def query(directory: Path, sql: str) -> list[tuple]:
    """The committed rows of a crawl."""
    with closing(sqlite3.connect(f"file:{directory}/crawl.db?mode=ro", uri=True)) as database:
        return database.execute(sql).fetchall()


def command(*options: object) -> list[str]:
    return [sys.executable, "-m", "ttcrawl", *map(str, options)]


def options_for(web: Web) -> list[str]:
    return [part for entry in web.resolve for part in ("--resolve", entry)]


def crawl(web: Web, seeds: str | list[str], directory: Path, *options: object, timeout: float = 120) -> Crawled:
    """`ttcrawl crawl SEED... -d DIRECTORY`, to its end."""
    seeds = [seeds] if isinstance(seeds, str) else seeds
    begin = ("crawl", *seeds, "-d", directory, *options_for(web), "--progress", "none", *options)
    done = run(*begin, cwd=directory.parent, timeout=timeout)
    return Crawled(status=done.returncode, out=done.stdout, err=done.stderr, directory=directory)


def verified(directory: Path) -> str:
    """ "" where `ttcrawl verify` finds nothing wrong, else what it says. In this process, where it is done sooner."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        status = main(["verify", str(directory)])
    return said.getvalue() if status else ""
