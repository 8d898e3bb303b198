"""A frontier with a queue that stands in for the database."""

from tests.frontier.builder import frontier
from ttcrawl.config import Frontier as FrontierSettings
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.rulebook import Rulebook
from ttcrawl.frontier.turn import Refusal
from ttcrawl.web.robots import reader


class Queue:
    """What the table `url` does for the frontier. `bound`: URLs in memory, of all hosts together while they are few."""

    def __init__(self, **politeness):
        bound, memory = politeness.pop("bound", 1000), politeness.pop("memory", 1 << 20)
        priority, hosts = politeness.pop("priority", "depth"), politeness.pop("hosts", 1)
        self.texts = {}  # site -> robots.txt
        self.rows = {}  # id -> (site, Queued)
        self.loads = 0
        self.refused = []
        self.frontier = frontier(
            FrontierSettings(hosts=hosts, urls_per_host=bound, priority=priority),
            load=self.load,
            rulebook=Rulebook(reader("ttcrawl"), lambda site: self.texts[site], memory),
            **{"address_delay": 0} | politeness,
        )

    def push(self, host, number, priority=0, url=None):
        queued = Queued(id=number, url=url or f"http://{host.name}/{number}", depth=0, priority=priority)
        self.rows[number] = (host.site, queued)
        self.frontier.push(host, queued)

    def load(self, site, limit):
        self.loads += 1
        waiting = sorted((q.priority, q.id) for s, q in self.rows.values() if s == site)
        return [Queued(id=n, url=self.rows[n][1].url, depth=0, priority=p) for p, n in waiting[:limit]]

    def take(self, now):
        """The next turn that is due, or None; refusals before it are processed."""
        while isinstance(taken := self.frontier.take(now), Refusal):
            self._refuse(taken)
        return taken

    def _refuse(self, refusal):
        self.refused.append((refusal.subject.id, refusal.state, refusal.reason))
        if isinstance(refusal.subject, Queued):
            self.settle(refusal.host, refusal.subject)
        else:
            self.frontier.probing.processed()

    def settle(self, host, queued):
        del self.rows[queued.id]
        self.frontier.settled(host, queued)

    def open(self, name, robots=""):
        host = self.frontier.new_host(len(self.frontier.hosts), name)
        self.texts[host.site] = robots
        self.frontier.robots_read(host, robots)
        return host

    def drain(self, now=0.0):
        """Take and settle until nothing is left; the ids with the moment each was taken."""
        taken = []
        while self.frontier.queued:
            turn = self.take(now)
            if turn is None:
                now = self.frontier.next_moment()
                assert now < float("inf") or not self.frontier.queued
                continue
            taken.append((turn.queued.id, now))
            self.settle(turn.host, turn.queued)
            self.frontier.release(turn, now)
        return taken
