"""A crawl as committed at one moment."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path

from ttcrawl.config import Config, Override, read
from ttcrawl.errors import UsageError
from ttcrawl.snapshot.errors import NotACrawl, damage
from ttcrawl.snapshot.opening import connect
from ttcrawl.snapshot.tail import Tail
from ttcrawl.store.database import Database, StoreError
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.mending import end_log
from ttcrawl.store.regular import is_regular
from ttcrawl.store.seeds import seeds_of
from ttcrawl.store.staged import ROW, current
from ttcrawl.web.country import Countries, countries
from ttcrawl.web.url import key

#: The rows that by_key and queue lack while a crawl runs (see ttcrawl/store/index.py): at most some hundred thousand
#: URLs. by_key and queue are complete up to the URL `indexed`; queue already has some of the later URLs.
FRESH = "CREATE TEMP TABLE fresh_key (key INTEGER PRIMARY KEY, id INTEGER NOT NULL)"
#: In order of the keys, which takes a third of the time.
FILL = "INSERT OR IGNORE INTO fresh_key SELECT key, id FROM url WHERE id > ? ORDER BY key"
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


#: Key, id and URL: by the index, and by ids.
_INDEXED = """
    SELECT by_key.key, url.id, url.url FROM by_key JOIN url ON url.id = by_key.id
    WHERE by_key.key IN (SELECT value FROM json_each(?))"""
_BY_ID = "SELECT key, id, url FROM url WHERE id IN (SELECT value FROM json_each(?))"


class View(Database):
    """The database of a crawl, running or not, as committed at the first read. Writes only to temporary tables.

    As long as its snapshot is open, the write-ahead log of a crawl that runs grows. A reader that takes long, or waits
    for somebody, reads in pieces: it ends the snapshot with `rest`, and begins the next piece with `renew`.

    Tables of an earlier version look up to date. Raises NotACrawl if the crawl is missing or unreadable; `damage`
    handles damage that later reads find. `tail`: what earlier views of this crawl remember of it.
    """

    def __init__(self, directory: Path, tail: Tail | None = None) -> None:
        _end_log(directory)
        super().__init__(connect(directory))
        self.directory, self._tail = directory, tail or Tail()
        self.closed = False
        self.has_listing = False  # whether view.db is attached, as `listing`: it finds rows that no index here does
        self._unusable: UsageError | None = None  # the file with countries
        self.define("country", 2, self._country)
        self._last_fresh = 0  # the id of the last URL that table fresh_key knows of
        self._db.execute("BEGIN")  # one snapshot, so that sums agree while a running crawl commits

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self._db.close()
            _end_log(self.directory)

    def rest(self) -> None:
        """End the snapshot. The next read begins another one, of the latest commit; until then nothing is kept open.

        Rows of all queries must have been read.
        """
        self._db.execute("COMMIT")
        self._db.execute("BEGIN")

    def renew(self) -> None:
        """End the snapshot, and bring what was remembered of it up to the latest commit. Not for the queue."""
        self.rest()
        for name in ("settings", "seeds", "seed_ids", "indexed"):
            self.__dict__.pop(name, None)
        if "_id_of" in self.__dict__:
            self._fill()

    def let_go(self) -> None:
        """End the snapshot: each later query sees the latest commit. A writer with an exclusive lock needs this."""
        self._db.execute("COMMIT")

    @contextmanager
    def damage(self) -> Iterator[None]:
        """Turn errors of damaged rows into NotACrawl. Raises UsageError if countries are read and [record] geoip names
        no such file."""
        with damage(self.directory):
            try:
                yield
            except StoreError:
                if self._unusable is not None:  # SQLite says only that its function has failed
                    raise self._unusable from None
                raise

    # -- present in every crawl ---------------------------------------------------------------------------------------

    @cached_property
    def settings(self) -> dict[str, str]:
        """The names and values of table `crawl`."""
        return dict(self._db.execute("SELECT name, value FROM crawl"))

    @cached_property
    def config(self) -> Config:
        """The current config.ini. Raises as `config_with`."""
        return self.config_with(())

    def config_with(self, keys: Iterable[Override]) -> Config:
        """The current config.ini with keys of a command line. Raises NotACrawl if it is missing, ConfigError if it is
        invalid."""
        path = self.config_path
        if not path.is_file():
            raise NotACrawl(f"{path} is missing, so the rules of the crawl are unknown: restore the file")
        return read(path, keys)

    @property
    def config_or_defaults(self) -> Config:
        """The same, for what is not a rule of the crawl: without a config.ini, the defaults. Raises ConfigError."""
        return self.config if self.config_path.is_file() else Config()

    @property
    def config_path(self) -> Path:
        """The config.ini that goes with the rows."""
        return current(self.directory / "config.ini", self.settings.get(ROW, ""))

    @cached_property
    def seeds(self) -> tuple[str, ...]:
        """The canonical URLs of the seeds."""
        return seeds_of(self.settings)

    @cached_property
    def seed_ids(self) -> dict[str, int]:
        """Seed -> id, of the seeds that have a row; a page may have linked to one before it was added."""
        keys = json.dumps([key(seed) for seed in self.seeds])
        seed_ids = f"SELECT {self.id_of('seed.value')} FROM json_each(?) AS seed"
        of_key = dict(self._db.execute(f"SELECT url, id FROM url WHERE id IN ({seed_ids})", (keys,)))
        ids = {seed: of_key.get(seed) or self.url_id(seed) for seed in self.seeds}
        return {seed: number for seed, number in ids.items() if number is not None}

    def _country(self, host: str, address: str) -> str:
        """The country of a server, in SQL: country(site.host, site.address)."""
        try:
            return self._countries(host, address)
        except UsageError as error:
            self._unusable = error
            raise

    @cached_property
    def _countries(self) -> Countries:
        return countries(self.config_or_defaults.record.geoip)

    def url_id(self, url: str) -> int | None:
        """The id of a canonical URL. URLs with the same hash have consecutive keys."""
        url_key = key(url)
        while (row := self.of_key(url_key)) is not None:
            if row[1] == url:
                return row[0]
            url_key += 1
        return None

    def url_of(self, id: int) -> str:
        """The URL with this id; "(URL 7)" where a damaged table has none."""
        row: tuple[str] | None = self._db.execute("SELECT url FROM url WHERE id = ?", (id,)).fetchone()
        return row[0] if row else f"(URL {id})"

    def of_key(self, url_key: int) -> tuple[int, str] | None:
        """(id, URL) of a key."""
        return self.of_keys((url_key,)).get(url_key)

    def of_keys(self, keys: Collection[int]) -> dict[int, tuple[int, str]]:
        """Key -> (id, URL), of the keys that a URL has."""
        urls = {key: (id, url) for key, id, url in self._db.execute(_INDEXED, (json.dumps([*keys]),))}
        if missing := [each for each in keys if each not in urls]:
            ids = json.dumps(self._tail.ids(self, missing, self.indexed))
            urls |= {key: (id, url) for key, id, url in self._db.execute(_BY_ID, (ids,))}
        return urls

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
        self._db.execute(FRESH)
        self._fill()
        return "coalesce((SELECT id FROM by_key WHERE key = {0}), (SELECT id FROM fresh_key WHERE key = {0}))"

    def _fill(self) -> None:
        """Let table fresh_key have the URLs of this snapshot that by_key lacks, and some of earlier snapshots."""
        self._db.execute(FILL, (max(self.indexed, self._last_fresh),))
        (self._last_fresh,) = self._db.execute("SELECT coalesce(max(id), 0) FROM url").fetchone()

    @cached_property
    def indexed(self) -> int:
        """The id of the last URL up to which the indexes are complete."""
        return int(self.settings.get("indexed", 0))

    def _make(self, statements: Iterable[str], **names: str) -> None:
        for statement in statements:
            self._db.execute(statement.format(indexed=self.indexed, **names))


def _end_log(directory: Path) -> None:
    """Put the log of a crawl that does not run into crawl.db, where that is permitted and no process reads it.

    With a long log each page of the database is found later, so that all reading takes two or three times as long.
    """
    database, log = directory / "crawl.db", directory / "crawl.db-wal"
    ours = is_regular(log) and log.stat().st_size and is_regular(database) and database.stat().st_nlink == 1
    if ours and all(os.access(path, os.W_OK) for path in (directory, database, log)) and not crawled_by(directory):
        end_log(database)


@contextmanager
def view(directory: Path, tail: Tail | None = None) -> Iterator[View]:
    """A view that is closed at the end. Raises NotACrawl, also for damage that is found while the view is open."""
    with closing(View(directory, tail)) as snapshot, snapshot.damage():
        yield snapshot
