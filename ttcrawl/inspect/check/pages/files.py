"""Files by their headers: their weight, their type, and how long browsers may keep them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.links.targets import links_to
from ttcrawl.inspect.check.pages.rows import PAGES
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.html import HTML_TYPES
from ttcrawl.vocabulary.kind import LETTERS
from ttcrawl.web.url import host

HEAVY_PAGE, HEAVY_IMAGE, UNCACHED, WRONG_TYPE = KINDS = ("heavy-page", "heavy-image", "uncached", "wrong-type")

#: Bytes as received that are not too many.
PAGE_BYTES, IMAGE_BYTES = 1_000_000, 500_000

#: What a page shows, not what it links to.
_SHOWN = frozenset(LETTERS[name] for name in ("image", "lazy", "icon"))

_ANSWERED = "FROM page JOIN url ON url.id = page.url WHERE status = 200"
_IMAGES = f"SELECT key, url.url, max(length, coalesce(declared_length, 0)) AS bytes {_ANSWERED} AND type LIKE 'image/%'"
_KEPT = (
    f"SELECT url.url, fresh_until {_ANSWERED} AND (type LIKE 'image/%' OR type LIKE 'font/%' OR type = 'text/css'"
    " OR type LIKE '%/javascript')"
)
#: Types that say little: text may well be what another type calls it.
_OPEN = ("application/octet-stream", "text/plain", "text/xml", "application/xml")
#: Images that are recognized by their bytes, and other names of them.
_PICTURES = {
    "image/jpeg": ("image/jpg", "image/pjpeg"),
    "image/png": ("image/x-png",),
    "image/gif": (),
    "image/webp": (),
}


def file_problems(db: View, externals: Sequence[View]) -> Iterator[Problem]:
    """`externals`: the crawls of what pages load."""
    heavy = f"SELECT url.url, length FROM {PAGES} AND length > {PAGE_BYTES} ORDER BY url.id"
    for url, length in db.execute(heavy):
        yield Problem(kind=HEAVY_PAGE, url=url, text=_megabytes(length))
    yield from _heavy_images(db, externals)
    yield from _uncached(db, externals)
    yield from _wrong_types(db)


def _megabytes(number: int) -> str:
    return f"{number / 1e6:.1f} MB"


def _heavy_images(db: View, externals: Sequence[View]) -> Iterator[Problem]:
    """One problem for each image, on the first page that shows it."""
    images = {
        key: (url, bytes)
        for each in (db, *externals)
        for key, url, bytes in each.execute(_IMAGES)
        if bytes > IMAGE_BYTES
    }
    for link in links_to(db, images.keys(), _SHOWN):
        if (image := images.pop(link.target, None)) is not None:
            yield Problem(kind=HEAVY_IMAGE, url=image[0], source=link.source, text=_megabytes(image[1]))


def _uncached(db: View, externals: Sequence[View]) -> Iterator[Problem]:
    """One problem for each host of the site: its files are configured in one place."""
    own = {name for (name,) in db.execute(f"SELECT host FROM site WHERE id IN (SELECT site FROM {PAGES})")}
    files, unkept = Counter[str](), Counter[str]()
    example: dict[str, str] = {}
    for url, fresh_until in (row for each in (db, *externals) for row in each.execute(_KEPT)):
        if (name := host(url)) in own:
            files[name] += 1
            if fresh_until is None:
                unkept[name] += 1
                example.setdefault(name, url)
    for name, url in example.items():
        detail = f"{unkept[name]:,} of {files[name]:,} files, such as {url}"
        yield Problem(kind=UNCACHED, url=f"{url.partition(':')[0]}://{name}/", detail=detail)


def _wrong_types(db: View) -> Iterator[Problem]:
    rows = db.execute(f"SELECT url.url, declared_type, type {_ANSWERED} AND length > 0 ORDER BY url.id")
    for url, declared, actual in rows:
        if not declared:
            yield Problem(kind=WRONG_TYPE, url=url, detail="no Content-Type")
        elif declared == "text/plain" and url.partition("?")[0].endswith((".html", ".htm")):
            yield Problem(kind=WRONG_TYPE, url=url, detail="text/plain for HTML")
        elif declared != actual and _contradict(declared, actual):
            yield Problem(kind=WRONG_TYPE, url=url, detail=f"{declared} for {actual}")


def _contradict(declared: str, actual: str) -> bool:
    if (declared in HTML_TYPES) != (actual in HTML_TYPES):
        return declared in HTML_TYPES or declared not in _OPEN
    return actual in _PICTURES and declared not in _PICTURES[actual] and declared not in _OPEN
