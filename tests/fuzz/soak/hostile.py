"""Things made by a small grammar to be wrong where readers trust them: texts, numbers, pages, listings, heads."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

#: Half characters, ends of texts, what turns or hides text, markup, escapes, other alphabets.
TEXTS = (
    *("\ud83d", "x\ud83dy", "\ude00", "\0", "\ufffe", "\uffff", "\u202e", "\u2028", "\x1b[2J", "\x08", "\x85", "\x0b"),
    *("&#xd83d;", "&#0;", "&#x110000;", "&#99999999999;", "&#x80;", "]]>", "<!--", "--!>", "<?", "<![CDATA[", "</p>"),
    *("\\ud83d", "\\u0000", "\\ud83d\\ude00", "%ED%A0%BD", "%00", "%", "%zz", "%u0041", "'\"><", "{{x}}", "日本語", ""),
    *("ß", "İ", "ﬀ", "٣", "²", "½", "Ⅷ", "e\u0301" * 9, "\u200b", "a" * 3000, "=1+1", "@SUM(1)", "\t", "\r", "\n", " "),
)
NUMBERS = (
    *("0", "-1", "9" * 20, "9" * 30, "9" * 5000, "-" + "9" * 25, "9223372036854775807", "9223372036854775808", "-0"),
    *("1e999", "-1e999", "1e-999", "nan", "NaN", "inf", "Infinity", "0x10", "1_000", "٣", "²", "½", "1.5.2", " 1 "),
)
DATES = (
    *("2026-13-45", "0000-00-00", "9999-12-31T23:59:60Z", "99999-01-01", "-2026-01-01", "2026-02-30", "1", "now"),
    *("Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 -9999", "Sun Nov  6 08:49:37 1994", "2026"),
    *("2026-01-01T00:00:00+99:99", "0001-01-01T00:00:00+23:59", "12/31/69"),
)
ADDRESSES = (
    *("/", "//", "///", "http://", "http:///x", "http://a.test:99999/", "http://[::1", "//xn--zz--/", "data:,", "?"),
    *("#", "../" * 50, "/x/" * 300, "a:b:c", "http://a.test\\@b.test/", "http://\u3002/", "http://ß.test/", "\ud83d"),
    *("/0", "/1", "/2", "/3?a=1&b=2", "/4#x", "http://a.test/é?ü=%FC", "mailto:x", "tel:+1", "http://1.2.3/", "/%00"),
    *("/;sid=1", "/a/a/a/a/a", "x y", "javascript:location='/5'", "feed:http://a.test/", "\ud83d/../6", "/7?\0"),
)
TOKENS = (
    *(b"<main>", b"<nav>", b"<table>", b"<svg>", b"<math>", b"<template>", b"<select>", b"<plaintext>", b"<frameset>"),
    *(b"<base href=", b"<meta charset=utf-16>", b"</body>", b"<link rel=canonical href=", b"<html lang=", b"<h1>"),
    *(b"<meta http-equiv=refresh content='0;url=/1'>", b"<iframe srcdoc='<a href=/2>'>", b"<!ENTITY x '&x;&x;'>&x;"),
    *(b'<script type="application/ld+json">{"@type":"Article","author":', b"<?xml version='1.0' encoding='utf-32'?>"),
    *(b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\0\0\xfe\xff", b"\x1b$B", b"\x8e\xff", b"\xed\xa0\xbd", b"\xf4\x90"),
    *(b"PK\x05\x06", b"%PDF-1.7\n", b"{\\rtf1\\u-9999 ", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"GIF89a", b"\x1f\x8b"),
    *(b"\x89PNG\r\n\x1a\n", b"WARC/1.1\r\n", b"\r\n\r\n"),
)
WORDS = ("the", "lime", "tree", "grows", "in", "an", "old", "garden", "der", "Baum", "steht", "les", "feuilles", "日本")

#: Parts of pages; § stands for any value.
PARTS = (
    *(
        "<a href='§' rel='§' title='§'>§</a>",
        "<img src='§' alt='§' srcset='§ §x, § 2x'>",
        "<time datetime='§'>§</time>",
    ),
    *("<meta name=author content='§'>", "<meta name=description content='§'>", "<meta name=robots content='§'>"),
    *("<meta property=og:title content='§'>", "<meta property='article:published_time' content='§'>"),
    *(
        "<meta http-equiv=refresh content='§;url=§'>",
        "<meta name=keywords content='§,§'>",
        "<meta name=date content='§'>",
    ),
    *("<link rel=canonical href='§'>", "<link rel='next icon' href='§'>", "<link rel=alternate hreflang='§' href='§'>"),
    *("<form action='§'><input name='§' value='§'><option value='§'></form>", "<h1>§</h1>", "<h6 lang='§'>§</h6>"),
    *(
        "<style>a{b:url(§)} @import '§';</style>",
        "<p onclick='location=\"§\"'>",
        "<iframe srcdoc='§'>",
        "<table background='§'>",
    ),
    *(
        "<object data='§'>",
        "<video poster='§'>",
        "<area href='§'>",
        "<frame src='§'>",
        "<main>§<p>§</main>",
        "<nav>§</nav>",
    ),
    *('<script type="application/ld+json">{}</script>', '<script type="application/ld+json">[{}, {}]</script>'),
)
#: What scripts write that cut texts within a character, in JSON that is in order.
ARTICLE = (
    '<script type="application/ld+json">{"@type": "Article", "author": {"name": "§"}, "headline": "§",'
    ' "datePublished": "§", "dateModified": 1e999, "keywords": ["§", 99999999999999999999], "inLanguage": "§"}</script>'
)
ESCAPES = ("\\ud83d", "\\ude00\\ud83d", "\\u0000", "\\uffff", "x", "\\u202e", "\\n", "\\ud83d\\ude00")
NAMES = (
    *("author", "name", "@type", "@graph", "datePublished", "dateModified", "url", "keywords", "headline", "items"),
    *("title", "inLanguage", "content_html", "external_url", "attachments", "size_in_bytes", "description"),
)
ITEMS = (
    *("<title>§</title>", "<link>§</link>", "<pubDate>§</pubDate>", "<guid>§</guid>", "<description>§</description>"),
    *(
        "<author>§</author>",
        "<enclosure url='§' length='§' type='§'/>",
        "<link href='§' rel='§'/>",
        "<updated>§</updated>",
    ),
)
LISTED = (
    *("<loc>§</loc>", "<lastmod>§</lastmod>", "<priority>§</priority>", "<changefreq>§</changefreq>"),
    *("<image:loc>§</image:loc>", "<xhtml:link href='§'/>"),
)
SITEMAP = "<?xml version='1.0'?><{0} xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{1}</{0}>"
ATOM = "<feed xmlns='http://www.w3.org/2005/Atom'><title>{0}</title>{1}</feed>"
RSS = "<rss version='2.0'><channel><title>{0}</title>{1}</channel></rss>"
JSON_FEED = '{{"version": "https://jsonfeed.org/version/1.1", "title": {0}, "items": [{1}]}}'

#: Stands for the port of the server, which has five digits too: no length changes.
PORT = "@PRT@"

#: Names of fields that somebody reads, and what folds a value.
FIELDS = (
    *("Content-Type", "Content-Language", "Content-Disposition", "Last-Modified", "ETag", "Server", "Link", "Refresh"),
    *(
        "X-Robots-Tag",
        "Set-Cookie",
        "Date",
        "Location",
        "X-Content-Type-Options",
        "Content-Location",
        "Age",
        "Retry-After",
    ),
)
FOLDS = ("\r\n ", "\n ", "\n \n ", "\r\n\t", "\r", "\0", "\n \x1c\n ", "\x85", "\x0b")
NO_FIELDS = (
    b"no colon",
    b": no name",
    b" begins with a space",
    b"\xc3\xa4: name",
    b"X Y: name",
    b"\0: x",
    b":",
    b"From me",
)


def text(chance: random.Random) -> str:
    return "".join(chance.choices(TEXTS, k=chance.randint(1, 3)))


def words(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(1, 150)))


def number(chance: random.Random) -> str:
    return chance.choice(NUMBERS)


def date(chance: random.Random) -> str:
    return chance.choice(DATES)


def address(chance: random.Random) -> str:
    return chance.choice(ADDRESSES)


def value(chance: random.Random) -> str:
    """What stands where a text, a number, a date or an address should."""
    return chance.choice((text, number, date, address, words))(chance)


def escaped(chance: random.Random) -> bytes:
    return text(chance).encode("utf-8", "surrogatepass")


def token(chance: random.Random) -> bytes:
    """A piece that means something to somebody."""
    makers: Sequence[Callable[[], bytes]] = (
        lambda: chance.choice(TOKENS),
        lambda: escaped(chance),
        lambda: number(chance).encode(),
        lambda: address(chance).encode("utf-8", "surrogatepass"),
        lambda: chance.randbytes(chance.randint(1, 9)),
    )
    return chance.choice(makers)()


def _filled(parts: Sequence[str], chance: random.Random, most: int) -> str:
    """Some of the parts, with values."""
    made = "".join(chance.choices(parts, k=chance.randint(0, most)))
    first, *rest = made.split("§")
    made = first + "".join(value(chance) + part for part in rest)
    while "{}" in made:
        made = made.replace("{}", json(chance).replace("{}", "{ }"), 1)
    return made


def json(chance: random.Random, depth: int = 0) -> str:
    """JSON, but for the numbers that it has not."""
    kind = chance.randrange(6 if depth < 4 else 4)
    if kind == 0:
        return chance.choice((number(chance), "null", "true"))
    if kind == 4:
        return f"[{', '.join(json(chance, depth + 1) for _ in range(chance.randint(0, 4)))}]"
    if kind == 5:
        pairs = (f'"{chance.choice(NAMES)}": {json(chance, depth + 1)}' for _ in range(chance.randint(0, 6)))
        return f"{{{', '.join(pairs)}}}"
    return '"' + value(chance).replace('"', "'").replace("\n", "\\n") + '"'


def page(chance: random.Random) -> str:
    head = f"<!DOCTYPE html><html lang='{value(chance)}'><title>{value(chance)}</title>"
    if chance.random() < 0.3:
        first, *rest = ARTICLE.split("§")
        head += first + "".join(f"{chance.choice(ESCAPES)}{part}" for part in rest)
    return head + _filled((*PARTS, chance.choice(TOKENS).decode("latin-1"), "<div>" * 300), chance, 40)


def sitemap(chance: random.Random) -> str:
    entries = []
    for _ in range(chance.randint(0, 20)):
        place = f"<loc>http://a.test:{PORT}/{chance.randint(0, 99)}</loc>"
        entries.append(f"<url>{place}{_filled(LISTED, chance, 4)}</url>")
    return SITEMAP.format(chance.choice(("urlset", "urlset", "sitemapindex")), "".join(entries))


def feed(chance: random.Random) -> tuple[str, str]:
    """(feed, type)."""
    if chance.random() < 0.3:
        items = ", ".join(json(chance) for _ in range(chance.randint(0, 5)))
        return JSON_FEED.format(json(chance), items), "application/feed+json"
    name, frame, mime = chance.choice((("item", RSS, "application/rss+xml"), ("entry", ATOM, "application/atom+xml")))
    items = "".join(f"<{name}>{_filled(ITEMS, chance, 6)}</{name}>" for _ in range(chance.randint(0, 9)))
    return frame.format(value(chance), items), mime


def robots(chance: random.Random) -> str:
    names = ("User-agent", "Disallow", "Allow", "Crawl-delay", "Sitemap", "Host", "Noindex", "Request-rate", "")
    agents, delays = ("*", "ttcrawl", "ttcrawl/0.1", "other", ""), ("0", "0.01", "-1", "nan", "1e-9", "x")
    lines = []
    for _ in range(chance.randint(0, 30)):
        name = chance.choice(names)
        said = {"User-agent": chance.choice(agents), "Crawl-delay": chance.choice(delays)}
        lines.append(f"{name}{chance.choice((':', ': ', ' :', ''))}{said.get(name, value(chance))}")
    return chance.choice(("\n", "\r\n", "\r")).join(lines)


def field(chance: random.Random) -> bytes:
    """One field of a head, or a line that is none."""
    if chance.random() < 0.1:
        return chance.choice(NO_FIELDS)
    said, name = value(chance).replace("\r", "").replace("\n", " ")[:2000], chance.choice(FIELDS)
    if name == "Set-Cookie":
        said = f"a={said}; Max-Age={number(chance)[:40]}; Expires={date(chance)}; Path={address(chance)}"
    if name == "Link":
        said = f"<{said}>; rel={chance.choice(('canonical', 'next'))}; anchor='{said}'"
    if chance.random() < 0.2:
        said += chance.choice(FOLDS) + "more"
    charset = chance.choice(("utf-8", "utf-8", "utf-16-le"))
    return f"{name}: {said}".encode(charset, "surrogatepass").replace(b"\n\n", b"\n ")
