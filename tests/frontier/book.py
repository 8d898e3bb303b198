"""A ledger with its tables and its frontier."""

import sqlite3

from tests.frontier.builder import frontier
from tests.support.crawls.any_messages import UNREAD, sample
from ttcrawl.config import Frontier as FrontierSettings
from ttcrawl.config import Seen as SeenSettings
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.frontier.priority import queue_order
from ttcrawl.frontier.seen import Seen
from ttcrawl.ring.columns import Topic
from ttcrawl.ring.messages import NOT_FOLLOWED, Link, Page
from ttcrawl.store.rows import Relevance
from ttcrawl.store.sqlite import Store
from ttcrawl.topic.links import STEP
from ttcrawl.web.url import key


def link(path, distance, refused="", key_of=key, score=0):
    url = f"http://a.test{path}"
    return Link(url=url, key=key_of(url), host="a.test", distance=distance, refused=refused, score=score)


class Book:
    def __init__(
        self,
        path,
        *,
        max_depth=-1,
        max_redirects=10,
        tunnel=None,
        seen=None,
        hosts=100,
        urls_per_host=1000,
        priority="depth",
        record=False,
    ):
        """`tunnel`: None: pages are not scored."""
        settings = FrontierSettings(hosts=hosts, urls_per_host=urls_per_host, priority=priority)
        self.store = Store(path, create=True)
        self.path = path
        self.ledger = Ledger(
            self.store,
            Seen(seen or SeenSettings()),
            queue_order(settings),
            Bounds(
                max_depth=max_depth,
                max_redirects=max_redirects,
                topical=tunnel is not None,
                tunnel=-1 if tunnel is None else tunnel,
                record=record,
            ),
            robots_max_age=1e9,
        )
        self.ledger.frontier = self.frontier = frontier(
            settings,
            load=self.ledger.load,
            forget=self.ledger.forget,
            delay=0.0,
            address_delay=0.0,
        )

    def open(self, name="a.test"):
        host = self.ledger.host(name, self.ledger.site_of(name))
        self.frontier.robots_read(host, None)
        return host

    def take(self):
        turn = self.frontier.take(0.0)
        if turn is None:
            return None
        self.frontier.release(turn, 0.0)
        return turn.queued

    def fetched(self, queued, *links, relevant=None, probability=None):
        """The page came with these links (path, distance); as the crawl process settles it."""
        self.ledger.settle(self.open(), queued, "fetched", "http 200", 1.0)
        keys = ",".join(str(each.key) for each in links)
        regions = "".join("c" if each.distance != NOT_FOLLOWED else "n" if each.refused else "e" for each in links)
        letters = {"targets": f"[{keys}]", "kinds": b"a" * len(links), "regions": regions.encode()}
        topic = None
        if relevant is not None:
            topic = Topic(relevant=relevant, score=1.0, probability=probability, by="terms")
        letters["link_scores"] = bytes(each.score // STEP for each in links)
        self.store.answers.add(queued.id, 1.0, 200, sample(Page, **letters, **UNREAD, topic=topic))
        self.ledger.discover(links, queued, 1.0, topic=Relevance(relevant, probability))

    def rows(self):
        self.store.commit()
        with sqlite3.connect(self.path) as db:
            rows = db.execute("SELECT substr(url, 14), state, reason, depth FROM url ORDER BY id").fetchall()
        return {path: rest for path, *rest in rows}
