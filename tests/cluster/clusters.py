"""Clusters of real processes: the command as a user gives it, and what the rings left behind, read with SQL."""

import json
import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.support.crawls.crawling import options_for, query
from tests.support.crawls.preforked import run
from tests.support.faults.killing import FAST, start
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.cluster.plan import read_plan
from ttcrawl.web.url import host

HOSTS = tuple(f"www.site{number}.test" for number in range(8))


def web_of(pages_per_host=6, seed=1, **options):
    """Pages of several domains, all reachable from the first one."""
    return Web(mesh(HOSTS, pages_per_host, seed), **options)


def seed_of(web):
    return web.url(HOSTS[0], "/")


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str
    directory: Path

    def members(self):
        return json.loads((self.directory / "cluster.json").read_text())["members"]

    def rings(self):
        """All rings, also those that have left."""
        return self.members()["processes"]

    def states(self):
        """URL -> (state, reason) by the ring that has requested it, else by its owner, else by any that refused it."""
        members, found = self.members(), {}
        owners = read_plan(self.directory).table()
        for ring in self.rings():
            for url, state, reason in query(self.directory / f"ring-{ring}", "SELECT url, state, reason FROM url"):
                owner = owners.ring_of(host(url)) == ring
                requested = state != "refused"
                assert owner or not requested or members["epoch"], url
                if reason != "foreign" and (requested or owner or url not in found):
                    found[url] = state, reason
        return found


def crawl_options(web, seeds, directory, rings, *options):
    seeds = [seeds] if isinstance(seeds, str) else seeds
    return ("cluster", "crawl", *seeds, "-d", directory, "--rings", rings, *options_for(web), *FAST, *options)


def finished(directory, *options):
    """`ttcrawl cluster ...`, to its end."""
    done = run(*options, "--progress", "none", cwd=directory.parent, timeout=300)
    return Done(done.returncode, done.stdout, done.stderr, directory)


def clustered(web, directory, rings, *options):
    """`ttcrawl cluster crawl`, to its end."""
    return finished(directory, *crawl_options(web, seed_of(web), directory, rings, *options))


def begun(web, directory, rings, *options):
    """`ttcrawl cluster crawl`, running."""
    return start(directory.parent, *crawl_options(web, seed_of(web), directory, rings, *options))


def requests(web, before=0):
    """(Host, path) of each request behind the first ones, without those for robots.txt."""
    return [(each.host, each.path) for each in web.log()[before:] if each.path != "/robots.txt"]


def ring_process(directory, ring):
    """The process of a ring that is running, 0 if there is none."""
    with suppress(OSError, ValueError):
        return int((directory / f"ring-{ring}" / "lock").read_text())
    return 0


def kill_ring(directory, ring):
    """SIGKILL to the crawl process of a ring; whether there was one."""
    with suppress(ProcessLookupError):
        if process := ring_process(directory, ring):
            os.kill(process, signal.SIGKILL)
            return True
    return False
