"""A site with a known number of problems of each kind, and three other sites that it links to."""

from __future__ import annotations

import zlib
from dataclasses import replace

from tests.support.web.site import PORT, Answer, at, moved, robots
from ttcrawl.inspect.check.kinds import Problem

SITE, OTHER, CLOSED = "a.test", "b.test", "c.test"

#: An address of OTHER: a page must not lead us to it.
PRIVATE = "127.0.0.2"


#: Headers that leave nothing to be desired.
HEADERS = (("Content-Security-Policy", "default-src 'self'"), ("X-Content-Type-Options", "nosniff"))


def html(title: str = "", content: str = "", description: str = "", head: str = "") -> Answer:
    """A page with markup without problems, and with a text of its own."""
    about = f'<meta name="description" content="{description}">' if description else ""
    about += '<meta name=viewport content="width=device-width">'
    text = " ".join(f"{zlib.crc32(f'{title}{content}{description}'.encode()):x}{number}" for number in range(60))
    body = f"<h1>{title.strip() or 'Unnamed'}</h1><p>{text}</p><a href='/'>Start</a>{content}"
    page = f"<!DOCTYPE html><html lang=en><meta charset=utf-8>{about}<title>{title}</title>{head}<body>{body}"
    return Answer(headers=HEADERS, body=page.encode())


def link(href: str, text: str = "") -> str:
    return f'<a href="{href}">{text or href}</a>\n'


def fine(name: str, content: str = "", head: str = "") -> Answer:
    """A page without problems of its own."""
    return html(f"Title of {name}", content, f"What {name} describes", head)


#: Relations of links to nothing that a browser would show.
NO_PAGES = ("preconnect", "dns-prefetch", "preconnect dns-prefetch", "pingback", "webmention", "micropub")

FRONT = "".join(
    (
        link("/fine"),
        link("/gone", "a broken link"),
        link("/gone", "a broken link"),  # the same text on the same page: one problem
        link("/gone", "another text"),
        link("/broken-connection"),
        link("/to-gone", "to an error"),
        link("/moved", "moved"),
        link("/chain-1", "chain"),
        link("/loop-1", "loop"),
        link("/self", "to itself"),
        link("/no-title"),
        link("/no-description"),
        link("/twin-1"),
        link("/twin-2"),
        link("/print"),
        link("/canonical"),
        link("/fragments"),
        link("/images"),
        link("/externals"),
        link("/invalid"),
        link("/private/x", "forbidden"),
        link("mailto:me@a.test"),
        "".join(f'<link rel="{rel}" href="/no-page">' for rel in NO_PAGES),
        '<link rel=dns-prefetch href="//nowhere.test"><link rel=preconnect href="//nowhere.test/">',
        '<script type="application/ld+json">{"@id": "http://nowhere.test/thing", "url": "http://nowhere.test/u"}</script>',
    )
)

FRAGMENTS = "".join(
    (
        '<h2 id=here>x</h2><a name="old-name"></a><p id="ümlaut">x</p><p id="100%25">x</p>',
        link("#here"),
        link("#old-name"),
        link("#%C3%BCmlaut"),
        link("#100%25"),
        link("#"),
        link("#top"),
        link("#TOP"),
        link("#/route"),
        link("#!route"),
        link("#:~:text=words"),
        link("#here:~:text=words"),
        link("/fine#section"),
        link("/moved#section", "over a redirect"),
        link("/moved-to-fragment#lost", "the redirect has its own"),
        link("/file.txt#line", "not a page"),
        link("/gone#x", "broken anyway"),
        # missing
        link("#nowhere", "missing here"),
        link("/fine#absent", "missing there"),
        link("/fine#Section", "upper case"),
        link("/moved#absent", "missing over a redirect"),
    )
)

IMAGES = "".join(
    (
        '<img width=1 height=1 src="/pixel.png" alt="a pixel"><img width=1 height=1 src="/pixel.png" alt="">',
        '<img width=1 height=1 src="/pixel.png" aria-label="named">',
        '<img width=1 height=1 src="/pixel.png" role=presentation>',
        '<img width=1 height=1 src="/missing.png" alt="an image that is not there">',
        '<img width=1 height=1 src="/bare.png"><img width=1 height=1 src="/bare.png">',
        '<form method=post><input type=image src="/button.png"></form>',
        '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
    )
)


#: A reference that nobody can follow -> why.
INVALID = {
    "https://exa mple.com/": "not a URL",
    "http://[::1": "not a URL",
    "http://a.example:99999/": "not a URL",
    "https:///": "not a URL",
    "file:///C:/x.html": "a file of the reader's own machine",
    "htp://typo.example/": "unknown scheme htp",
    "localhost:3000/x": "unknown scheme localhost",
    "http://localhost:3000/x": "the reader's own machine",
}
#: What looks odd and leads somewhere.
VALID = ("tel:1", "x y", "web+tea:x", "ms-settings:x", "javascript:x()", "/a:b", "data:,x", "mailto:")

