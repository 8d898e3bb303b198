"""A site with a problem of every kind that pages have, and as many pages that come near it and have none.

(SITE, "/KIND...") is wrong in this one respect, (SITE, "/near/...") is right.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter

from tests.support.web.site import ANY, Answer, moved, robots

#: Everything is wrong with the headers of the first host, nothing with those of the second; the third answers always.
SITE, GOOD, SOFT = "a.test", "b.test", "c.test"

#: No request leads there: external URLs are not requested.
NOWHERE = "z.test"

SECURE = (
    ("Strict-Transport-Security", "max-age=31536000"),
    ("Content-Security-Policy", "default-src 'self'"),
    ("X-Content-Type-Options", "nosniff"),
)


def words(seed: str, number: int) -> str:
    return " ".join(f"{zlib.crc32(seed.encode()):x}{each}" for each in range(number))


def page(
    name: str,
    content: str = "",
    head: str = "",
    *,
    title: str | None = None,
    description: str | None = None,
    html: str = "<html lang=en>",
    viewport: str = "<meta name=viewport content='width=device-width'>",
    h1: str = "<h1>A heading</h1>",
    text: str | None = None,
    start: str = "<a href='/'>Start</a>",
    headers: tuple[tuple[str, str], ...] = (),
    body_type: str = "text/html; charset=utf-8",
) -> Answer:
    """A page that is right unless a part of it is replaced: its title, description and text are its own."""
    title = f"The title of {name}" if title is None else title
    description = (
        f"This page describes what {name} is about, and it does so at length" if description is None else description
    )
    head = f"<title>{title}</title><meta name=description content='{description}'>{viewport}{head}"
    text = words(name, 60) if text is None else text
    markup = f"<!DOCTYPE html>{html}<head>{head}</head><body>{h1}<p>{text}</p>{start}{content}</body></html>"
    return Answer(headers=(("Content-Type", body_type), *headers), body=markup.encode())


def link(href: str, text: str = "A link") -> str:
    return f"<a href='{href}'>{text}</a>\n"


def canonical(path: str) -> str:
    return f"<link rel=canonical href='{path}'>"


def versions(**paths: str) -> str:
    return "".join(
        f"<link rel=alternate hreflang={code.replace('_', '-')} href='{path}'>" for code, path in paths.items()
    )


def json_ld(content: object) -> str:
    return f'<script type="application/ld+json">{content if isinstance(content, str) else json.dumps(content)}</script>'


def image(size: int, kept: str = "max-age=3600") -> Answer:
    headers = (("Content-Type", "image/png"), *([("Cache-Control", kept)] if kept else []))
    return Answer(headers=headers, body=b"\x89PNG\r\n\x1a\n".ljust(size, b"\0"))


SIZED = "<img src='{}' alt='' width=1 height=1>".format
LONG = words("nearly", 120)
SCHEMA = {"@context": "https://schema.org"}
PRODUCT = SCHEMA | {"@type": "Product", "name": "A thing", "offers": {"@type": "Offer", "price": 1}}
NOINDEX = "<meta name=robots content=noindex>"
MANY = [f"https://{NOWHERE}/{number}" for number in range(2001)]

#: Path -> the page, and the kinds of its problems.
WRONG: dict[str, tuple[Answer, tuple[str, ...]]] = {
    # titles, descriptions, headings, texts
    "/missing-title": (page("missing-title", title=""), ("missing-title",)),
    "/duplicate-title": (page("duplicate-title", title="The title of near"), ("duplicate-title",)),
    "/long-title": (page("long-title", title="A title of " + "x" * 50), ("long-title",)),
    "/short-title": (page("short-title", title="Too short"), ("short-title",)),
    "/missing-description": (page("missing-description", description=""), ("missing-description",)),
    "/duplicate-description": (
        page("duplicate-description", description="A description that two pages have, of enough characters"),
        ("duplicate-description",),
    ),
    "/long-description": (page("long-description", description="long " * 33), ("long-description",)),
    "/short-description": (page("short-description", description="x" * 49), ("short-description",)),
    "/missing-h1": (page("missing-h1", h1="<h2>A heading</h2>"), ("missing-h1",)),
    "/several-h1": (page("several-h1", "<h1>Another one</h1>"), ("several-h1",)),
    "/skipped-heading": (page("skipped-heading", "<h2>x</h2><h4>y</h4>"), ("skipped-heading",)),
    "/thin-page": (page("thin-page", text=words("thin", 20)), ("thin-page",)),
    "/x/duplicate-page": (page("near"), ("duplicate-page",)),
    "/x/near-duplicate": (page("near-duplicate", text=f"{LONG} other"), ("near-duplicate",)),
    # what search engines are told
    "/canonical-chain": (page("canonical-chain", head=canonical("/sitemap-canonical")), ()),
    "/sitemap-canonical": (
        page("sitemap-canonical", head=canonical("/near")),
        ("canonical-chain", "sitemap-canonical"),
    ),
    "/noindex": (page("noindex", head=NOINDEX), ("noindex-linked", "sitemap-noindex", "canonical-noindex")),
    "/to-noindex": (page("to-noindex", head=canonical("/noindex")), ()),
    "/several-canonicals": (
        page("several-canonicals", head=canonical("/several-canonicals") + canonical("/near")),
        ("several-canonicals",),
    ),
    "/canonical-conflict": (
        page(
            "canonical-conflict",
            head=canonical("/canonical-conflict"),
            headers=(("Link", '</near>; rel="canonical"'),),
        ),
        ("canonical-conflict",),
    ),
    "/hreflang-code": (
        page("hreflang-code", head=versions(en_uk="/hreflang-code", x_default="/hreflang-code")),
        ("hreflang-code",),
    ),
    "/without-return": (
        page("without-return", head=versions(en="/without-return", de="/hreflang-return", x_default="/without-return")),
        (),
    ),
    "/hreflang-return": (page("hreflang-return"), ("hreflang-return",)),
    "/hreflang-self": (
        page("hreflang-self", head=versions(de="/near/version", x_default="/near/version")),
        ("hreflang-self",),
    ),
    "/hreflang-default": (page("hreflang-default", head=versions(en="/hreflang-default")), ("hreflang-default",)),
    # versions that only the sitemap lists
    "/listed-code": (page("listed-code"), ("hreflang-code",)),
    "/listed-return": (page("listed-return"), ("hreflang-return",)),
    "/listed-self": (page("listed-self"), ("hreflang-self", "hreflang-default")),
    "/json-ld-invalid": (page("json-ld-invalid", json_ld('{"@type": "Thing",}')), ("json-ld-invalid",)),
    "/json-ld-incomplete": (
        page("json-ld-incomplete", json_ld({**PRODUCT, "offers": []})),
        ("json-ld-incomplete",),
    ),
    # transport
    "/http-form": (page("http-form", "<form action=/x><input type=password aria-label=x></form>"), ()),
    # markup
    "/missing-label": (page("missing-label", "<form method=post><input name=q></form>"), ()),
    "/empty-link": (
        page("empty-link", "<a href='/near'><img src='/ok.png' alt='' width=1 height=1></a>"),
        (),
    ),
    "/empty-button": (page("empty-button", "<button><i class=icon></i></button>"), ()),
    "/missing-lang": (page("missing-lang", html="<html>"), ("missing-lang",)),
    "/missing-viewport": (page("missing-viewport", viewport=""), ("missing-viewport",)),
    "/duplicate-id": (page("duplicate-id", "<p id=x>x</p><p id=x>y</p>"), ("duplicate-id",)),
    "/table-header": (
        page("table-header", "<table border=1><tr><td>1<td>2<tr><td>3<td>4</table>"),
        ("table-header",),
    ),
    "/click-only": (page("click-only", "<div onclick='go()'>Go</div>"), ("click-only",)),
    "/positive-tabindex": (page("positive-tabindex", "<a tabindex=2 href='/near'>x</a>"), ("positive-tabindex",)),
    "/wrong-type.html": (page("wrong-type", body_type="text/plain"), ("wrong-type",)),
    # weight and connections
    "/heavy-page": (page("heavy-page", f"<!-- {'x' * 1_000_000} -->"), ("heavy-page",)),
    "/dead-end": (page("dead-end", link(f"https://{NOWHERE}/"), start="<a href='/dead-end'>Here</a>"), ("dead-end",)),
    "/too-many-links": (page("too-many-links", "".join(link(each, each) for each in MANY)), ("too-many-links",)),
    "/lost-page": (page("lost-page"), ("lost-page",)),
    "/linked-once": (page("linked-once"), ("linked-once",)),
}

#: What comes near.
RIGHT: dict[str, Answer] = {
    "/near": page("near"),
    "/near/described": page("near/described", description="A description that two pages have, of enough characters"),
    "/near/lengths": page("near/lengths", title="x" * 60, description="y" * 160),
    "/near/short": page("near/short", title="x" * 10, description="y" * 50),
    "/near/copy": page("near/copy", title="The title of near", text=words("near", 60), head=canonical("/near")),
    "/near/image-as-h1": page("near/image-as-h1", h1="<h1><img src='/ok.png' alt='A name' width=1 height=1></h1>"),
    "/near/hidden-h1": page("near/hidden-h1", "<div style='display:none'><h1>Hidden</h1></div>"),
    "/near/up": page("near/up", "<h2>x</h2><h3>y</h3><h4>z</h4><h2>up again</h2>"),
    "/near/words": page("near/words", text=words("fifty", 50)),
    "/near/original": page("near/original", text=LONG),
    "/near/nofollow": page("near/nofollow", head="<meta name=robots content='nosnippet, max-snippet:-1'>"),
    "/near/other-robot": page("near/other-robot", headers=(("X-Robots-Tag", "otherbot: noindex"),)),
    "/near/self": page(
        "near/self",
        head=canonical("/near/self") + canonical("/near/self"),
        headers=(("Link", '</near/self>; rel="canonical"'),),
    ),
    "/near/listed": page("near/listed"),
    "/near/listed-de": page("near/listed-de"),
    "/near/version": page(
        "near/version",
        head=versions(
            de="/near/version", en="/hreflang-self", zh_Hant_TW="/near/other-version", x_default="/near/version"
        ),
    ),
    "/near/other-version": page(
        "near/other-version",
        head=versions(zh_Hant_TW="/near/other-version", de="/near/version", x_default="/near/version"),
    ),
    "/near/json-ld": page(
        "near/json-ld",
        json_ld(PRODUCT)
        + json_ld([SCHEMA | {"@graph": [{"@type": "Product", "@id": "#x"}, {"@type": "Thing", "name": "y"}]}])
        + json_ld({"@context": "https://other.example", "@type": "Product"})
        + "<script type='text/x-template'>{not json</script>",
    ),
    "/near/transport": page(
        "near/transport",
        link(f"http://{NOWHERE}/")
        + "<form action='/near' method=post><input type=password aria-label=x></form>"
        + f"<!-- <img src='http://{NOWHERE}/x.png'> -->",
    ),
    "/near/upgraded": page(
        "near/upgraded",
        SIZED(f"http://{NOWHERE}/y.png"),
        headers=(("Content-Security-Policy", "upgrade-insecure-requests"),),
    ),
    "/near/labels": page(
        "near/labels",
        "<form method=post><label for=a>A</label><input id=a><label>B <input></label><input aria-label=c>"
        "<input title=d>"
        "<input placeholder=e><input type=hidden name=f><input type=submit><label>G <select><option>1</select></label>"
        "<textarea aria-labelledby=a></textarea><div hidden><input></div></form>",
    ),
    "/near/links": page(
        "near/links",
        "<a name=x></a><a href='/near'><img src='/ok.png' alt='Near' width=1 height=1></a>"
        "<a href='/near' aria-label=x></a><ul><li><a href='/near/links'>Not closed<li>x<li></ul>"
        "<a href='/near' title=x></a><a href='/near' aria-hidden=true></a>"
        "<a href='/near'><svg><title>x</title></svg></a>"
        "<div hidden><a href='/near'></a></div><a href='/near'><svg aria-label=x></svg></a>",
    ),
    "/near/buttons": page(
        "near/buttons",
        "<button>Go</button><button aria-label=x></button>"
        "<button><img src='/ok.png' alt='Go' width=1 height=1></button>"
        "<input type=submit><input type=reset><input type=button value=x>",
    ),
    "/near/xml-lang": page("near/xml-lang", html="<html xml:lang=en>"),
    "/near/ids": page("near/ids", "<p id=x>x</p><p id=X>y</p><p id=''>z</p><p id=''>z</p>"),
    "/near/tables": page(
        "near/tables",
        "<table><tr><td>layout<td>2<tr><td>3<td>4</table><table border=0><tr><td>1<td>2<tr><td>3<td>4</table>"
        "<table border=1><tr><th>a<th>b<tr><td>3<td>4</table><table border=1><tr><td>a<tr><td>b</table>"
        "<table border=1><tr><td>one<td>row</table>"
        "<table role=presentation border=1><tr><td>1<td>2<tr><td>3<td>4</table>"
        "<table border=1><tr><td scope=row>1<td>2<tr><td>3<td>4</table>",
    ),
    "/near/clicks": page(
        "near/clicks",
        "<button onclick='x()'>x</button><div onclick='x()' tabindex=0>x</div><a href='/near' onclick='x()'>x</a>"
        "<li onclick='x()'><a href='/near'>x</a></li><a tabindex=-1 href='/near'>x</a><code>onclick</code>",
    ),
    "/near/plain.txt": Answer(headers=(("Content-Type", "text/plain"),), body=b"<html> is written like this\n"),
    "/near/heavy": page("near/heavy", f"<!-- {'x' * 990_000} -->"),
    "/near/many-links": page("near/many-links", "".join(link(each, f"near {each}") for each in MANY[:1999])),
    "/near/one-link": page("near/one-link", start=link("/map")),
    "/near/images": page(
        "near/images",
        "<img src='/ok.png' alt='' width=1 height=1><img src='/ok.png' alt='' style='width: 1px; height: 1px'>"
        "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' alt=''>"
        "<img src='/ok.png' alt='' style='aspect-ratio: 1'>" + link("/large.png", "The large one"),
    ),
}

IMAGES = {
    "/ok.png": image(100),
    "/unsized.png": image(100),
    "/heavy.png": image(500_001),
    "/light.png": image(500_000),
    "/large.png": image(600_000),
    "/unkept.png": image(100, kept=""),
}
SHOWING = page(
    "showing",
    SIZED("/heavy.png") + SIZED("/light.png") + "<img src='/unsized.png' alt=''>" + link("/unkept.png", "A photograph"),
)
MIXED = page("mixed-content", SIZED(f"http://{NOWHERE}/mixed.png"))
SENDING = page("sending", f"<form action='http://{NOWHERE}/send' method=post><button>Send</button></form>")

#: Two ways of seven clicks from the start, so that no page of them is linked once.
DEEP = {
    f"/{name}{step}": page(
        f"deep {name}{step}", "".join(link(f"/{each}{step + 1}") for each in "de") if step < 6 else ""
    )
    for name in "de"
    for step in range(1, 7)
}

SITEMAP = ["/", "/near", "/noindex", "/sitemap-canonical", "/sitemap-redirect", "/private/x", "/lost-page"]

#: Pages of the sitemap -> their versions there.
LISTED = {
    "/near/listed": {"en": "/near/listed", "de": "/near/listed-de", "x-default": "/near/listed"},
    "/near/listed-de": {
        "en": "/near/listed",
        "de": "/near/listed-de",
        "nl": "/listed-self",
        "x-default": "/near/listed",
    },
    "/listed-code": {"en-uk": "/listed-code", "x-default": "/listed-code", "fr": "/listed-return"},
    "/listed-self": {"de": "/near/listed-de"},
}


def sitemap() -> Answer:
    origin = f"https://{SITE}:@PORT@"
    entries = "".join(f"<url><loc>{origin}{path}</loc>{alternates(origin, path)}</url>" for path in (*SITEMAP, *LISTED))
    names = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    body = f"<urlset {names}>{entries}</urlset>"
    return Answer(headers=(("Content-Type", "application/xml"),), body=body.encode())


def alternates(origin: str, path: str) -> str:
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{origin}{version}"/>'
        for code, version in LISTED.get(path, {}).items()
    )


def answers() -> dict[tuple[str, str], Answer]:
    pages = RIGHT | {path: answer for path, (answer, _) in WRONG.items()} | DEEP
    pages |= {"/showing": SHOWING, "/mixed-content": MIXED, "/sending": SENDING}
    hidden = {"/linked-once", *(path for path in DEEP if not path.endswith("1"))}
    index = "".join(link(path) for path in pages if path not in hidden)
    outward = link(f"https://{GOOD}:@PORT@/") + link(f"https://{SOFT}:@PORT@/gone") + link(f"https://{SOFT}:@PORT@/")
    old = link("/old-page") + link("/index.html") + link("/sitemap-redirect")
    start = page("start", index + outward + old + link("/map") + link("/linked-once"))
    map_of_site = page("map", index + outward)
    listed = f"Sitemap: https://{SITE}:@PORT@/sitemap.xml"
    on_site = {
        "/robots.txt": robots("User-agent: *", "Disallow: /private/", listed),
        "/sitemap.xml": sitemap(),
        "/": start,
        "/map": map_of_site,
        "/old-page": moved("/"),
        "/index.html": moved("/"),
        "/sitemap-redirect": moved("/near"),
        **pages,
        **IMAGES,
    }
    return {
        **{(SITE, path): answer for path, answer in on_site.items()},
        (GOOD, "/"): page("good", link(f"https://{SITE}:@PORT@/"), headers=SECURE),
        (SOFT, "/robots.txt"): robots("User-agent: *"),
        (SOFT, "/"): page("soft", link(f"https://{SITE}:@PORT@/"), headers=SECURE),
        (SOFT, ANY): page("nothing is here", link(f"https://{SITE}:@PORT@/"), headers=SECURE),
    }


def expected() -> Counter[tuple[str, str]]:
    """Kind and URL of all problems; paths of SITE are without its origin."""
    of_pages = {(kind, path) for path, (_, kinds) in WRONG.items() for kind in kinds}
    others = {
        *(("deep-page", path) for path in ("/d6", "/e6")),
        ("redirect-to-start", "/old-page"),
        ("redirect", "/index.html"),
        ("redirect", "/sitemap-redirect"),
        ("sitemap-redirect", "/sitemap-redirect"),
        ("sitemap-forbidden", "/private/x"),
        ("mixed-content", f"http://{NOWHERE}/mixed.png"),
        ("http-form", f"http://{NOWHERE}/send"),
        ("heavy-image", "/heavy.png"),
        ("image-size", "/unsized.png"),
        *((kind, "/") for kind in ("missing-hsts", "missing-csp", "missing-nosniff", "uncompressed", "uncached")),
        ("certificate", "/"),
        ("missing-label", '<input name="q">'),
        ("empty-link", "/near"),
        ("empty-button", "<button>"),
        ("soft-404", f"https://{SOFT}/gone"),
    }
    return Counter(of_pages | others)
