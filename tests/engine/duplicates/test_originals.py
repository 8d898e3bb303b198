"""Whatever the order of arrival, kills, rollbacks and shorter ways: the marks are those of the definition."""

import contextlib
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
import xxhash
from msgspec import structs

from tests.support.cases import some_fast
from tests.support.crawls.any_messages import UNREAD, sample
from ttcrawl import config
from ttcrawl.engine.duplicates.marks import order
from ttcrawl.engine.duplicates.originals import Originals
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.inspect.verify.duplicates import CHECKS, define
from ttcrawl.read.fingerprints import keys
from ttcrawl.read.fingerprints.fingerprint import fingerprint, fingerprint_input
from ttcrawl.read.fingerprints.similarity import exact, required
from ttcrawl.ring.columns import Fingerprint, Headers, Reading
from ttcrawl.ring.messages import Archived, Fetched, Page, Same
from ttcrawl.store.buckets import USUAL, Sizes
from ttcrawl.store.candidates import FEW
from ttcrawl.store.database import Database, connect
from ttcrawl.store.rows import NewUrl, UrlPath
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.state import QUEUED

SETTINGS = config.Duplicates(cache=4, verify=0.8, min_words=20, permutations=64, bands=8)
WORDS = [f"word{number}" for number in range(400)]


@dataclass(frozen=True, slots=True)
class Sample:
    """A page of a generated site, as it is fetched in the end."""

    id: int
    url: str
    depth: int
    rank: int
    digest: bytes
    print: Fingerprint


class Killed(Exception):
    """It happened during a commit."""