INVALID_LINKS = "".join(link(each) for each in (*INVALID, *VALID))


def externals() -> str:
    """Links to other hosts."""
    return "".join(
        (
            link(at(OTHER, "/page"), "fine"),
            link(at(OTHER, "/no-head"), "refuses HEAD"),
            link(at(OTHER, "/missing"), "external error"),
            link(at(OTHER, "/moved"), "external redirect"),
            link(at(OTHER, "/moved-to-missing"), "external redirect to an error"),
            link(at(OTHER, "/round"), "external loop"),
            link(at(OTHER, "/private/x"), "forbidden there"),
            link(at(OTHER, "/members"), "for members"),
            link(at(CLOSED, "/"), "the connection closes"),
            link(f"http://nowhere.test:{PORT}/", "no such host"),
            link(f"http://{PRIVATE}:{PORT}/page", "an address of ours"),
            f'<link rel=stylesheet href="{at(OTHER, "/style.css")}">',
        )
    )


PNG = Answer(headers=(("Content-Type", "image/png"), ("Cache-Control", "max-age=3600")), body=b"\x89PNG\r\n\x1a\n")
TEXT = Answer(headers=(("Content-Type", "text/plain"),), body=b"lines")
FORBIDDEN = Answer(status=405)

PAGES: dict[tuple[str, str], Answer | list[Answer]] = {
    (SITE, "/robots.txt"): robots("User-agent: *", "Disallow: /private/", f"Sitemap: http://{SITE}:{PORT}/sitemap.xml"),
    (SITE, "/sitemap.xml"): Answer(
        headers=(("Content-Type", "application/xml"),),
        body=(
            '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
            + "".join(f"<url><loc>{at(SITE, path)}</loc></url>" for path in ("/", "/fine", "/orphan", "/unlisted"))
            + "</urlset>"
        ).encode(),
    ),
    (SITE, "/"): fine("front", FRONT),
    (SITE, "/fine"): fine("fine", '<h2 id="section">x</h2>' + link("/moved", "moved too")),
    (SITE, "/orphan"): fine("orphan"),
    (SITE, "/gone"): replace(html("Gone", link("/also-gone")), status=410),
    (SITE, "/broken-connection"): Answer(fate="close"),
    (SITE, "/to-gone"): moved("/gone", 302),
    (SITE, "/moved"): moved("/fine"),
    (SITE, "/moved-to-fragment"): moved("/fine#section"),
    (SITE, "/chain-1"): moved("/chain-2"),
    (SITE, "/chain-2"): moved("/chain-3", 302),
    (SITE, "/chain-3"): moved("/fine", 307),
    (SITE, "/loop-1"): moved("/loop-2"),
    (SITE, "/loop-2"): moved("/loop-1"),
    (SITE, "/self"): moved("/self"),
    (SITE, "/no-title"): html("  ", description="What no-title describes"),
    (SITE, "/no-description"): html("Title of no-description"),
    (SITE, "/twin-1"): html("Twins", description="Both describe this"),
    (SITE, "/twin-2"): html("Twins", "of different content", description="Both describe this"),
    # the canonical URL of a page may have its texts
    (SITE, "/print"): html("Twins", "x", "Both describe this", '<link rel=canonical href="/twin-1">'),
    (SITE, "/canonical"): fine("canonical", head='<link rel=canonical href="/gone">', content=link("/canonical-moved")),
    (SITE, "/canonical-moved"): fine("canonical-moved", head='<link rel=canonical href="/moved">'),
    (SITE, "/fragments"): fine("fragments", FRAGMENTS),
    (SITE, "/file.txt"): TEXT,
    (SITE, "/images"): fine("images", IMAGES),
    **{(SITE, f"/{name}.png"): PNG for name in ("pixel", "bare", "button")},
    (SITE, "/externals"): fine("externals", externals()),
    (SITE, "/invalid"): fine("invalid", INVALID_LINKS),
    (SITE, "/x%20y"): fine("x y"),
    (SITE, "/a:b"): fine("a:b"),
    (OTHER, "/page"): fine("page"),
    (OTHER, "/style.css"): Answer(headers=(("Content-Type", "text/css"),), body=b"p {}"),
    (OTHER, "/no-head"): [FORBIDDEN, fine("no-head")],
    (OTHER, "/members"): Answer(status=403),
    (OTHER, "/moved"): moved("/page"),
    (OTHER, "/moved-to-missing"): moved("/missing"),
    (OTHER, "/round"): moved("/round-2"),
    (OTHER, "/round-2"): moved("/round"),
    (OTHER, "/robots.txt"): robots("User-agent: *", "Disallow: /private/"),
    (CLOSED, "/"): Answer(fate="close"),
}


