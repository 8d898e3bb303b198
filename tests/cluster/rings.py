"""A cluster on the clock of a model: real crawls and tables, and a carrier that loses, doubles and reorders."""

import random
import shutil
import sqlite3
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise

from msgspec.structs import replace

from tests.support.faults.simulation import BEGIN, ModelRing, ModelWeb, Site
from ttcrawl.cluster.conductor import Waves
from ttcrawl.cluster.members import divided, founding, joined, left, table_of
from ttcrawl.cluster.messages import Finish, Stop
from ttcrawl.cluster.post import CONDUCTOR, PORTIONS, Post
from ttcrawl.cluster.presence import Presence
from ttcrawl.cluster.route import table
from ttcrawl.config import Config
from ttcrawl.engine.environment import Environment
from ttcrawl.engine.loop import Crawl
from ttcrawl.engine.run.directory import write_config
from ttcrawl.engine.run.seeds import seed_links
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.inspect.verify import tables, visits
from ttcrawl.inspect.verify.findings import Findings
from ttcrawl.snapshot.snapshot import view
from ttcrawl.store.sqlite import Store
from ttcrawl.web.url import host

#: Longest sleep of a ring without an event, seconds of the model.
TICK = 0.1

#: Digits that moments in seconds since the epoch lose.
TOLERANCE = 1e-6

#: Seconds without an answer after which a ring is absent.
ABSENT = 1e6

#: Turns of a ring between two waves of the conductor, and most turns of a cluster that still ends.
WAVE, MOST = 40, 60_000


def random_web(chance, *, hosts=12, pages=8, links=3, names=()):
    """Pages with few links, so that paths are long and are found in any order."""
    names = names or [f"www.site{each}.test" for each in range(hosts)]
    urls = [f"http://{name}/{page}" for name in names for page in range(pages)]
    sites = {name: Site(addresses=(f"192.0.2.{each % 5}",)) for each, name in enumerate(names)}
    return ModelWeb(sites=sites, pages=pages, listed={url: tuple(chance.sample(urls, links)) for url in urls})


@dataclass(frozen=True)
class Carrier:
    """How often a message is lost or doubled; what is under way arrives in any order."""

    lost: float = 0.0
    doubled: float = 0.0


#: It reorders, and loses nothing.
RELIABLE = Carrier()


class Member:
    """One ring: a directory, and the crawl process that is there now."""

    def __init__(self, number, cluster, directory):
        self.number, self.cluster, self.directory = number, cluster, directory
        self.members = cluster.members
        self.model = ModelRing(cluster.web, cluster.chance, threads=4, most=10**9)
        self.create()

    def create(self):
        self.directory.mkdir()
        with closing(Store(self.directory / "crawl.db", create=True)) as store:
            store.set(seconds=0.0, started=0, finished="", seeds="\n".join(self.cluster.seeds))
        write_config(self.directory, self.cluster.config)
        self.begin()

    def begin(self):
        self.cluster.now = self.model.now
        self.store = Store(self.directory / "crawl.db")
        self.post = Post(self.number, self.members, self.send, self.cluster.portions)
        self.crawl = Crawl(
            Environment(
                config=self.cluster.config,
                store=self.store,
                ring=self.model,
                clock=self.clock,
                bounds=Bounds(max_depth=self.cluster.max_depth),
                tick=TICK,
                peers=self.post,
            )
        )
        own = [url for url in self.cluster.seeds if not self.post.is_foreign(host(url))]
        own = [] if self.members.before else own  # their first owner has them
        self.crawl.begin(seed_links(own, lambda url: ("", "")))
        self.ended = False

    def send(self, ring, message):
        self.cluster.now = self.model.now
        self.cluster.send(ring, message)

    def clock(self):
        return self.model.now

    def turn(self):
        if self.ended:
            return
        if self.crawl.over():
            self.crawl.finish()
            self.store.set(finished=self.crawl.stopped_by or "done")
            self.store.close()
            self.ended = True
            return
        self.crawl.turn()

    def kill(self):
        """What was not committed is lost, and what was sent to the process too."""
        self.store.rollback()
        self.store.abandon()
        self.model.restart()
        self.begin()

    def lose_disk(self):
        """The machine comes back with an empty disk."""
        self.store.abandon()
        shutil.rmtree(self.directory)
        self.model.restart()
        self.members = replace(self.cluster.members, before=())
        self.create()

    def back_up(self, copy):
        """Copy the database as it was committed last."""
        with closing(sqlite3.connect(self.directory / "crawl.db")) as now, closing(sqlite3.connect(copy)) as backup:
            now.backup(backup)

    def restore(self, copy):
        """The machine comes back with a backup in the place of its disk, as the manual says."""
        self.store.abandon()
        shutil.rmtree(self.directory)
        self.directory.mkdir()
        shutil.copy(copy, self.directory / "crawl.db")
        with closing(sqlite3.connect(self.directory / "crawl.db")) as database, database:
            database.execute("DELETE FROM crawl WHERE name = 'incarnation'")
        write_config(self.directory, self.cluster.config)
        self.model.restart()
        self.begin()

    def rows(self):
        with closing(sqlite3.connect(self.directory / "crawl.db")) as database:
            return database.execute("SELECT url, state, reason, depth FROM url").fetchall()


