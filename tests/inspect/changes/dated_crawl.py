"""Crawl directories whose URLs have several answers, made through the store, of which everything is known."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import xxhash

from tests.support.crawls.any_messages import sample
from ttcrawl.config import Config
from ttcrawl.engine.run.directory import fresh
from ttcrawl.ring.columns import LinkCounts, Metadata, Text
from ttcrawl.ring.messages import Head, Link, Moved, Page
from ttcrawl.ring.position import Position
from ttcrawl.store.rows import NewUrl
from ttcrawl.store.warc import Archive
from ttcrawl.web.url import host, key

BASE = "http://a.test"
START = 1e9


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """An answer `time` seconds after START. `links` are paths or URLs; `to` is the target of a redirect."""

    time: float
    text: str | None = "some words of URL"  # which stands for the URL
    title: str = ""
    links: Sequence[str] = ()
    status: int = 200
    to: str = ""
    body: bytes | None = None  # None: made of title, text and links

    @property
    def bytes(self) -> bytes:
        made = f"<title>{self.title}</title>{self.text} {' '.join(self.links)}".encode("utf-8", "surrogatepass")
        return made if self.body is None else self.body


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What became of a URL after its answers."""

    state: str
    reason: str = ""
    processed: float | None = None  # seconds after START


def absolute(url: str) -> str:
    return url if "://" in url else BASE + url


def make(
    directory: Path,
    answers: Mapping[str, Sequence[Dated]],
    fates: Mapping[str, Fate] | None = None,
    *,
    finished: str = "done",
) -> Path:
    """A crawl of these URLs (or paths), and of those they link to, which were queued unless `fates` knows better.

    A URL with a fate has lost its latest answer to the earlier ones, as `ttcrawl requeue` leaves it.
    """
    fates = {absolute(url): fate for url, fate in (fates or {}).items()}
    dated = {
        url: [replace(each, text=each.text and each.text.replace("URL", url)) for each in several]
        for url, several in ((absolute(url), several) for url, several in answers.items())
    }
    first: dict[str, float] = {}
    for url, several in dated.items():
        first[url] = min(several[0].time - 1, first.get(url, several[0].time - 1)) if several else 0.0
        for each in several:
            for target in map(absolute, (*each.links, *filter(None, (each.to,)))):
                first[target] = min(first.get(target, each.time), each.time)
    about = {"seeds": next(iter(dated)), "started": START, "finished": finished}
    with fresh(directory, Config(), about) as store:
        sites = {name: store.sites.add(name, name) for name in dict.fromkeys(map(host, [*first, *fates]))}
        ids = {url: number for number, url in enumerate(dict.fromkeys([*first, *fates]), 1)}
        store.urls.add([_row(n, url, sites[host(url)], dated, fates, first) for url, n in ids.items()])
        archive = Archive(directory / "warc", Position(series=0), 1 << 30)
        moments = sorted((each.time, url, each) for url, several in dated.items() for each in several)
        for time, url, each in moments:
            store.answers.add(ids[url], START + time, each.status, _answer(archive, url, each))
            store.flush()  # as between two runs: a batch has one answer of a URL
        store.commit()
        archive.close()
        store.close()
    _set_aside(directory, [ids[url] for url in fates])
    return directory


def _row(
    number: int,
    url: str,
    site: int,
    dated: Mapping[str, Sequence[Dated]],
    fates: Mapping[str, Fate],
    first: Mapping[str, float],
) -> NewUrl:
    several = dated.get(url, ())
    fate = fates.get(url)
    if fate is None and several:
        last = several[-1]
        state = "moved" if last.to else "fetched"
        fate = Fate(state=state, reason=f"http {last.status}", processed=last.time)
    fate = fate or Fate(state="queued")
    return NewUrl(
        id=number,
        key=key(url),
        url=url,
        site=site,
        state=fate.state,
        reason=fate.reason,
        depth=0,
        found_on=None,
        discovered=START + first.get(url, 0.0),
        processed=None if fate.processed is None else START + fate.processed,
    )


def _answer(archive: Archive, url: str, dated: Dated) -> Page | Moved:
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    head = Head(status=dated.status, phrase="OK", version="HTTP/1.1", headers=headers, address="127.0.0.1")
    body = dated.bytes
    archived = archive.append(url, head, body, START + dated.time)
    if dated.to:
        target = absolute(dated.to)
        link = Link(url=target, key=key(target), host=host(target), distance=1, refused="")
        return Moved(token=1, archived=archived, location=dated.to, target=link)
    keys = [key(absolute(each)) for each in dated.links]
    text = None if dated.text is None else dated.text.encode("utf-8", "surrogatepass")
    return sample(
        Page,
        archived=archived,
        type="text/html",
        charset="utf-8",
        length=len(body),
        digest=xxhash.xxh3_128_digest(body),
        title=dated.title,
        parser="lexbor",
        counts=LinkCounts(links=len(keys)),
        targets=json.dumps(keys),
        kinds=b"a" * len(keys),
        regions=b"c" * len(keys),
        metadata=Metadata(description=dated.title),
        text=None if text is None else Text(size=len(text), packed=zlib.compress(text)),
        image=None,
        document=None,
        topic=None,
    )


def _set_aside(directory: Path, ids: Sequence[int]) -> None:
    from ttcrawl.store.earlier import set_aside
    from ttcrawl.store.mending import mending

    with mending(directory / "crawl.db") as db:
        set_aside(db.execute, ", ".join(map(str, ids)) or "NULL")
