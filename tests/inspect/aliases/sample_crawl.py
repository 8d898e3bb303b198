"""A crawl directory with pages of given contents, for finding aliases in it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.support.crawls.crawl_db import NOW, insert, new_db
from ttcrawl.config import Config
from ttcrawl.engine.run.directory import write_config
from ttcrawl.web.url import host, key, registrable_domain


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What one URL answered: `body` and `text` are names of contents; a text of "" is too little to be known by."""

    body: str = ""
    text: str = ""
    near: str = ""  # a URL that it is nearly the same as
    to: str = ""  # a URL that it redirects to
    status: int = 200
    type: str = "text/html"
    state: str = "fetched"


def made(directory: Path, answers: Mapping[str, Made], seeds: Sequence[str] = (), config: Config | None = None) -> Path:
    """Targets of redirects must be among the URLs, `near` ones too."""
    ids = {url: place for place, url in enumerate(answers, 1)}
    sites = {name: place for place, name in enumerate(dict.fromkeys(map(host, answers)), 1)}
    with closing(new_db(directory)) as db, db:
        states = Counter(answer.state for answer in answers.values() if not answer.to)
        about = {"seeds": "\n".join(seeds), "seconds": 1.0, "indexed": len(ids), "finished": "max_pages"}
        about |= {"total_pages": states["fetched"], "total_queued": states["queued"]}
        db.executemany("INSERT INTO crawl VALUES (?, ?)", about.items())
        add_site = insert(db, "site", "id", "host", "domain")
        db.executemany(add_site, [(place, name, registrable_domain(name)) for name, place in sites.items()])
        add_url = insert(db, "url", "id", "key", "url", "site", "state", "reason", depth=1, discovered=NOW)
        add_page = insert(db, "page", "url", "status", "type", "length", "digest", time=NOW)
        add_print = insert(db, "fingerprint", "url", "text", time=NOW)
        add_move = insert(db, "outlinks", "source", "targets", kinds="R", regions="c")
        add_near = insert(db, "duplicate", "url", "near_duplicate_of", same="near", similarity=0.95)
        db.executemany("INSERT INTO by_key VALUES (?, ?)", [(key(url), ids[url]) for url in answers])
        for url, answer in answers.items():
            state = "moved" if answer.to else answer.state
            status = 301 if answer.to else answer.status
            reason = "" if state == "queued" else f"http {status}"
            db.execute(add_url, (ids[url], key(url), url, sites[host(url)], state, reason))
            if state == "queued":
                continue
            digest = _digest(answer.body) if answer.body else None
            db.execute(add_page, (ids[url], status, answer.type, len(answer.body), digest))
            if answer.to:
                db.execute(add_move, (ids[url], json.dumps([key(answer.to)])))
            if answer.text:
                db.execute(add_print, (ids[url], _digest(answer.text)))
            if answer.near:
                db.execute(add_near, (ids[url], ids[answer.near]))
        db.execute("INSERT INTO queue SELECT site, priority, id FROM url WHERE state = 'queued'")
        db.execute("UPDATE outlinks SET kinds = CAST(kinds AS BLOB), regions = CAST(regions AS BLOB)")
    write_config(directory, config or Config())
    return directory


def _digest(content: str) -> bytes:
    return f"{key(content):032x}"[-16:].encode()
