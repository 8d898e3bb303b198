"""A generated web of government sites, whose pages, images, files and links are known.

Twelve sites have pages in a tree, duplicates, near duplicates, images and documents; four hosts have no page for us.
`tests.course.test_manual` crawls it with the commands of docs/from-course-crawlers.md.
"""

from __future__ import annotations

import random
import struct
import zlib
from functools import cache

from tests.support.web.site import Answer, at, moved, robots

SITES = 12
DOMAIN = "gov.test"

#: Hosts that the first page links to: none has a page for us, and `nxdomain` has no address.
SILENT = ("nxdomain", "slow", "closed", "reset")

_TEXT = (
    "zakon vlada občina prijava obrazec davek podjetje register stavba nepremičnina zemljišče služba objava javno "
    "naročilo pravica državljan ministrstvo okolje prostor promet zdravje šola univerza delo pokojnina sodišče "
    "policija meja carina kmetijstvo gozd voda energija plin cesta letališče pošta banka knjiga muzej gledališče "
    "zgodovina arhiv volitve poslanec odbor seja zapisnik sklep odločba pritožba rok taksa račun plačilo potrdilo "
    "izpisek vloga vzorec navodilo pogodba"
)
_VOCABULARY = _TEXT.split()

_OFFICE = "application/vnd.openxmlformats-officedocument"

