"""A crawl as a recorded web: what each URL answered, and the links of each page as rows, without parsing.

The answers are read when they are needed. In memory are the URLs, and what one request of each took.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from ttcrawl.config import Config
from ttcrawl.errors import UsageError
from ttcrawl.ring.columns import Fingerprint, LinkCounts, Outlinks, Topic
from ttcrawl.snapshot.snapshot import View
from ttcrawl.topic.files import DIRECTORY
from ttcrawl.vocabulary import region
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.kind import INDEX
from ttcrawl.vocabulary.reason import family
from ttcrawl.vocabulary.state import FAILED, MOVED, QUEUED, REFUSED
from ttcrawl.web.sitemaps.read import FORMS
from ttcrawl.web.url import key

_URLS = "SELECT url.id, key, url.url, site.host, rank FROM url JOIN site ON site.id = url.site"

#: The latest answer of a URL, with what else the crawl process learns from it.
_ANSWER = """
    SELECT state, reason, status, type, parser, page.digest, page.location, page.links, content_links, same_page_links,
           targets, kinds, regions, anchors, scores, parse_context, fingerprint.text, bands, signature, shingles,
           relevant, topic.score, probability, "by"
    FROM url
    LEFT JOIN page ON page.url = url.id
    LEFT JOIN outlinks ON source = url.id
    LEFT JOIN link_score ON link_score.url = url.id
    LEFT JOIN fingerprint ON fingerprint.url = url.id
    LEFT JOIN topic ON topic.url = url.id
    WHERE url.id = ?"""

_ANSWERED = "SELECT url FROM page UNION SELECT id FROM url WHERE state = 'failed'"

_ROBOTS = "SELECT host, robots, robots_status, robots_reason, address FROM site"

_CONTENT = "SELECT url, coalesce(duplicate_of, near_duplicate_of) FROM duplicate"

#: A link on a page that was a duplicate in the record is a link here: the crawl decides itself what is a duplicate.
_REOPENED = bytes.maketrans(bytes((region.CONTENT_DUPLICATE, region.ELSEWHERE_DUPLICATE)), b"ce")

#: Refusals that may not hold under another policy.
_MAY_BE_REQUESTED = (Family.TRAP, Family.PATH, Family.DUPLICATE)

_INDEX = ord(INDEX.letter)


class RecordedUrl(Struct, frozen=True, gc=False):
    """A row of table `url`."""

    id: int
    key: int
    url: str
    host: str
    rank: int


class Answer(Struct, frozen=True, kw_only=True):
    """What a URL answered. `status` is None without an answer: then `reason` says why."""

    status: int | None
    reason: str
    moved: bool = False
    refused: str = ""  # why its body was not read, or is no page
    type: str = ""
    parser: str = ""
    digest: bytes = b""
    location: str = ""
    counts: LinkCounts = LinkCounts()
    outlinks: Outlinks = Outlinks()
    scores: bytes = b""  # of the words at each link, a fifth of it; empty: they were not scored
    anchors: str = ""  # JSON array of the texts of links; "": they were not recorded
    parse_context: int = 0
    fingerprint: Fingerprint | None = None
    topic: Topic | None = None

    @property
    def listing(self) -> bool:
        """Whether it is a sitemap or a feed."""
        return self.parser in FORMS

    def links(self, followed: bytes) -> Iterator[tuple[int, int, int, int]]:
        """Yield (key, letter of its kind, whether it is followed, score of the words) of the links to other URLs."""
        targets, letters = json.loads(self.outlinks.targets), self.outlinks.regions
        scores: Sequence[int] = self.scores or bytes(len(letters))
        for target, kind, letter, score in zip(targets, self.outlinks.kinds, letters, scores, strict=True):
            if letter != region.RECORDED:
                yield target, kind, kind == _INDEX or letter in followed, score


class HostRecord(Struct, frozen=True):
    """The robots.txt of a host, its address, and the sitemaps that it names."""

    robots: str | None
    status: int | None  # None: no answer
    reason: str
    address: str
    sitemaps: tuple[RecordedUrl, ...] = ()


class Probe(Struct, frozen=True):
    """What a host answered to a URL that cannot exist."""

    status: int = 404
    location: str = ""
    digest: bytes = b""
    text: bytes = b""
    shingles: bytes = b""
    size: int = 0


class RecordedWeb:
    """The answers of a crawl. `config` has the rules by which links are followed."""

    def __init__(self, view: View) -> None:
        """Raises UsageError for a crawl without a page."""
        self._view = view
        self.topic_files = view.directory / DIRECTORY
        self.config: Config = view.config
        self.seeds: tuple[str, ...] = view.seeds
        self.began = float(view.settings.get("started") or 0.0)
        self.urls = {row[1]: RecordedUrl(*row) for row in view.execute(_URLS)}
        #: The ids of URLs whose answers, or failures, are known.
        self.answered = frozenset(each for (each,) in view.execute(_ANSWERED))
        if not self.pages:
            raise UsageError(f"{view.directory} has no page: a policy is tried on a crawl with pages")

    def answer(self, url: int) -> Answer | None:
        """Return what the URL with this id answered; None: the record does not have it."""
        if url not in self.answered:
            return None
        row = self._view.execute(_ANSWER, (url,)).fetchone()
        state, reason, status = row[:3]
        if state == FAILED:
            return Answer(status=None, reason=reason)
        type_, parser, digest, location, links, content_links, same_page_links = row[3:10]
        targets, kinds, regions, anchors, scores, context, text, bands, signature, shingles = row[10:20]
        relevant, score, probability, by = row[20:]
        printed = text is not None
        return Answer(
            status=status,
            reason=reason,
            moved=state == MOVED,
            refused=reason if state == REFUSED else "",
            type=type_,
            parser=parser,
            digest=(digest or b"") if printed else b"",
            location=location,
            counts=LinkCounts(links=links, content_links=content_links, same_page_links=same_page_links),
            outlinks=Outlinks(targets=targets, kinds=kinds, regions=regions.translate(_REOPENED))
            if targets
            else Outlinks(),
            scores=scores or b"",
            anchors=anchors or "",
            parse_context=context or 0,
            fingerprint=Fingerprint(text=text, bands=bands, signature=signature, shingles=shingles)
            if printed
            else None,
            topic=Topic(relevant=bool(relevant), score=score, probability=probability, by=by)
            if relevant is not None
            else None,
        )

    @cached_property
    def unanswered(self) -> int:
        """The URLs without an answer that a trial may request: queued ones, and those that a trap, their path or a
        pattern of duplicates refused."""
        counts = self._view.execute("SELECT state, reason, count(*) FROM url GROUP BY state, reason")
        return sum(count for state, reason, count in counts if state == QUEUED or family(reason) in _MAY_BE_REQUESTED)

    @cached_property
    def hosts(self) -> dict[str, HostRecord]:
        """By name."""
        sitemaps: dict[str, list[RecordedUrl]] = {}
        for (each,) in self._view.execute("SELECT key FROM url WHERE sitemap = 1 ORDER BY id"):
            sitemaps.setdefault(self.urls[each].host, []).append(self.urls[each])
        return {
            name: HostRecord(robots, status, reason, address, tuple(sitemaps.get(name, ())))
            for name, robots, status, reason, address in self._view.execute(_ROBOTS)
        }

    @cached_property
    def probes(self) -> dict[str, list[Probe]]:
        """By host."""
        found: dict[str, list[Probe]] = {}
        query = (
            "SELECT host, status, location, digest, text, shingles, size FROM probe JOIN site ON site.id = probe.site"
            " WHERE status IS NOT NULL ORDER BY probe.id"
        )
        for name, *row in self._view.execute(query):
            found.setdefault(name, []).append(Probe(*row))
        return found

    @cached_property
    def requests(self) -> dict[int, tuple[float, int]]:
        """Key -> (seconds, bytes received) of the last request for a URL."""
        query = "SELECT url, ended - started, bytes FROM visit WHERE kind IN ('page', 'robots') ORDER BY id"
        return {key(url): (seconds, size) for url, seconds, size in self._view.execute(query)}

    @cached_property
    def content(self) -> dict[int, int]:
        """Id of a duplicate -> id of the page that it repeats."""
        return dict(self._view.execute(_CONTENT))

    @cached_property
    def relevant(self) -> frozenset[int]:
        """The ids of relevant pages; none if pages were not scored."""
        return frozenset(each for (each,) in self._view.execute("SELECT url FROM topic WHERE relevant"))

    @cached_property
    def pages(self) -> frozenset[int]:
        """The ids of pages with status 2xx."""
        query = "SELECT page.url FROM page JOIN url ON url.id = page.url WHERE state = 'fetched' AND status < 300"
        return frozenset(each for (each,) in self._view.execute(query))

    @cached_property
    def in_links(self) -> Counter[int]:
        """Key -> the pages that link to it: the importance of Cho, Garcia-Molina and Page (1998), IB(p)."""
        counts: Counter[int] = Counter()
        followed = region.followed(everywhere=self.config.links.follow == "all")
        for targets, regions in self._view.execute("SELECT targets, regions FROM outlinks"):
            letters = regions.translate(_REOPENED)
            pairs = zip(json.loads(targets), letters, strict=True)
            counts.update({target for target, letter in pairs if letter in followed})
        return counts