def site(rng: random.Random, count: int) -> list[Sample]:
    """A third of the pages are new, a third nearly another one, a third have the bytes or the text of another one."""
    texts: list[str] = []
    bodies: list[bytes] = []
    pages = []
    for number in range(1, count + 1):
        way = rng.randrange(6) if texts else 0
        words = rng.choices(WORDS, k=rng.choice((60, 60, 60, 10, 0))) if way < 2 else rng.choice(texts).split()
        if way in (2, 3):
            for _ in range(rng.randrange(1, 5)):
                words[rng.randrange(len(words)) :][:1] = [rng.choice(WORDS)]
                words = [*words[: len(words) // 2], rng.choice(WORDS), *words[len(words) // 2 + rng.randrange(2) :]]
        body = b"%d" % number
        text = " ".join(words)
        if way == 4:
            body, text = rng.choice(bodies), text
        if text.split():
            texts.append(text)
        bodies.append(body)
        pages.append(
            Sample(
                number,
                f"http://a.test/{rng.getrandbits(32):08x}",
                rng.randrange(3),
                rng.randrange(2),
                xxhash.xxh3_128_digest(body) if rng.random() < 0.95 else b"",
                fingerprint(fingerprint_input(text, text, SETTINGS), SETTINGS),
            )
        )
    return pages


def drifting(rng: random.Random, count: int) -> list[Sample]:
    """Each page resembles those that its words come from, and less and less the first ones of its buckets."""
    texts = [rng.choices(WORDS, k=200)]
    pages = []
    for number in range(1, count + 1):
        words = list(rng.choice(texts))
        for _ in range(4):
            words[rng.randrange(len(words))] = rng.choice(WORDS)
        texts.append(words)
        found = fingerprint(fingerprint_input("", " ".join(words), SETTINGS), SETTINGS)
        url, digest = f"http://a.test/{rng.getrandbits(32):08x}", xxhash.xxh3_128_digest(b"%d" % number)
        pages.append(Sample(number, url, rng.randrange(3), 0, digest, found))
    return pages


def by_definition(pages: list[Sample], settings: config.Duplicates, few: int = FEW) -> dict[int, tuple[str, int]]:
    """id -> what is the same, id of the original; of those that are duplicates."""
    ordered = sorted(pages, key=lambda page: order(page.depth, page.rank, page.url))
    place = {page.id: number for number, page in enumerate(ordered)}
    members: dict[tuple[str, object], list[Sample]] = {}
    for page in ordered:
        for bucket in buckets_of(page):
            there = members.setdefault(bucket, [])
            if len(there) < few and page.print.bands not in [each.print.bands for each in there]:
                there.append(page)
    marks = {}
    for page in pages:

        def before(ways: tuple[str, ...], of: slice, page: Sample = page) -> list[tuple[int, str, int]]:
            pairs = [(way, each) for way, key in buckets_of(page) if way in ways for each in members[way, key][of]]
            return [(place[each.id], way, each.id) for way, each in pairs if place[each.id] < place[page.id]]

        def near(of: slice, page: Sample = page) -> list[tuple[int, str, int]]:
            return [
                each
                for each in before(("near",) if settings.near else (), of)
                if exact(ordered[each[0]].print.shingles, page.print.shingles)
                >= required(ordered[each[0]].print.shingles, page.print.shingles, settings.verify)
            ]

        same = before(("bytes", "text") if settings.exact else (), slice(1))
        if found := same or near(slice(1)) or near(slice(1, None)):
            marks[page.id] = min(found)[1:]
    return marks


def buckets_of(page: Sample) -> Iterator[tuple[str, object]]:
    yield from [("bytes", page.digest)] if page.digest else []
    yield from [("text", page.print.text)] if page.print.text else []
    yield from (("near", band) for band in keys.unpacked(page.print.bands))


class Few:
    """So many commits, and then the process is killed."""

    def __init__(self, commit, left):
        self.commit, self.left = commit, left

    def __call__(self):
        self.left -= 1
        if self.left < 0:
            raise Killed
        self.commit()


class Book:
    """A store, what happens to it, and what a kill takes back."""

    def __init__(self, path, pages, rng, settings=SETTINGS, sizes=USUAL, **stretches):
        self.path, self.pages, self.rng, self.settings = path, pages, rng, settings
        self.sizes, self.stretches = sizes, stretches
        self.open(create=True)
        self.store.sites.add("a.test", "test")
        rows = []
        for page in pages:  # met on a longer way, and with a worse rank
            key = rng.getrandbits(60)
            rows.append(NewUrl(page.id, key, page.url, 1, QUEUED, 0.0, depth=9, rank=9, priority=9))
        self.store.urls.add(rows)
        self.store.commit()
        self.decide_by(settings)
        self.fetched: set[int] = set()
        self.kills = 0.05  # a step
        self.lost: list[tuple[str, Sample]] = []  # by a kill now

    def open(self, create=False):
        self.db = connect(self.path)  # what is not committed is looked at too
        define(Database(self.db))
        self.store = Store(self.path, create=create, sizes=self.sizes, db=self.db)

    def decide_by(self, settings):
        self.settings = settings
        self.originals = Originals(self.store, settings, **self.stretches)

    def fetch(self, page):
        row = self.store.urls.row(page.id)
        queued = Queued(id=row.id, url=row.url, depth=row.depth, rank=row.rank, priority=row.priority, attempts=1)
        self.store.urls.settle(row.id, "fetched", "http 200", None, 1.0, 1)
        times = {"started": float(page.id), "ended": page.id + 0.5, "head_size": 0, "body_size": 0}
        reading = xxhash.xxh3_64_intdigest(page.print.text + page.print.shingles) >> 1
        times |= {"parse_context": reading, "header_context": reading + 1}
        fetched = Fetched(token=1, status=200, address="", refused="", digest=page.digest, **times)
        self.fetched.add(page.id)
        identical, answer = (
            self.originals.identical(fetched),
            Read(Reading(fingerprint=page.print), *(self.rng.random() < 0.1 for _ in range(2))),
        )
        if identical is not None and identical.same:
            archived = Archived(file="", offset=0, length=0)
            answer = Same(token=1, archived=archived, original=identical.id, headers=Headers())
        self.page(page, identical)
        self.originals.saw(queued, fetched, answer)

    def page(self, page, identical):
        """Its row: of a page with the body of another one without the bytes, which lie where that has them."""
        own = {url.url: url.id for url in self.pages}
        payload = own[identical.url] if identical else None
        if identical:
            assert (identical.moment, self.pages[payload - 1].digest) == (payload, page.digest)
            assert self.all("SELECT payload FROM page WHERE url = ?", payload) == [(None,)]
        self.store.answers.add(page.id, 1.0, 200, sample(Page, digest=page.digest, **UNREAD), payload)

    def nearer(self, page):
        row = self.store.urls.row(page.id)
        self.store.urls.shorten(row, UrlPath(page.depth, 0, 0, page.rank, 0), page.rank)
        if page.id in self.fetched:
            self.originals.nearer(page.id)

    def happen(self, events: list[tuple[str, Sample]]) -> None:
        """All of them, with kills and commits in between."""
        events = list(events)
        while events:
            chance = self.rng.random()
            if chance < 0.1:
                self.commit()
            elif chance < 0.1 + self.kills:
                events += self.killed()
                self.rng.shuffle(events)
            else:
                name, page = events.pop()
                getattr(self, name)(page)
                self.lost.append((name, page))
        self.commit()

    def commit(self):
        self.store.commit()
        self.lost.clear()
        assert [kind for kind, query in CHECKS.items() if self.all(query)] == []

    def killed(self):
        lost = list(self.lost)
        self.lost.clear()
        if self.rng.random() < 0.5:
            self.store.rollback()
        else:
            self.store.abandon()
            self.open()
        self.decide_by(self.settings)
        self.fetched = {url for (url,) in self.all("SELECT url FROM fingerprint")}
        return lost

    def settle(self):
        """Killed at any commit, some times."""
        for _ in range(3):
            self.store.commit = Few(self.store.commit, self.rng.randrange(4))
            with contextlib.suppress(Killed):
                self.originals.mark_anew()
            self.store.abandon()
            self.open()
            self.decide_by(self.settings)
        self.originals.mark_anew()
        self.store.commit()

    def all(self, query, *values):
        return self.db.execute(query, values).fetchall()

    def marks(self) -> dict[int, tuple[str, int]]:
        rows = self.all("SELECT url, same, coalesce(duplicate_of, near_duplicate_of) FROM duplicate")
        return {url: (same, original) for url, same, original in rows}


@dataclass(frozen=True, slots=True)
class Read:
    """As much of a messages.Page as is looked at."""

    reading: Reading
    uses_page_url: bool
    url_independent: bool = False


#: Sizes at which all that happens at a million pages happens at sixty.
SMALL = {
    "sizes": Sizes(new_pages=15, copied=12, filters=(1 << 8, 1 << 10, 1 << 12)),
    **{"at_once": 3, "segment": 7, "commit": 14},
}


def events(rng: random.Random, pages: list[Sample]) -> list[tuple[str, Sample]]:
    """Every page is fetched, and at some moment, before or after, the shortest way to it is found."""
    made = [("fetch", page) for page in pages] + [("nearer", page) for page in pages]
    rng.shuffle(made)
    return made


@pytest.mark.parametrize("seed", some_fast(range(12), 0))
def test_the_marks_are_those_of_the_definition(tmp_path, seed):
    # filters that are often wrong, and such that are hardly ever
    sizes = structs.replace(SMALL["sizes"], filters=USUAL.filters) if seed % 2 else SMALL["sizes"]
    rng = random.Random(seed)
    pages = site(rng, 60)
    expected = by_definition(pages, SETTINGS)
    assert {way for way, _ in expected.values()} == {"bytes", "text", "near"}
    for turn, kills in enumerate((0.05, 0.0)):
        book = Book(tmp_path / f"{turn}.db", pages, rng, **SMALL | {"sizes": sizes})
        book.kills = kills
        book.happen(events(rng, pages))
        book.settle()
        assert book.marks() == expected
        assert book.all("SELECT * FROM unsettled") == []
        assert book.all("SELECT value FROM crawl WHERE name = 'bucketed'") == [("60",)]  # nothing is in memory alone


@pytest.mark.parametrize("few", some_fast((2, 3, 5, FEW), 1))
def test_pages_that_resemble_only_later_ones_of_their_buckets(tmp_path, few):
    """By definition, whatever the order; also when a later run brings the other half of the pages."""
    rng = random.Random(few)
    pages = drifting(rng, 60)
    expected = by_definition(pages, SETTINGS, few)
    assert len(expected) > len(by_definition(pages, SETTINGS, few=1))
    book = Book(tmp_path / "c.db", pages, rng, **SMALL | {"few": few})
    for half in (pages[:30], pages[30:]):
        book.happen(events(rng, half))
        book.settle()
    assert book.marks() == expected


@pytest.mark.slow
def test_other_settings_decide_all_anew(tmp_path):
    """A run with exact duplicates alone, one with both, one with a lower threshold."""
    rng = random.Random(99)
    pages = site(rng, 60)
    book = Book(tmp_path / "c.db", pages, rng, replace(SETTINGS, near=False), **SMALL)
    book.happen(events(rng, pages))
    for settings in (book.settings, SETTINGS, replace(SETTINGS, verify=0.6), replace(SETTINGS, exact=False)):
        book.decide_by(settings)
        book.settle()
        assert book.marks() == by_definition(pages, settings)
        assert [kind for kind, query in CHECKS.items() if book.all(query)] == []


def test_nothing_is_kept_where_nothing_is_asked_for(tmp_path):
    rng = random.Random(1)
    pages = site(rng, 20)
    book = Book(tmp_path / "c.db", pages, rng, replace(SETTINGS, exact=False, near=False))
    book.happen(events(rng, pages))
    book.settle()
    assert book.marks() == {} and book.all("SELECT * FROM fingerprint") == []


@pytest.mark.slow
def test_the_crawl_process_has_no_numpy_without_near_duplicates():
    code = "import sys, ttcrawl.engine.loop; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize("kill", some_fast([False, True], True))
def test_a_first_page_that_comes_last(tmp_path, kill):
    """Two are compared with it only when the run ends: it came when there was another first page."""
    said = " ".join(WORDS)
    text = fingerprint(fingerprint_input(said, said, SETTINGS), SETTINGS)
    pages = [Sample(n, f"http://a.test/{n}", n, 0, b"%d" % n, text) for n in range(1, 5)]
    book = Book(tmp_path / "c.db", pages, random.Random(1))
    for page in pages:
        book.nearer(page)
    for page in pages[1:]:
        book.fetch(page)
    assert book.marks() == {3: ("text", 2), 4: ("text", 2)}
    book.commit()
    if kill:
        book.killed()
    book.fetch(pages[0])
    assert book.marks()[2] == ("text", 1)
    book.commit()
    book.settle()
    assert book.marks() == {2: ("text", 1), 3: ("text", 1), 4: ("text", 1)}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_pages_that_change(tmp_path, seed):
    """At the end the marks are those of what the pages say then; until then none is wrong."""
    rng = random.Random(seed)
    before, others = site(rng, 60), site(random.Random(seed + 100), 60)
    book = Book(tmp_path / "c.db", list(before), rng, **SMALL)
    book.kills = 0.0
    book.happen(events(rng, before))
    for old, other in rng.sample(list(zip(before, others, strict=True)), 25):
        page = replace(old, digest=other.digest, print=other.print)
        book.originals.changed(page.id)
        book.store.flush()
        book.db.execute("DELETE FROM page WHERE url = ?", (page.id,))
        book.pages[page.id - 1] = page
        book.fetch(page)
        if rng.random() < 0.3:
            book.commit()
            if rng.random() < 0.5:
                book.killed()
    book.commit()
    book.settle()
    assert book.marks() == by_definition(book.pages, SETTINGS)
    book.commit()
