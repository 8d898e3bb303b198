"""Pages to which no other page links any more, judged by the links of all pages of the later side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from ttcrawl.inspect.changes.side import Side
from ttcrawl.output.steps import Progress, reported
from ttcrawl.snapshot.comparison import keys
from ttcrawl.snapshot.stored import Stored

#: Candidates that are compared with the links of all pages at a time: 20 MB.
BATCH = 100_000

_CREATE = "CREATE TEMP TABLE candidate (key INTEGER PRIMARY KEY)"
_PAGES = """
    SELECT candidate.key, side.id, url.url FROM candidate JOIN {side} AS side ON side.id = {id}
    JOIN answer ON answer.url = side.id AND answer.time = side.time JOIN url ON url.id = side.id
    WHERE answer.status BETWEEN 200 AND 299 ORDER BY url.url"""
_LATEST = """
    SELECT side.id, outlinks.targets FROM {side} AS side JOIN page ON page.url = side.id
    JOIN outlinks ON outlinks.source = side.id WHERE NOT side.earlier AND page.status < 400"""
_EARLIER = """
    SELECT side.id, side.time FROM {side} AS side JOIN earlier_page AS page
    ON page.url = side.id AND page.time = side.time WHERE side.earlier AND page.status < 400"""


class Candidates:
    """The targets of links that vanished from a page, in a temporary table of the later crawl."""

    def __init__(self, after: Side) -> None:
        self._after, self._db = after, after.db
        self._db.execute(_CREATE)

    def add(self, targets: Iterable[int]) -> None:
        self._db.executemany("INSERT OR IGNORE INTO candidate VALUES (?)", ((key,) for key in targets))

    def unlinked(self, progress: Progress) -> Iterator[str]:
        """The pages among them that no other page or redirect links to: URLs in alphabetical order."""
        query = _PAGES.format(side=self._after.name, id=self._db.id_of("candidate.key"))
        with self._db.damage():
            pages = self._db.execute(query)
            while batch := list(islice(pages, BATCH)):
                linked = self._linked({key: id for key, id, _ in batch}, progress)
                yield from (url for key, _, url in batch if key not in linked)

    def _linked(self, ids: dict[int, int], progress: Progress) -> set[int]:
        """The keys to which another page than the one with this key links."""
        linked: set[int] = set()
        for source, targets in reported(self._links(), progress, "links"):
            linked.update(key for key in keys(targets) & ids.keys() if ids[key] != source)
        return linked

    def _links(self) -> Iterator[tuple[int, str]]:
        """(Id of a page, the keys of its links as JSON), of all pages and redirects."""
        yield from self._db.execute(_LATEST.format(side=self._after.name))
        for id, time in self._db.execute(_EARLIER.format(side=self._after.name)):
            yield id, self._after.contents.targets(Stored(id, time, True))
