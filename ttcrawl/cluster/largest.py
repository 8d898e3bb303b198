"""The registrable domains with the most URLs, of a ring and of all rings: the largest are split by host.

A ring counts each of its URLs once, some in each turn, into a summary of bounded size, which is stored in the
transaction that counts them. When it has too many domains, the count of the first one too many is taken from all of
them (Misra, Gries, Finding repeated elements, 1982; in batches: Agarwal et al., Mergeable Summaries, PODS 2012). So a
domain never counts for more URLs than it has, and at most the share 1 / MOST of the URLs of the ring is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from ttcrawl.cluster.messages import Members, Status, UrlCount
from ttcrawl.config import Config
from ttcrawl.store.sqlite import Store
from ttcrawl.web.url import split_port

#: The name in table `crawl` of the summary.
SUMMARY = "largest_domains"

#: Domains in a summary.
MOST = 256

#: URLs that are counted together at least, and at most.
FEW, SPAN = 500, 10_000

#: Fewest URLs of a domain that is split: fewer are no work for several rings.
LEAST = 1_000


class Domain(Struct, frozen=True, array_like=True):
    """URLs of a registrable domain, one of its hosts, and whether it has another one."""

    urls: int
    host: str
    several: bool


class Summary(Struct, frozen=True, kw_only=True):
    """URLs up to the id before `next`. Hosts that move take their URLs along, so each epoch counts anew."""

    epoch: int
    next: int = 1
    urls: int = 0
    domains: dict[str, Domain] = {}


class Largest:
    """The count of a ring. `share`: of its URLs, from which on a domain is reported. `few`, `span`: see FEW, SPAN."""

    def __init__(self, store: Store, share: float, few: int = FEW, span: int = SPAN) -> None:
        self._store, self._share = store, share
        self._few, self._span = few, span
        stored = store.about().get(SUMMARY)
        self._summary = msgspec.json.decode(stored, type=Summary) if stored else Summary(epoch=-1)
        self._complete = False

    def turn(self, epoch: int, last: int) -> int:
        """Count the next URLs up to the id `last`; return the number of changes to be committed."""
        changes = 0
        if self._summary.epoch != epoch:
            self._summary = Summary(epoch=epoch)
        if last + 1 - self._summary.next >= self._few:
            end = min(self._summary.next + self._span, last + 1)
            self._summary = added(self._summary, self._store.urls.by_domain(self._summary.next, end), end)
            self._store.set(**{SUMMARY: msgspec.json.encode(self._summary).decode()})
            changes = 1
        self._complete = last + 1 - self._summary.next < self._few
        return changes

    def report(self) -> UrlCount | None:
        """Return the URLs, and those of the largest domains with several hosts; None while many are not counted."""
        if not self._complete:
            return None
        least = self._share * self._summary.urls
        large = {name: each for name, each in self._summary.domains.items() if each.several and each.urls >= least}
        return UrlCount(urls=self._summary.urls, domains={name: each.urls for name, each in large.items()})


def added(summary: Summary, counts: Iterable[tuple[str, str, str, int]], next: int) -> Summary:
    """Return a summary with the URLs up to the id before `next`: (domain, first and last of its hosts, URLs)."""
    domains, urls = dict(summary.domains), summary.urls
    for name, first, last, number in counts:
        urls += number
        host, other = split_port(first)[0], split_port(last)[0]
        before = domains.get(name, Domain(0, host, False))
        domains[name] = Domain(before.urls + number, host, before.several or not before.host == host == other)
    if len(domains) > MOST:
        cut = sorted((each.urls for each in domains.values()), reverse=True)[MOST]
        rest = {name: each.urls - cut for name, each in domains.items() if each.urls > cut}
        domains = {name: Domain(number, domains[name].host, domains[name].several) for name, number in rest.items()}
    return Summary(epoch=summary.epoch, next=next, urls=urls, domains=domains)


def split_share(config: Config) -> float:
    """Return the share of all URLs above which a registrable domain is split, 0: none is.

    Cookies that are kept belong to a whole domain, and so does what a browser requests for a page.
    """
    return 0.0 if config.fetch.cookies == "kept" or config.browser.on else config.frontier.split_share


def to_split(statuses: Mapping[int, Status], members: Members, share: float) -> dict[str, float]:
    """Return the registrable domains that are to be split now -> their share of all URLs.

    None is, before all rings have counted their URLs, or when nothing is left to do.
    """
    known = [statuses[ring] for ring in members.processes if ring in statuses]
    counts = [each.count for each in known if each.count is not None and each.epoch == members.epoch]
    if not share or len(members.rings) < 2 or len(counts) < len(members.processes) or all(each.idle for each in known):
        return {}
    domains, urls = Counter[str](), sum(each.urls for each in counts)
    for each in counts:
        domains.update(each.domains)
    large = {name: number for name, number in domains.items() if number >= LEAST and number > share * urls}
    return {name: number / urls for name, number in large.items() if name not in members.splits}
