"""One snapshot of a crawl."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import cached_property
from pathlib import Path

from ttcrawl.ask.view.errors import NotACrawl, damage
from ttcrawl.ask.view.opening import connect
from ttcrawl.config import Config, read
from ttcrawl.store.database import Database
from ttcrawl.store.staged import ROW, current
from ttcrawl.web.scope import redirects_of
from ttcrawl.web.scope.redirects import SETTING, Redirect
from ttcrawl.web.url import key

#: The rows that by_key and queue lack while a crawl runs (see ttcrawl/store/index.py): at most some hundred thousand
#: URLs. by_key and queue are complete up to the URL `indexed`; queue already has some of the later URLs.
FRESH = (
    "CREATE TEMP TABLE fresh_key (key INTEGER PRIMARY KEY, id INTEGER NOT NULL)",
    "INSERT OR IGNORE INTO fresh_key SELECT key, id FROM url WHERE id > {indexed}",
)
FRESH_QUEUE = (
    "CREATE TEMP TABLE fresh_queue (site, priority, id, PRIMARY KEY (site, priority, id)) WITHOUT ROWID",
    "INSERT INTO fresh_queue SELECT site, priority, id FROM url WHERE id > {indexed} AND state = 'queued'",
)
WHOLE_QUEUE = (
    "CREATE TEMP VIEW whole_queue AS SELECT site, priority, id FROM queue WHERE id <= {indexed}"
    " UNION ALL SELECT site, priority, id FROM {fresh}",
)
QUEUE_OF_SITE = (
    # counts per table keep the URLs of a site together, which takes a fifth of the time
    "CREATE TEMP TABLE queue_of_site AS SELECT site, sum(queued) AS queued FROM ("
    " SELECT site, count(*) AS queued FROM queue WHERE id <= {indexed} GROUP BY site"
    " UNION ALL SELECT site, count(*) FROM {fresh} GROUP BY site) GROUP BY site",
)


class View(Database):
    """The database of a crawl, running or not, as committed at the first read. Writes only to temporary tables.

    Tables of an earlier version look up to date. Raises NotACrawl if the crawl is missing or unreadable; `damage`
    handles damage that later reads find.
    """

    def __init__(self, directory: Path) -> None:
        super().__init__(connect(directory))
        self.directory = directory
        self._db.execute("BEGIN")  # one snapshot, so that sums agree while a running crawl commits

    def let_go(self) -> None:
        """End the snapshot: each later query sees the latest commit. A writer with an exclusive lock needs this."""
        self._db.execute("COMMIT")

    def damage(self) -> AbstractContextManager[None]:
        """A context that turns errors of damaged rows into NotACrawl."""
        return damage(self.directory)

    # -- present in every crawl ---------------------------------------------------------------------------------------

    @cached_property
    def settings(self) -> dict[str, str]:
        """The names and values of table `crawl`."""
        return dict(self._db.execute("SELECT name, value FROM crawl"))

    @cached_property
    def config(self) -> Config:
        """The current config.ini. Raises NotACrawl if it is missing, ConfigError if it is invalid."""
        path = self.config_path
        if not path.is_file():
            raise NotACrawl(f"{path} is missing, so the rules of the crawl are unknown: restore the file")
        return read(path)

    @property
    def config_path(self) -> Path:
        """The config.ini that goes with the rows."""
        return current(self.directory / "config.ini", self.settings.get(ROW, ""))

    @cached_property
    def seeds(self) -> tuple[str, ...]:
        """The canonical URLs of the seeds."""
        seeds = self.settings.get("seeds")
        return tuple(seeds.split("\n")) if seeds else ()

    @cached_property
    def seed_redirects(self) -> tuple[Redirect, ...]:
        """The redirects of seeds that leave their hosts."""
        return redirects_of(self.settings.get(SETTING, ""))

    @cached_property
    def seed_ids(self) -> dict[str, int]:
        """Seed -> id, of the seeds that have a row; a page may have linked to one before it was added."""
        keys = json.dumps([key(seed) for seed in self.seeds])
        seed_ids = f"SELECT {self.id_of('seed.value')} FROM json_each(?) AS seed"
        of_key = dict(self._db.execute(f"SELECT url, id FROM url WHERE id IN ({seed_ids})", (keys,)))
        ids = {seed: of_key.get(seed) or self.find(seed) for seed in self.seeds}
        return {seed: number for seed, number in ids.items() if number is not None}

    def find(self, url: str) -> int | None:
        """The id of a canonical URL. URLs with the same hash have consecutive keys."""
        url_key = key(url)
        while (row := self.of_key(url_key)) is not None:
            if row[1] == url:
                return row[0]
            url_key += 1
        return None

    def of_key(self, url_key: int) -> tuple[int, str] | None:
        """(id, URL) of a key. Scans the URLs that the index lacks; for many keys, use `id_of`."""
        row: tuple[int, str] | None = self._db.execute(
            "SELECT id, url FROM url WHERE id = (SELECT id FROM by_key WHERE key = ?1) UNION ALL"
            " SELECT id, url FROM url WHERE id > ?2 AND key = ?1 LIMIT 1",
            (url_key, self._indexed),
        ).fetchone()
        return row

    def id_of(self, column: str) -> str:
        """SQL for the id of the URL whose key is in `column`; NULL if no URL has this key."""
        return self._id_of.format(column)

    @cached_property
    def queue(self) -> str:
        """The name of a table with site, priority and id of every queued URL."""
        self._make(WHOLE_QUEUE, fresh=self._fresh_queue)
        return "whole_queue"

    @cached_property
    def queue_of_site(self) -> str:
        """The name of a table with the id of every site that has queued URLs, and their number: counted once."""
        self._make(QUEUE_OF_SITE, fresh=self._fresh_queue)
        return "queue_of_site"

    @cached_property
    def _fresh_queue(self) -> str:
        self._make(FRESH_QUEUE)
        return "fresh_queue"

    @cached_property
    def _id_of(self) -> str:
        self._make(FRESH)
        return "coalesce((SELECT id FROM by_key WHERE key = {0}), (SELECT id FROM fresh_key WHERE key = {0}))"

    @cached_property
    def _indexed(self) -> int:
        """The id of the last URL up to which the indexes are complete."""
        return int(self.settings.get("indexed", 0))

    def _make(self, statements: Iterable[str], **names: str) -> None:
        for statement in statements:
            self._db.execute(statement.format(indexed=self._indexed, **names))


@contextmanager
def view(directory: Path) -> Iterator[View]:
    """A view that is closed at the end. Raises NotACrawl, also for damage that is found while the view is open."""
    with closing(View(directory)) as snapshot, snapshot.damage():
        yield snapshot
