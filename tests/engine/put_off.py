"""Crawls whose reading is put off, and `ttcrawl read`."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from tests.support.crawls.crawling import command, query
from tests.support.crawls.preforked import run
from tests.support.web import identical_bodies
from tests.support.web.site import ANY, PATH, Answer, at, page, robots

WORDS = (
    *("amber", "bridge", "candle", "daisy", "ember", "forest", "garden", "harbour", "island"),
    *("jungle", "kettle", "lantern", "meadow", "needle", "orchid"),
)
KEYS = (
    *("--no-obey-delay", "--scope", "any", "--set", "scope.extensions=", "--set", "duplicates.soft_404=5"),
    *("--set", "links.kinds=anchor image document next", "--set", "files.save=yes", "--set", "duplicates.repeated=no"),
    *("--set", "fetch.retries=0", "--set", "store.commit_pages=5", "--set", "store.commit_seconds=0.05"),
)
UNREAD = "SELECT url.url FROM unread JOIN url ON url.id = unread.url ORDER BY 1"


def words(seed: int, count: int = 300) -> list[str]:
    return random.Random(seed).choices(WORDS, k=count)


def prose(seed: int, *, changed: int = 0) -> str:
    """A text of its own for each seed; `changed` words are others, so it is nearly the same."""
    text = words(seed)
    for number in range(changed):
        text[number * 40] = f"other{number}"
    return f"<p>{' '.join(text)}.</p>"


def site() -> dict[tuple[str, str], Answer]:
    """Identical bodies, equal texts, near duplicates, soft 404s, texts, documents, and odd answers."""
    pages = identical_bodies.pages()
    near = {("n.test", f"/near/{n}"): Answer(body=page(title=f"{n}", content=prose(1, changed=n))) for n in range(4)}
    text = page(title="equal", content=prose(2))
    near |= {("n.test", f"/equal/{n}"): Answer(body=text.replace(b"<p>", b"<p id=%d>" % n)) for n in range(3)}
    plain = (("Content-Type", "text/plain; charset=iso-8859-1"),)
    near |= {
        ("n.test", "/plain"): Answer(body=" ".join(words(3)).encode() + b" caf\xe9", headers=plain),
        ("n.test", "/cut"): Answer(body=page("/near/1", content=prose(4)), length=99_999),
        ("n.test", "/robots"): Answer(body=page("/near/2", content='<meta name="robots" content="noindex">')),
        ("n.test", "/named"): Answer(
            body=page(content=prose(5)), headers=(("Link", "<http://n.test/near/1>; rel=canonical"),)
        ),
    }
    soft = {("s.test", f"/{n}"): Answer(body=page("/lost", content=prose(10 + n))) for n in range(8)}
    lost = (
        f"Oh dear, we looked everywhere and found nothing at {PATH} in this house. Please try the search, or go home."
    )
    soft |= {("s.test", ANY): Answer(body=page(content=f"<p>{lost}</p>")), ("s.test", "/robots.txt"): robots()}
    hrefs = [at(host, path) for host, path in (*near, *soft) if path not in (ANY, "/robots.txt")]
    start = page(*hrefs, at("a.test", "/"), content=prose(6))
    return pages | near | soft | {("n.test", "/"): Answer(body=start)}


def read(directory: Path, *options: object) -> subprocess.CompletedProcess[str]:
    return run("read", directory, *options)


def begin_to_read(directory: Path) -> subprocess.Popen[str]:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command("read", directory), **pipes, text=True, start_new_session=True)


def unread(directory: Path) -> list[str]:
    return [url for (url,) in query(directory, UNREAD)]
