"""Recorded webs without a server: crawls of a model, in the database of a real crawl."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from tests.support.faults.simulation import ModelWeb, Simulation, Site
from ttcrawl.config import example, read
from ttcrawl.lab.bench import tried_of
from ttcrawl.lab.curves import Measure
from ttcrawl.lab.record import RecordedWeb
from ttcrawl.lab.settings import config_of
from ttcrawl.lab.trial import trial
from ttcrawl.snapshot.snapshot import View, view

#: Hosts, and the pages of each.
HOSTS, PAGES = 4, 30

#: So many different bodies that no two pages have the same.
DISTINCT = 10**15

SETTINGS = [("scope.scope", "any"), ("politeness.address_delay", "0"), ("duplicates.soft_404", "0")]


def model(hosts: int = HOSTS, pages: int = PAGES, **more: object) -> ModelWeb:
    sites = {f"h{each}.test": Site(addresses=(f"192.0.2.{each}",)) for each in range(hosts)}
    return ModelWeb(sites=sites, pages=pages, **{"bodies": DISTINCT, "seconds": (0.05, 0.2, 0.4)} | more)


def record(directory: Path, web: ModelWeb, settings: Mapping[str, str] = {}) -> Path:
    """Crawl a model; return the directory of the crawl."""
    keys = [*SETTINGS, *settings.items()]
    simulation = Simulation(directory, web, read(None, keys))
    (directory / "config.ini").write_text(example(simulation.config))
    with simulation.life() as (crawl, store):
        store.set(seeds="\n".join(f"http://{name}/0" for name in web.sites), finished="done", started=1000.0)
        simulation.run(crawl)
    return directory


def crawled_again(directory: Path) -> Path:
    """Let each page have had another body ten days before."""
    with closing(sqlite3.connect(directory / "crawl.db")) as database:
        columns = ", ".join(
            "zeroblob(16)" if name == "digest" else "time - 864000" if name == "time" else f'"{name}"'
            for _, name, *_ in database.execute("PRAGMA table_info(page)")
        )
        database.execute(f"INSERT INTO earlier_page SELECT {columns} FROM page")
        database.commit()
    return directory


@contextmanager
def recorded(directory: Path) -> Iterator[tuple[View, RecordedWeb]]:
    with view(directory) as crawl:
        yield crawl, RecordedWeb(crawl)


def tried(directory: Path, name: str, *settings: tuple[str, str], seed: int = 0):
    """The visits of a policy, and its curves."""
    with recorded(directory) as (crawl, web):
        chosen = tried_of(name)
        done = trial(
            web,
            name,
            chosen.policy,
            config_of(crawl.config_path, chosen.policy.settings, settings, chosen.settings),
            seed,
        )
        return done, Measure(web).curves(done)
