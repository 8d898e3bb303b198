"""A cluster whose rings request pages of a real server, one ring after the other in this process."""

import time
import uuid
from contextlib import ExitStack, closing

from ttcrawl.cluster.conductor import Waves
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.messages import Finish
from ttcrawl.cluster.post import CONDUCTOR, Post
from ttcrawl.cluster.presence import Presence
from ttcrawl.cluster.route import table
from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_scope
from ttcrawl.engine.environment import Environment
from ttcrawl.engine.inline import InlineRing
from ttcrawl.engine.loop import Crawl
from ttcrawl.engine.run import directory
from ttcrawl.engine.run.archive import run_of
from ttcrawl.engine.run.seeds import seed_links
from ttcrawl.frontier.bounds import bounds
from ttcrawl.ring.clock import SteadyClock
from ttcrawl.ring.messages import HEAD_ROOM
from ttcrawl.ring.slots import Slots
from ttcrawl.web.url import host

#: Longest sleep of a ring without an event, seconds; turns of each ring between two waves.
TICK, WAVE = 0.002, 5

#: Buckets of the table: fewer than usual, because a table is made for each test.
BUCKETS = 512


def settings_for(web):
    return {
        "scope.scope": "any",
        "politeness.obey_delay": "no",
        "fetch.resolve": " ".join(web.resolve),
        "fetch.retries": 0,
        "fetch.max_body": 1_000_000,
    }


class RealRing:
    """One ring: its directory, and its crawl."""

    def __init__(self, number, cluster, path):
        config, seeds, run = cluster.config, cluster.seeds, uuid.uuid4().urn
        self.path, self.ended, self._opened = path, False, ExitStack()
        about = {"started": round(time.time(), 3), "seconds": 0.0, "finished": "", "seeds": "\n".join(seeds)}
        about |= {"allowed": "[]", "run": run, "scope": "any", "obey_delay": "no", "delay": 0, "follow": "all"}
        self._store = self._opened.enter_context(directory.fresh(path, config, about))
        clock, scope = SteadyClock.start(), compile_scope(config.scope, seeds, config.hosts)
        slots = self._opened.enter_context(closing(Slots(1, HEAD_ROOM + config.fetch.max_body, 0)))
        (position,) = directory.positions((), 1, run_of(path, run, config, seeds, time.time()))
        arguments = (config, scope, path / "warc", position, clock, slots, frozenset())
        ring = InlineRing(*arguments, sleep=lambda seconds: time.sleep(min(seconds, TICK)))
        self._opened.enter_context(closing(ring))
        self.post = Post(number, founding(cluster.table), cluster.send)
        by_path = bounds(config, None, None, None, scope.ruling)
        given = {"config": config, "store": self._store, "ring": ring, "clock": clock, "bounds": by_path}
        self._crawl = Crawl(Environment(**given, tick=TICK, peers=self.post))
        own = [url for url in seeds if not self.post.is_foreign(host(url))]
        self._crawl.begin(seed_links(own, scope.ruling))

    def turn(self):
        if self.ended:
            return
        if not self._crawl.over():
            self._crawl.turn()
            return
        self._crawl.finish()
        self._store.set(finished=self._crawl.stopped_by or "done", in_flight="")
        self._store.close()
        self.close()

    def kill(self):
        """What was not committed is lost."""
        self._store.rollback()
        self._store.abandon()
        self.close()

    def stop(self, why):
        self._crawl.stop(why)

    def close(self):
        self.ended = True
        self._opened.close()


class RealCluster:
    """Rings of a web, and a conductor. `settings` change the configuration."""

    def __init__(self, place, web, seeds, *, rings, settings=None):
        self.config = Config().changed(settings_for(web) | (settings or {}))
        self.seeds, self.table = tuple(seeds), table(range(1, rings + 1), buckets=BUCKETS)
        self.waves = Waves(self.table.rings)
        self.presence = Presence(self.table.rings, float("inf"), 0.0, fresh=False)
        place.mkdir(exist_ok=True)
        self.rings = {number: RealRing(number, self, place / f"ring-{number}") for number in self.table.rings}

    @property
    def paths(self):
        return [ring.path for ring in self.rings.values()]

    def send(self, ring, message):
        if ring == CONDUCTOR:
            self.waves.hear(message)
            self.presence.hear(message, 0.0)
        elif ring in self.rings and not self.rings[ring].ended:
            self.rings[ring].post.incoming.append(message)

    def run(self, until=None):
        """Until all rings have ended, or `until()`."""
        turn = 0
        while not all(ring.ended for ring in self.rings.values()):
            turn += 1
            if turn % WAVE == 0:
                finished, poll = self.waves.ended(), self.waves.poll()
                for number in self.rings:
                    self.send(number, Finish() if finished else self.presence.question(number, poll, 0.0))
            for ring in self.rings.values():
                ring.turn()
            if until is not None and until():
                return