class Cluster:
    """Rings, the messages between them, and a conductor."""

    def __init__(
        self, directory, web, chance, *, rings, seeds, carrier=RELIABLE, max_depth=-1, config=None, portions=PORTIONS
    ):
        self.portions = portions
        self.web, self.chance, self.seeds, self.carrier = web, chance, seeds, carrier
        self.max_depth, self.config = max_depth, config or Config()
        self.table = table(range(1, rings + 1), buckets=512)
        self.under_way, self.now = [], BEGIN
        self.members, self.directory = founding(self.table), directory
        self.waves = Waves(self.table.rings)
        self.presence = Presence(self.table.rings, ABSENT, BEGIN, fresh=False)
        self.stopped = self.finished = False
        directory.mkdir(exist_ok=True)
        self.rings = {each: Member(each, self, directory / f"ring-{each}") for each in self.table.rings}

    def send(self, ring, message):
        if self.chance.random() < self.carrier.lost:
            return
        copies = 2 if self.chance.random() < self.carrier.doubled else 1
        self.under_way += [(self.now, ring, message)] * copies

    def carry(self, number):
        """Deliver some of the messages that are under way to a ring or the conductor, in any order.

        Rings have clocks of their own, so a message arrives when the receiver's clock shows the moment of sending.
        """
        self.chance.shuffle(self.under_way)
        remaining = []
        for moment, ring, message in self.under_way:
            if ring not in (number, CONDUCTOR) or moment > self.now or self.chance.random() < 0.3:
                remaining.append((moment, ring, message))
            elif ring == CONDUCTOR:
                self.waves.hear(message)
                self.presence.hear(message, self.now)
            elif not self.rings[ring].ended:
                self.rings[ring].post.incoming.append(message)
        self.under_way = remaining

    def conduct(self):
        """End the present wave, and begin the next one."""
        ended = self.waves.ended() and self.settled
        self.finished = self.finished or ended
        poll = self.waves.poll()
        for ring in self.rings:
            self.send(ring, Finish() if self.finished else self.presence.question(ring, poll, self.now))
            if self.members.epoch:
                self.send(ring, self.members)

    def join(self):
        """A new ring joins; return its number."""
        number = max(self.rings) + 1
        self._change(joined(self.members, number))
        self.rings[number] = Member(number, self, self.directory / f"ring-{number}")
        self.rings[number].model.now = self.now
        return number

    def leave(self, number):
        self._change(left(self.members, number))

    def split(self, *domains):
        self._change(divided(self.members, domains))

    def _change(self, members):
        self.members = members
        self.table = table_of(members)
        self.waves = Waves(members.processes)
        self.presence.add(members.processes)

    @property
    def settled(self):
        """Whether all rings have the present members, and all hosts that moved."""
        return all(each.post.epoch == self.members.epoch for each in self.rings.values())

    def stop(self, why="interrupted"):
        for member in self.rings.values():
            member.post.incoming.append(Stop(why=why))

    def run(self, *, kills=0, until=None):
        """Until all rings have ended, or `until()`; kill a ring now and then."""
        moments = set(self.chance.sample(range(100, 1500), kills))
        for turn in range(MOST):
            member = min(self.rings.values(), key=lambda each: (each.ended, each.model.now))
            self.now = member.model.now
            self.carry(member.number)
            member.turn()
            if turn % WAVE == 0:
                self.conduct()
            if turn in moments and not self.finished:
                self.chance.choice([each for each in self.rings.values() if not each.ended]).kill()
            if all(each.ended for each in self.rings.values()) or (until is not None and until()):
                return
        raise AssertionError(f"not ended after {MOST} turns, {self.rings[1].model.now - BEGIN} s")

    def log(self):
        return [(exchange, number) for number, each in self.rings.items() for exchange in each.model.log]

    def outcomes(self):
        """URL -> (state, reason, depth): of the ring that has requested it, else of its owner, else of any."""
        found = {}
        for number, member in self.rings.items():
            for url, *outcome in member.rows():
                requested, owner = outcome[0] != "refused", self.table.ring_of(host(url)) == number
                assert owner or not requested or self.members.epoch
                if outcome[1] != "foreign" and (requested or owner or url not in found):
                    found[url] = tuple(outcome)
        return found


def problems(directory):
    """What `verify` finds in the tables: kind -> examples."""
    findings = Findings()
    with view(directory) as database:
        tables.check(database, findings)
        visits.check(database, findings)
    return {finding.kind: finding.examples for finding in findings.all()}


def gaps(cluster, what="address"):
    """(Seconds from the end of a request to the next one at an address or a host, the two rings)."""
    requests_to = defaultdict(list)
    for exchange, ring in cluster.log():
        requests_to[getattr(exchange, what)].append((exchange.start, exchange.end, ring))
    for requests in requests_to.values():
        for (_, end, before), (start, _, after) in pairwise(sorted(requests)):
            yield start - end, before, after


def seeded(number):
    """Python's own generator scatters back-offs."""
    random.seed(number)
    return random.Random(number)