#: Of each extension: MIME type, first bytes.
DOCUMENTS = {
    "pdf": ("application/pdf", b"%PDF-1.4\n"),
    "doc": ("application/msword", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    "docx": (f"{_OFFICE}.wordprocessingml.document", b"PK\x03\x04"),
    "ppt": ("application/vnd.ms-powerpoint", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    "pptx": (f"{_OFFICE}.presentationml.presentation", b"PK\x03\x04"),
}
_EXTENSIONS = [*["pdf"] * 6, "doc", "docx", "ppt", "pptx"]

_SITEMAP = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'


def name(site: int) -> str:
    return f"s{site:02}.{DOMAIN}"


def pages_of(site: int) -> int:
    """Numbered pages of a site, beside its first page, which is the same as that with the number 0."""
    return 30 + 2 * site


def words(seed: str, number: int) -> list[str]:
    """Half of the words are followed by a number, which makes other words of them."""
    rng = random.Random(seed)
    return [rng.choice(_VOCABULARY) + (str(rng.randint(0, 400)) if rng.random() < 0.5 else "") for _ in range(number)]


def images(number: int) -> list[str]:
    """Paths of the images that page `number` of each site shows."""
    return [f"/img/{number}-{each}.png" for each in range(number % 4)] + (["/img/logo.png"] if number % 2 == 0 else [])


def document(number: int) -> str:
    """Path of the document that page `number` of each site links to; empty: none."""
    return "" if number % 3 else f"/files/f{number}.{_EXTENSIONS[number // 3 % len(_EXTENSIONS)]}"


@cache
def web() -> dict[tuple[str, str], Answer]:
    """Pages for `tests.support.web.site.Web`."""
    pages = {key: answer for site in range(SITES) for key, answer in _site(site).items()}
    return pages | {
        (f"slow.{DOMAIN}", "/robots.txt"): Answer(fate="stall"),
        (f"slow.{DOMAIN}", "/"): Answer(fate="stall"),
        (f"closed.{DOMAIN}", "/robots.txt"): robots("User-agent: *", "Disallow: /"),
        (f"closed.{DOMAIN}", "/"): _html("<h1>should not be fetched</h1>"),
        (f"reset.{DOMAIN}", "/"): Answer(fate="reset"),
        (f"reset.{DOMAIN}", "/sitemap.xml"): Answer(fate="reset"),
    }


def _html(text: str, *headers: tuple[str, str]) -> Answer:
    return Answer(body=text.encode(), headers=headers)


def _site(site: int) -> dict[tuple[str, str], Answer]:
    numbers = range(pages_of(site))
    modified = ("Last-Modified", "Mon, 02 Nov 2026 10:00:00 GMT")
    copy = _html(f"<title>dvojnik</title><p>{' '.join(words(f'dup{site}', 80))}</p>")
    of_path = {
        "/": _page(site, 0),
        "/robots.txt": robots("User-agent: *", "Disallow: /private/", f"Sitemap: {at(name(site), '/sitemap.xml')}"),
        "/sitemap.xml": _sitemap(site),
        "/old.html": moved("/p/1.html", 302),
        "/private/x.html": _html("<h1>should not be fetched</h1>"),
        "/dup/a.html": copy,
        "/dup/b.html": copy,
        "/img/logo.png": _image(7),
        **{f"/p/{number}.html": _page(site, number, modified) for number in numbers},
        **{f"/p/{each}.html": _unlinked(site, each) for each in ("only-sitemap", "click")},
        **{f"/near/{variant}.html": _near(site, variant) for variant in range(6)},
        **{path: _document(site, number) for number in numbers if (path := document(number))},
    }
    shown = {path for number in numbers for path in images(number)} - of_path.keys()
    pictures = {path: _image(zlib.crc32(f"{site}{path}".encode()) % 1000) for path in shown}
    return {(name(site), path): answer for path, answer in (of_path | pictures).items()}


def _links(site: int, number: int) -> list[str]:
    links = [
        f'<a href="/p/{child}.html#top">stran {child}</a>'
        for child in (2 * number + 1, 2 * number + 2)
        if child < pages_of(site)
    ]
    if number % 7 == 0:
        links.append(f'<a href="{at(name((site + 1) % SITES), f"/p/{number}.html")}">sosed</a>')
    if number == 0:
        links += _links_of_the_first_page(site)
    if path := document(number):
        links.append(f'<a href="{path}">prenos</a>')
    return links


def _links_of_the_first_page(site: int) -> list[str]:
    texts = {"/private/x.html": "zaprto", "/old.html": "staro", "/missing.html": "ni"}
    copies = {"/dup/a.html": "a", "/dup/b.html": "b"}
    near = {f"/near/{variant}.html": f"n{variant}" for variant in range(6)}
    silent = {at(f"{host}.{DOMAIN}", "/"): host for host in (SILENT if site == 0 else ())}
    return [
        f'<a href="{at(name((site + 3) % SITES), "/")}">drug</a>',
        '<a href="mailto:info@x.test">pišite</a>',
        *(f'<a href="{href}">{text}</a>' for href, text in texts.items()),
        '<a href="javascript:void(0)">js</a>',
        "<button onclick=\"location.href='/p/click.html'\">klik</button>",
        *(f'<a href="{href}">{text}</a>' for href, text in (copies | silent | near).items()),
        f'<a href="https://outside.example.org/{site}">zunaj</a>',
    ]


def _page(site: int, number: int, *headers: tuple[str, str]) -> Answer:
    key = f"{site}-{number}"
    shown = "".join(f'<img src="{path}" alt="slika {path}">' for path in images(number))
    return _html(
        f'<!DOCTYPE html><html lang="sl"><head><meta charset="utf-8"><title>Stran {number} na {site}</title>'
        f'<meta name="description" content="opis {key}"></head><body><nav>{" ".join(_links(site, number))}</nav>'
        f"<main><h1>Naslov {key}</h1><p>{' '.join(words(key, 120 + number % 50))}</p>{shown}</main></body></html>",
        *headers,
    )


def _unlinked(site: int, path: str) -> Answer:
    return _html(f"<title>{path}</title><p>{' '.join(words(f'{path}{site}', 60))}</p>")


def _near(site: int, variant: int) -> Answer:
    """One text of 300 words, in each variant with more of them replaced."""
    text, rng = words(f"near{site}", 300), random.Random(f"{site}/{variant}")
    for _ in range((0, 2, 6, 15, 60, 200)[variant]):
        text[rng.randrange(len(text))] = f"edit{rng.randrange(10**6)}"
    return _html(
        f"<!DOCTYPE html><html><head><meta charset=utf-8><title>Near {variant}</title></head>"
        f"<body><main><h1>N {variant}</h1><p>{' '.join(text)}</p></main></body></html>"
    )


def _sitemap(site: int) -> Answer:
    urls = (at(name(site), path) for path in ("/p/only-sitemap.html", "/"))
    text = _SITEMAP.format("".join(f"<url><loc>{url}</loc></url>" for url in urls))
    return Answer(body=text.encode(), headers=(("Content-Type", "application/xml"),))


def _document(site: int, number: int) -> Answer:
    rng = random.Random(f"f{site}-{number}")
    type, start = DOCUMENTS[document(number).rpartition(".")[2]]
    size = rng.randint(2000, 40_000)
    body = start + bytes(rng.randrange(256) for _ in range(64)) * (size // 64)
    return Answer(body=body, headers=(("Content-Type", type),))


def _image(seed: int) -> Answer:
    """A PNG: equal seeds give equal bytes."""
    rng, size = random.Random(seed), 4 + seed % 20
    rows = b"".join(b"\0" + bytes(rng.randrange(256) for _ in range(3 * size)) for _ in range(size))
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    body = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return Answer(body=body, headers=(("Content-Type", "image/png"),))
