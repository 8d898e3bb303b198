"""Three hosts with all that a crawl records: redirects, errors, broken bodies, duplicates, soft 404s, files, aliases.

Most of the pages are answered at once, a few milliseconds later, so that a crawl takes some seconds.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Mapping
from dataclasses import replace

from tests.support.web.site import ANY, PORT, Answer, at, moved, page, robots

#: Host -> its pages. `www.b.test` serves those of `b.test`.
SIZES = {"a.test": 25, "b.test": 90, "c.test": 90}
ALIAS = "www.b.test"

#: Terms that `ttcrawl topic score` looks for, and words of the pages.
TERMS = "10: sundew=CP\n10: pitcher plant=CP\n-5: council=CP\n"
WORDS = [*("sundew", "pitcher plant", "council"), *(f"w{number:x}ord" for number in range(1500))]

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000030000000208020000001216f14d")
SORRY = "We are sorry, the page you asked for is not here."

Key = tuple[str, str]


def _text(seed: object, count: int = 120) -> str:
    return " ".join(random.Random(str(seed)).choices(WORDS, k=count))


def site() -> dict[Key, Answer]:
    """The pages at first."""
    pages: dict[Key, Answer] = {}
    for host, size in SIZES.items():
        pages |= _host(host, size)
    pages |= {(ALIAS, path): answer for (host, path), answer in pages.items() if host == "b.test"}
    named = [path for host, path in pages if host == "b.test" and zlib.crc32(path.encode()) % 5 == 0]
    entries = "".join(f"<url><loc>{at('b.test', path)}</loc></url>" for path in named)
    sitemap = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
    pages["b.test", "/sitemap.xml"] = Answer(headers=(("Content-Type", "application/xml"),), body=sitemap.encode())
    pages["a.test", "/robots.txt"] = robots("User-agent: *", "Disallow: /hidden/")
    rules = robots("User-agent: *", "Disallow: /s3/", f"Sitemap: http://b.test:{PORT}/sitemap.xml")
    pages["b.test", "/robots.txt"] = pages[ALIAS, "/robots.txt"] = rules
    pages["c.test", ANY] = Answer(body=page(title="sorry", content=f"<main><p>{SORRY} {_text('sorry', 80)}</main>"))
    return {key: replace(answer, delay=0.005) for key, answer in pages.items()}


def changed(pages: Mapping[Key, Answer]) -> dict[Key, Answer]:
    """The pages that answer otherwise later: some have another text, some are gone."""
    later: dict[Key, Answer] = {}
    for number, ((host, path), answer) in enumerate(pages.items()):
        if answer.status != 200 or not path.endswith(".html"):
            continue
        if number % 17 == 2:
            later[host, path] = Answer(status=404, body=b"gone", delay=answer.delay)
        elif number % 5 == 1:
            addition = f"<p>a later edition {_text((host, path, 'later'), 60)}</p></main>"
            body = answer.body.replace(b"</main>", addition.encode())
            later[host, path] = replace(answer, body=body, headers=_etag(body) if answer.conditional else ())
    return later


def _etag(body: bytes) -> tuple[tuple[str, str], ...]:
    return (("ETag", f'"{zlib.crc32(body):x}"'),)


def _host(host: str, size: int) -> dict[Key, Answer]:
    """A tree of pages with more links across it; what its leaves answer depends on their number."""
    rng = random.Random(host)
    paths = ["/", *(f"/s{number % 7}/{'abcdefg'[number % 7]}{number:x}.html" for number in range(1, size))]
    below: dict[int, list[int]] = {number: [] for number in range(size)}
    for number in range(1, size):
        below[rng.randrange(max(0, number - 25), number)].append(number)
    pages: dict[Key, Answer] = {}
    for number, path in enumerate(paths):
        links = [*(paths[each] for each in below[number]), *rng.choices(paths, k=4)]
        if rng.random() < 0.15:
            links.append(at(rng.choice([each for each in SIZES if each != host]), "/"))
        leaf = number > 0 and not below[number]
        other = _leaf(host, number % 20, rng.choice(paths)) if leaf else None
        pages[host, path] = other or _page(host, number, links)
    return pages


def _leaf(host: str, kind: int, target: str) -> Answer | None:
    """What a page without a page below it answers, None if it is like the others."""
    text = f"<main><p>{_text('everywhere' if kind == 15 else (host, 'same'))}</p></main>"
    answers = {
        3: moved(target),
        4: moved(at("b.test", f"/r/{host}"), 302),
        5: Answer(status=404, body=page(title="none")),
        6: Answer(status=500, body=page(title="broken")),
        7: Answer(status=410, body=page(title="gone")),
        8: Answer(fate="close"),
        9: Answer(body=page(title="cut"), length=9_999),
        10: Answer(headers=(("Content-Type", "application/octet-stream"),), body=_text(host).encode()),
        14: Answer(body=page(title="same", content=text)),
        15: Answer(body=page(title="same", content=text)),
        16: Answer(headers=(("Content-Type", "image/png"),), body=PNG + host.encode()),
    }
    return answers.get(kind)


def _page(host: str, number: int, links: list[str]) -> Answer:
    """A page with its own text, or nearly the text of the one before it."""
    text = _text((host, number - 1)) if number % 20 in (11, 12, 13) else _text((host, number))
    if number % 20 == 12:
        text = text.replace(" ", f" changed{number} ", 1)
    if number % 20 == 13:
        text = text.upper()
    body = page(*links, title=f"{WORDS[number]} of {host}", content=f"<main><p>{text}</p></main>")
    return Answer(body=body, headers=_etag(body), conditional=True) if number % 3 else Answer(body=body)
