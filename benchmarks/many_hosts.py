"""A generated web of many hosts, whose messages are those of a recorded crawl with other links and fingerprints.

Page n is on host n modulo their number. It links to three pages that no other links to, often to a fourth, and mostly
to an earlier one, so a crawl of N pages discovers about 3.5 N URLs. Nothing depends on the order of requests.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks.recorded import Exchange, Recording, Replayed
from ttcrawl.ring.columns import Fingerprint
from ttcrawl.ring.messages import NOT_FOLLOWED, PAGE, Fetched, Link, Page, Request
from ttcrawl.vocabulary.reason import NONE
from ttcrawl.web.storable import replace
from ttcrawl.web.url import key

#: Pages that only this one may link to, and how many of them it always links to.
CHILDREN, ALWAYS = 4, 3

#: The share of pages that link to the fourth of them, and of pages that link to an earlier page.
FOURTH, EARLIER = 0.5, 0.85

#: Settings of a crawl of this web, besides those of the recording: hosts are seeds, and stay in memory.
SETTINGS = {"scope.scope": "any", "traps.same_content": "0", "frontier.hosts": "20000", "sitemaps.use": "no"}


class ManyHosts:
    """Answers requests to `hosts` hosts by the messages of pages in a recording, in turn."""

    def __init__(self, recording: Recording, hosts: int) -> None:
        self._hosts = hosts
        self._pages = [each for each in recording.exchanges if isinstance(each.outcome, Page)]
        self._others = {each.kind: each for each in recording.exchanges if each.kind != PAGE}

    def url(self, number: int) -> str:
        return f"http://host-{number % self._hosts}.test/section-{number % 97}/document-{number}.html"

    def exchange(self, request: Request) -> Exchange:
        if request.kind != PAGE:
            return self._others[request.kind]
        number = int(request.url.rpartition("-")[2].removesuffix(".html"))
        template, chance = self._pages[number % len(self._pages)], random.Random(number)
        fetched, page = template.fetched, template.outcome
        assert isinstance(fetched, Fetched) and isinstance(page, Page)
        digest = chance.randbytes(16) if fetched.digest else b""
        fingerprint = page.reading.fingerprint and _other(page.reading.fingerprint, chance)
        page = replace(
            page,
            digest=digest,
            links=tuple(self._links(number, request.depth + 1, chance)),
            reading=replace(page.reading, fingerprint=fingerprint),
        )
        return Exchange(PAGE, request.url, replace(fetched, digest=digest), page)

    def _links(self, number: int, depth: int, chance: random.Random) -> Iterator[Link]:
        first = self._hosts + CHILDREN * number
        count = ALWAYS + (chance.random() < FOURTH)
        targets = [*range(first, first + count)]
        if chance.random() < EARLIER:
            targets.append(chance.randrange(number + 1))
        for target in targets:
            url = self.url(target)
            yield Link(url=url, key=key(url), host=url.split("/")[2], distance=min(depth, NOT_FOLLOWED), refused=NONE)


def _other(fingerprint: Fingerprint, chance: random.Random) -> Fingerprint:
    """A fingerprint of the same size that resembles no other one."""
    return replace(
        fingerprint, text=chance.randbytes(len(fingerprint.text)), bands=chance.randbytes(len(fingerprint.bands))
    )


def many_hosts(recording: Recording, hosts: int) -> Replayed:
    web = ManyHosts(recording, hosts)
    seeds = [web.url(number) for number in range(hosts)]
    resolve = [f"host-{number}.test:80:127.0.0.1" for number in range(hosts)]
    return Replayed(seeds, resolve, dict(recording.settings) | SETTINGS, web.exchange)
