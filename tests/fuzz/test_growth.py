"""Four times the bytes take about four times the time, whatever the bytes: nothing hostile is quadratic."""

from functools import partial

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.fuzz.growth import grows
from tests.support.cases import one_in
from tests.support.long_tables import LONG
from ttcrawl import config
from ttcrawl.config import Duplicates, Record
from ttcrawl.config.compiled import compile_canon, compile_scope, compile_traps
from ttcrawl.frontier.priority import queue_order
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.parse.directives import directives
from ttcrawl.parse.filename import name_of
from ttcrawl.parse.images.measure import measure
from ttcrawl.parse.links import css, jsonld, location, plain
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.header import in_headers
from ttcrawl.parse.links.refresh import refresh
from ttcrawl.parse.links.schemes import scheme
from ttcrawl.parse.links.srcset import candidates
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.parse.links.weight import too_heavy
from ttcrawl.parse.repeated_content import Contents, content_hashes
from ttcrawl.read.dates import iso
from ttcrawl.read.fingerprints.fingerprint import fingerprint, fingerprint_input
from ttcrawl.read.jsonld import stated
from ttcrawl.read.page import of_text, read_page
from ttcrawl.read.regions import spans
from ttcrawl.vocabulary.kind import LETTERS
from ttcrawl.web import url
from ttcrawl.web.charset.detect import to_utf8
from ttcrawl.web.charset.guess import guess
from ttcrawl.web.cookies.setcookie import date
from ttcrawl.web.cookies.setcookie import parse as cookie
from ttcrawl.web.mail_date import retry_after
from ttcrawl.web.mime.content_type import content_type
from ttcrawl.web.mime.kind import family, mime_type
from ttcrawl.web.robots import MAX_BYTES, parse
from ttcrawl.web.traps import Orders

pytestmark = pytest.mark.slow  # half a minute