def problem(kind: str, url: str, source: str, text: str = "", detail: str = "") -> Problem:
    """URLs are without the origin of SITE."""
    return Problem(kind=kind, url=url, source=source, text=text, detail=detail)


def expected() -> list[Problem]:
    """All problems of the site."""
    front, here = "/", "/fragments"
    to_fine = f"http 301 to http://{SITE}:{PORT}/fine"
    after = f", after a redirect to http://{SITE}:{PORT}/gone"
    out = "/externals"
    chain = ", ".join(
        f"http {status} to http://{SITE}:{PORT}{path}"
        for status, path in ((301, "/chain-2"), (302, "/chain-3"), (307, "/fine"))
    )
    loop = f"http 301 to http://{SITE}:{PORT}/loop-2, http 301 to http://{SITE}:{PORT}/loop-1"
    round_trip = f"http 301 to {at(OTHER, '/round-2')}, http 301 to {at(OTHER, '/round')}"
    return [
        problem("broken-link", "/gone", front, "a broken link", "http 410"),
        problem("broken-link", "/gone", front, "another text", "http 410"),
        problem("broken-link", "/gone", here, "broken anyway", "http 410"),
        problem("broken-link", "/to-gone", front, "to an error", f"http 410{after}"),
        problem("broken-link", "/broken-connection", front, "/broken-connection", "disconnected"),
        problem("broken-link", "/unlisted", "/sitemap.xml", "", "http 404"),
        problem("broken-link", "/missing.png", "/images", "an image that is not there", "http 404"),
        problem("redirect", "/moved", front, "moved", to_fine),
        problem("redirect", "/moved", "/fine", "moved too", to_fine),
        problem("redirect", "/moved", here, "over a redirect", to_fine),
        problem("redirect", "/moved", here, "missing over a redirect", to_fine),
        problem("redirect", "/moved-to-fragment", here, "the redirect has its own", to_fine),
        problem("redirect-chain", "/chain-1", front, "chain", chain),
        problem("redirect-loop", "/loop-1", front, "loop", loop),
        problem("redirect-loop", "/self", front, "to itself", f"http 301 to http://{SITE}:{PORT}/self"),
        problem("missing-title", "/no-title", ""),
        problem("uncompressed", "/", "", "", f"4 of 16 pages, such as http://{SITE}:{PORT}/"),
        problem("missing-description", "/no-description", ""),
        problem("duplicate-title", "/twin-2", "/twin-1", "Twins"),
        problem("duplicate-description", "/twin-2", "/twin-1", "Both describe this"),
        problem("canonical", "/gone", "/canonical", "", "http 410"),
        problem("canonical", "/moved", "/canonical-moved", "", to_fine),
        problem("orphan", "/orphan", "/sitemap.xml"),
        problem("fragment", "/fragments#nowhere", here, "missing here"),
        problem("fragment", "/fine#absent", here, "missing there"),
        problem("fragment", "/fine#Section", here, "upper case"),
        problem("fragment", "/moved#absent", here, "missing over a redirect"),
        problem("missing-alt", "/bare.png", "/images"),
        problem("missing-alt", "/button.png", "/images"),
        problem("missing-alt", "data:image/gif;base64,R0lGODlhAQABAAAAACw=", "/images"),
        problem("external-link", at(OTHER, "/missing"), out, "external error", "http 404"),
        problem(
            "external-link",
            at(OTHER, "/moved-to-missing"),
            out,
            "external redirect to an error",
            f"http 404, after a redirect to {at(OTHER, '/missing')}",
        ),
        problem("external-link", at(OTHER, "/round"), out, "external loop", round_trip),
        problem("external-link", at(CLOSED, "/"), out, "the connection closes", "disconnected"),
        problem("external-link", f"http://nowhere.test:{PORT}/", out, "no such host", "dns"),
        problem("external-unsure", at(OTHER, "/members"), out, "for members", "http 403"),
        problem("unchecked-link", at(OTHER, "/private/x"), out, "forbidden there", "robots.txt"),
        problem("unchecked-link", "/private/x", front, "forbidden", "robots.txt"),
        problem("invalid-link", f"http://{PRIVATE}:{PORT}/page", out, "an address of ours", "the reader's own machine"),
        *(problem("invalid-link", href, "/invalid", href, why) for href, why in INVALID.items()),
    ]
