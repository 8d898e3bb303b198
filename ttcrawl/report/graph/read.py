"""The graph of a crawl, finished or running, read from one snapshot of its database."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ttcrawl.report.graph.matrix import Ints
from ttcrawl.report.graph.network import Network, collapse
from ttcrawl.snapshot.main_links import in_main_text, pages_with_landmarks
from ttcrawl.snapshot.outlinks import outlinks
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.web.mime.kind import can_link

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Urls: TypeAlias = np.ndarray[tuple[int], np.dtype[np.void]]

PAGE, MOVED = 1, 2
#: Fetched URLs that can link. An image is not a page here.
_IS_PAGE = "state = 'fetched' AND type IN (SELECT value FROM json_each(?))"
_URLS = (
    "SELECT id, key, site, coalesce(depth, -1), coalesce(found_on, -1),"
    " CASE WHEN state = 'moved' THEN 2 WHEN {is_page} THEN 1 ELSE 0 END"
    " FROM url LEFT JOIN page ON page.url = url.id ORDER BY id"
)
_URL = np.dtype([("id", "i8"), ("key", "i8"), ("site", "i4"), ("depth", "i4"), ("found_on", "i8"), ("state", "i1")])
#: Links of a page to itself have no row in table outlinks.
_OWN = "SELECT url, same_page_links FROM page WHERE same_page_links > 0"
_TEXTS = "SELECT url.url, page.title FROM url LEFT JOIN page ON page.url = url.id"
#: Kinds of links that lead a reader to another page: a, area, frame, iframe, refresh, finds of the regular expression,
#: targets of scripts and forms, redirects. Other kinds embed (images, styles, scripts) and are not links of the graph.
FOLLOWED = b"amfirxJGR"
_IS_FOLLOWED = np.isin(np.arange(256), np.frombuffer(FOLLOWED, dtype=np.uint8))
JUMPS = 32  # doublings: a chain of more than 2 ** JUMPS redirects can only be a circle


@dataclass(frozen=True, kw_only=True)
class Networks:
    """The graph of the links of the main text (ttcrawl.snapshot.main_links), and of all links, with the same nodes.

    `source`, `target` and `in_main` have one value for each occurrence of a link from a node.
    """

    nodes: Network  # without links
    source: Ints  # indexes of nodes
    target: Ints  # the same; -1: no node
    in_main: NDArray[np.bool_]
    landmarks: int  # sources of links in landmarks

    @property
    def differ(self) -> bool:
        return not self.in_main.all()

    @property
    def in_menus(self) -> float:
        """The share of the occurrences that are not in the main text."""
        return float(1 - self.in_main.mean()) if len(self.in_main) else 0.0

    @cached_property
    def main(self) -> Network:
        return _linked(self.nodes, self.source[self.in_main], self.target[self.in_main]) if self.differ else self.all

    @cached_property
    def all(self) -> Network:
        return _linked(self.nodes, self.source, self.target)

    def of(self, links: str) -> Network:
        """By the name of the links, of ttcrawl.vocabulary.region.LINK_CHOICES."""
        return self.main if links == "main" else self.all


def read(directory: Path, *, links: str = "main", everything: bool = False, paths: bool = False) -> Network:
    """The graph of the fetched pages that can link (HTML, documents); with `everything`, of every discovered URL.

    `links` are those of the main text, or all. A link to a redirect is a link to the page behind it. With `everything`,
    redirects are nodes with links of their own. With `paths`, only the links by which URLs were discovered, wherever
    they stand: a tree for each seed. Raises NotACrawl.

    Measured with 1 million URLs and 10 million links, with `everything` (one core, Python 3.11): 7 s and 640 MB.
    """
    with view(directory) as db:
        return networks(db, everything=everything, paths=paths).of(links)


def networks(db: View, *, everything: bool = False, paths: bool = False) -> Networks:
    """The same for an open database, with both kinds of links."""
    types = _linking_types(db)
    urls = np.fromiter(db.execute(_URLS.format(is_page=_IS_PAGE), (types,)), dtype=_URL)
    is_node = np.ones(len(urls), dtype=bool) if everything else urls["state"] == PAGE
    occurrences = _discoveries(urls) if paths else _occurrences(db, urls)
    source, target = occurrences.source, occurrences.target
    if not everything:
        change = _before_redirects if paths else _behind_redirects
        source, target = change(source, target, urls["state"])
    dense = np.full(len(urls) + 1, -1, dtype=np.int32)
    dense[:-1][is_node] = np.arange(np.count_nonzero(is_node), dtype=np.int32)
    source, target = dense[source], dense[target]
    of_node = source >= 0
    return Networks(
        nodes=_nodes(db, urls[is_node], None if everything else types, paths=paths),
        source=source[of_node],
        target=target[of_node],
        in_main=np.ones(np.count_nonzero(of_node), dtype=bool) if paths else occurrences.in_main[of_node],
        landmarks=occurrences.landmarks,
    )


def _nodes(db: View, nodes: Urls, types: str | None, *, paths: bool) -> Network:
    """A graph without links: of the pages of some media types, or of all URLs."""
    labels, titles = _texts(db, types)
    hosts, host = _hosts(db, nodes["site"])
    none = np.empty(0, dtype=np.int32)
    return Network(
        ids=nodes["id"].copy(),
        labels=labels,
        titles=titles,
        host=host,
        depth=nodes["depth"].copy(),
        pages=np.ones(len(nodes), dtype=np.int32),
        hosts=hosts,
        source=none,
        target=none,
        weight=none,
        own=np.zeros(len(nodes), dtype=np.int64) if paths else _own(db, nodes["id"].copy()),
        elsewhere=0,
        name="pages" if types else "urls",
    )


def _linked(nodes: Network, source: Ints, target: Ints) -> Network:
    """The nodes with these occurrences of links."""
    inside = target >= 0
    elsewhere = len(target) - int(np.count_nonzero(inside))
    source, target = source[inside], target[inside]
    loops = source == target
    own = nodes.own + np.bincount(source[loops], minlength=nodes.nodes)
    source, target, weight = collapse(source[~loops], target[~loops], nodes.nodes)
    return replace(nodes, source=source, target=target, weight=weight, own=own, elsewhere=elsewhere)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Occurrences:
    """Occurrences of links: the indexes of their ends among the URLs, int32; an unknown URL has the index after all."""

    source: Ints
    target: Ints
    in_main: NDArray[np.bool_]
    landmarks: int


def _occurrences(db: View, urls: Urls) -> _Occurrences:
    """Every occurrence of a followed kind. Raises ValueError for a damaged row.

    Does not use table by_key, which lacks some of the URLs while the crawl runs.
    """
    ids, order = urls["id"].copy(), np.argsort(urls["key"]).astype(np.int32)
    keys, order = urls["key"][order], np.append(order, np.int32(len(urls)))
    sources: list[Ints] = [np.empty(0, dtype=np.int32)]
    targets: list[Ints] = [np.empty(0, dtype=np.int32)]
    in_main = [np.empty(0, dtype=bool)]
    landmarks = 0
    for every in outlinks(db):
        followed = _IS_FOLLOWED[every.kinds]
        in_main.append(in_main_text(every)[followed])
        landmarks += pages_with_landmarks(every)
        batch = every.where(followed)
        distinct, indexes = batch.distinct
        sources.append(_index_of(ids, batch.sources)[batch.pages])
        targets.append(order[_index_of(keys, distinct)][indexes])
    return _Occurrences(
        source=np.concatenate(sources),
        target=np.concatenate(targets),
        in_main=np.concatenate(in_main),
        landmarks=landmarks,
    )


def _discoveries(urls: Urls) -> _Occurrences:
    """One link for each URL that a page led to: from the page, or the redirect, on which it was found."""
    linked = np.flatnonzero(urls["found_on"] >= 0).astype(np.int32)
    source = _index_of(urls["id"].copy(), urls["found_on"][linked])
    return _Occurrences(source=source, target=linked, in_main=np.ones(len(linked), dtype=bool), landmarks=0)


def _own(db: View, ids: Ints) -> Ints:
    """Of each URL, the links that lead to it directly, not by a redirect, from itself."""
    rows = np.fromiter(db.execute(_OWN), dtype=[("url", "i8"), ("links", "i8")])
    counts = np.zeros(len(ids) + 1, dtype=np.int64)
    counts[_index_of(ids, rows["url"].copy())] = rows["links"]
    return counts[:-1]


def _index_of(rising: Ints, values: Ints) -> Ints:
    """The index of each value in a rising array; the length of the array if it is missing."""
    indexes = np.searchsorted(rising, values).astype(np.int32)
    if len(rising):
        indexes[rising[np.minimum(indexes, len(rising) - 1)] != values] = len(rising)
    return indexes


def _behind_redirects(source: Ints, target: Ints, state: Ints) -> tuple[Ints, Ints]:
    """The pairs, with redirects as targets replaced by their final targets. Redirects in a circle stay redirects."""
    redirect = np.append(state, 0)[source] == MOVED
    return source, _ends(source[redirect], target[redirect], len(state))[target]


def _before_redirects(source: Ints, target: Ints, state: Ints) -> tuple[Ints, Ints]:
    """The pairs that lead to no redirect; a redirect as source is replaced by the page on which the first was found."""
    redirect = state[target] == MOVED
    first = _ends(target[redirect], source[redirect], len(state))
    return first[source[~redirect]], target[~redirect]


def _ends(steps: Ints, onward: Ints, urls: int) -> Ints:
    """Of each URL, and of the unknown one, the end of the chain in which each of `steps` leads to its `onward`."""
    leads_to = np.arange(urls + 1, dtype=np.int32)
    leads_to[steps] = onward
    for _ in range(JUMPS):
        further = leads_to[leads_to]
        if np.array_equal(further, leads_to):
            break
        leads_to = further
    return leads_to


def _linking_types(db: View) -> str:
    """The media types of the crawl whose pages can link, as a JSON array."""
    return json.dumps([mime for (mime,) in db.execute("SELECT DISTINCT type FROM page") if can_link(mime)])


def _texts(db: View, types: str | None) -> tuple[list[str], list[str]]:
    """URLs and titles of the pages of some media types, or of all URLs."""
    where, values = ("", ()) if types is None else (f" WHERE {_IS_PAGE}", (types,))
    labels, titles = [], []
    for label, title in db.execute(f"{_TEXTS}{where} ORDER BY url.id", values):
        labels.append(label)
        titles.append(title or "")
    return labels, titles


def _hosts(db: View, sites: Ints) -> tuple[list[str], Ints]:
    """The hosts of the nodes, and the index of each node's host among them."""
    names = dict(db.execute("SELECT id, host FROM site"))
    site_ids, host = np.unique(sites, return_inverse=True)
    if missing := set(site_ids.tolist()) - set(names):
        raise ValueError(f"table site has no row {min(missing)}")
    return [names[site] for site in site_ids.tolist()], host.astype(np.int32)