PAGES = {
    **{
        repr(piece): piece.__mul__
        for piece in ("<", "<a href=", "&", "<!--", "<!---", "--!", "<a href='x'>", "</", "<![CDATA[")
    },
    **{
        repr(piece): piece.__mul__
        for piece in ("<b>", "<a>", "<table>", "<p>", "<svg>", "<base href=", "&#", "&a", "<script>")
    },
    **{
        repr(piece): piece.__mul__
        for piece in ("<title>", "<a ", "<meta ", '"', '<a href="', "\0", "\r", "<a/", "<?", "<!")
    },
    **{
        repr(piece): piece.__mul__
        for piece in ("<template>", "<i><p>", "<option>", "<ul><li>", "<a rel=' ", "<!--C-->")
    },
    "attributes": lambda n: "<a " + "".join(f"a{i}=b " for i in range(n // 8)) + ">",
    "the same attribute": lambda n: "<a " + "href=x " * (n // 7) + ">",
    "attribute without end": lambda n: "<a href='" + "x" * n,
    "blanks in an attribute": lambda n: "<a href" + " " * n,
    "blank refresh": lambda n: f'<meta http-equiv=refresh content="{" " * n}">',
    "blank refresh, then url": lambda n: f'<meta http-equiv=refresh content="0;{" " * n}url{" " * n}=x">',
    "a long title": lambda n: "<title>" + " x" * (n // 2),
    **{
        repr(piece): piece.__mul__
        for piece in ("<form><button></form>", "<div><form>", "<a><table><tr><td>", "<button onclick='location=1'>x")
    },
    **{
        repr(piece): piece.__mul__
        for piece in ("<nav>x", "<svg><a href=x>", "<a href=x><style>", "<img srcset='a, ", "<p style='b:url(x)'>")
    },
    "controls of a form": lambda n: "<form id=a>" + "<input form=a type=hidden>" * (n // 26) + "<button>",
    "scripts in a link": lambda n: "<a href=x>" + "<script></script>" * (n // 17),
    "styles": lambda n: "<style>" + "url(" * (n // 4),
    "JSON": lambda n: '<script type="application/ld+json">' + "[" * n,
    "URLs in JSON": lambda n: '<script type="application/ld+json">[' + '"http://a.test/",' * (n // 17) + "1]",
    "URLs in text": lambda n: "http://a.test/(" * (n // 15),
    "references in an attribute": lambda n: "<a href='" + "&#1" * (n // 3) + "'>",
}
EVERY = Wanted(kinds=frozenset(map(ord, LETTERS.values())), landmarks=True, anchors=True)


#: Short pages too are looked at before a parser sees them: what is quadratic in the libraries they do not see.
weigh = partial(too_heavy, large=0, tags=0)


@pytest.mark.parametrize("name", one_in(2, PAGES, LONG))
@pytest.mark.parametrize("parser", ["lexbor", "html5lib", "regex"])
def test_pages(parser, name):
    grows(lambda page: extract(page, "http://a.test/", parser, EVERY, weigh=weigh), lambda n: PAGES[name](n).encode())


@pytest.mark.parametrize("name", PAGES)
def test_records(name):
    make = PAGES[name]

    def work(page):
        tree = LexborHTMLParser(page) if not weigh(page) else None
        read_page(tree, page, {}, (), str, Record())
        read_page(None, page, {}, (), str, Record())

    grows(work, lambda n: make(n).encode())


PLAIN = (
    "\x80",
    "\xe9 ",
    "日",
    "a\0",
    "<!--",
    "<?xml ",
    "PK\1\2",
    "ftyp",
    "{",
    "[",
    "|",
    "\x1b$",
    "<html lang",
    "encoding='",
)


@pytest.mark.parametrize("piece", PLAIN)
def test_fingerprints(piece):
    def work(text):
        settings = Duplicates(min_words=1)
        fingerprint(fingerprint_input(text, text, settings), settings)

    for more in ("", " ", "\n", "a\n", "日"):
        grows(work, lambda n, more=more: ((piece + more) * n)[:n])


@pytest.mark.parametrize("piece", PLAIN)
def test_kinds_and_guesses(piece):
    def work(body):
        for start in (
            b"",
            b"PK\3\4",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            b"<?xml version='1.0'?>",
            b"\x1a\x45\xdf\xa3",
        ):
            family(mime_type([], start + body, "http://a.test/"), start + body)
            family("text/xml", start + body)
        guess(body, "http://a.test/")
        text = body.decode("utf-8", "replace")
        of_text(text, None, Record()), iso(text), stated([text])

    grows(work, lambda n: (piece * n)[:n].encode("utf-8" if piece == "日" else "latin-1"))


@pytest.mark.parametrize("make", PAGES.values(), ids=PAGES)
def test_what_pages_say(make):
    grows(
        lambda page: (content_hashes("http://a.test/7", page), content_hashes("http://a.test/2031/05/05", page)),
        lambda n: make(n).encode(),
    )


@pytest.mark.parametrize("make", PAGES.values(), ids=PAGES)
def test_regions_and_charsets(make):
    grows(lambda page: (spans(page, b"<!--C-->", b"<!--/C-->"), to_utf8(page, "")), lambda n: make(n).encode())


PIECES = (
    "/*a",
    "*",
    "$",
    "/",
    "\n",
    "\r",
    "User-agent: *\n",
    "Disallow: /*a*\n",
    "Allow: /\n",
    "Sitemap: x\n",
    "#",
    ":",
    "%",
)
ROBOTS = {
    **{repr(piece): piece.__mul__ for piece in PIECES},
    "stars in a rule": lambda n: "User-agent: *\nDisallow: /" + "*a" * (n // 2) + "b",
    "stars, then an end": lambda n: "User-agent: *\nDisallow: /" + "*a" * (n // 2) + "$",
    "agents": lambda n: "".join(f"User-agent: a{i}\n" for i in range(n // 14)) + "Disallow: /\n",
    "groups": lambda n: "".join(f"User-agent: a{i}\nDisallow: /\n" for i in range(n // 26)),
    "rules": lambda n: "User-agent: *\n" + "".join(f"Disallow: /a{i}\n" for i in range(n // 16)),
}


@pytest.mark.parametrize("make", ROBOTS.values(), ids=ROBOTS)
@pytest.mark.parametrize("reading", ["rfc9309", "1996"])
def test_robots(reading, make):
    target = "http://a.test/" + "a" * 1900

    def work(text):
        rules = parse(text, "ttcrawl", reading)
        assert len(text) <= 4 * MAX_BYTES or rules
        rules.allows(target)

    grows(work, make)


ADDRESSES = {
    **{
        f"path of {piece!r}": lambda n, piece=piece: "http://a.test/" + piece * (n // len(piece))
        for piece in ("../", "%", "/", "a", "\t", "é", "\\", "%2e/", "?", "a/../", "9", "9a", "@", "\ud800")
    }
    | {
        f"query of {piece!r}": lambda n, piece=piece: "http://a.test/?" + piece * (n // len(piece))
        for piece in ("&", "utm_", "&utm_x", "a=1&", "2031-05-05&", 'href="', "href='", "9&", "%%41")
    },
    **{
        f"host of {piece!r}": lambda n, piece=piece: f"http://{piece * (n // len(piece))}/"
        for piece in ("a.", "www.", "xn--", "é.", "%", "@", ":", "[", "0.", "9", ".", "uk.", "co.uk.")
    },
    "digits, not at the end": lambda n: "http://a.test/" + "9" * (n // 2) + "/a" * (n // 4) + "9" * (n // 4) + "a",
}


@pytest.mark.parametrize("make", ADDRESSES.values(), ids=ADDRESSES)
def test_urls(make):
    scopes = [
        compile_scope(config.Scope(scope=mode, domains="a.uk", max_url=1 << 30), ["http://a.uk/"])
        for mode in ("host", "domain", "list")
    ]
    first = queue_order(config.Frontier(priority="number")).score
    asked = config.Url(strip_www=True, fold_case=True, index_pages="a", trailing_slash="drop", sort_query=True)
    canons = compile_canon(config.Url()), compile_canon(asked)
    traps, orders, contents = compile_traps(config.Traps(), 2026), Orders(3), Contents()

    def work(text):
        for canon in canons:
            canon.canonical(text)
            for each in ("/", ";jsessionid", "?gclid&", "&"):
                href = text.removeprefix("http:/").replace("/", each) if each != "/" else text
                found = canon.resolve("http://a.test/", href)
                if found is not None:
                    traps.refusal(found), orders.refusal(found), contents.of(found, text.encode("utf-8", "replace"))
        url.registrable_domain.__wrapped__(text[7:-1])
        url.resolve("http://a.test/x/", text)
        found = url.canonical(text)
        if found is not None:
            first(found), url.key(found), [scope.refusal(found) for scope in scopes]

    url.registrable_domain.cache_clear()
    grows(work, make)


LANGUAGES = (
    *("url(", "url( ", "@import", "@import/*", "/*", '"', "'", "url('", "\\", "@namespace ", "url(a", "a", "\n", "*/"),
    *("location", "location=", "location='a'", "location = '", "window.", "window.open(", "//", "`", "var ", "\\'"),
    *("a 1x,", "a (", "a ((", "a ,", ",", "(", "a ", "a,", "1", "a 1", "<a>; x=", '<a>; x="', "<a>;", ";", "<", "<a>,"),
    *("http://", "http://a.", "http://(", ")", "{", "[", '{"a":', "javascript:", "j\t", ' "', "<a>; rel=next,", "; ="),
)


@pytest.mark.parametrize("piece", LANGUAGES)
def test_small_languages(piece):
    def work(text):
        for read in (css.urls, location.locations, location.in_href, candidates, jsonld.urls, plain.urls):
            read(text)
        scheme("http://a.test/", text)
        in_headers([("Link", text), ("Link", "<a>" + text), ("Refresh", text)], "http://a.test/")

    grows(work, lambda n: piece * (n // len(piece)))


TEXTS = (
    " ",
    "9",
    ";",
    "charset",
    " charset ",
    ";charset= ",
    "charset='",
    "0.",
    ",",
    "url",
    "url =",
    "\x1b",
    "\t;",
    "Mon, ",
    "a=b; Expires= ",
    "; Max-Age=9",
)


@pytest.mark.parametrize("piece", TEXTS)
def test_header_values(piece):
    readers = (
        lambda text: content_type([text, text]),
        refresh,
        lambda text: retry_after(text, 0.0),
        escape_untrusted,
        lambda text: cookie(f"a=b;{text}", 0.0),
        date,
    )
    grows(lambda text: [read(text) for read in readers], piece.__mul__)


@pytest.mark.parametrize("piece", [",", ":", ",9", f",9{'9' * 98}", ",a:", " a"])
def test_robots_directives(piece):
    def work(text):
        directives([("robots", text)], [("X-Robots-Tag", text)], "ttcrawl")

    grows(work, lambda n: "a" + piece * n)


BEGINS = (b"", b"\xff\xd8\xff", b"<svg ", b"<?xml ", b"<!--", b"II*\0\x08\0\0\0\xff\xff", b"\0\0\1\0\xff\xff")
INSIDE = (b"\xff", b"\xff\0", b"\xff\1", b"<", b"<svg", b"<w:", b"w", b" ", b'a="" ', b"\0\0\0\x08free", b"\0")
AVIF = b"\0\0\0\x08ftypavif"


def nested(n):
    """Boxes in boxes, each to the end of the file."""
    return AVIF + b"".join(b"\0\0\0\0" + (b"meta\0\0\0\0", b"iprp", b"ipco")[place % 3] for place in range(n // 8))


def declared_entities(n):
    each = (b"<!ENTITY a%d '&a%d;&a%d;'>" % (place + 1, place, place) for place in range(n // 25))
    return b"<!DOCTYPE svg [" + b"".join(each) + b"]><svg width='&a%d;'/>" % (n // 25)


IMAGES = {
    **{
        repr(begin + piece): lambda n, begin=begin, piece=piece: begin + piece * (n // len(piece))
        for begin in BEGINS
        for piece in INSIDE
    },
    "boxes in boxes": nested,
    "properties": lambda n: AVIF + b"\0\0\0\0meta\0\0\0\0\0\0\0\0iprp\0\0\0\0ipco" + b"\0\0\0\x14ispe" * (n // 8),
    "a length": lambda n: b'<svg width="' + b"9" * n + b'"/>',
    "a length of blanks": lambda n: b'<svg width="' + b" " * n + b'x"/>',
    "a box": lambda n: b'<svg viewBox="' + b"9 " * n + b'"/>',
    "a number": lambda n: b'<svg viewBox="0 0 ' + b"9" * n + b' 1"/>',
    "attributes of svg": lambda n: b"<svg " + b"".join(b"a%d='' " % place for place in range(n // 10)) + b"/>",
    "entities": declared_entities,
}


@pytest.mark.parametrize("make", IMAGES.values(), ids=IMAGES)
def test_images(make):
    grows(measure, make)


NAMES = (
    '"',
    "\\",
    '"\\',
    ";",
    "; ",
    "filename=",
    'filename="',
    "filename*=UTF-8''",
    "%",
    "%2f",
    "/",
    "a=b;",
    "*",
    "=",
    " ",
)


@pytest.mark.parametrize("piece", NAMES)
def test_names_of_files(piece):
    def work(text):
        name_of(text, "http://a.test/")
        name_of(f"attachment; filename={text}", f"http://a.test/{text}")

    grows(work, piece.__mul__)
