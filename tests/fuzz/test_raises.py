"""Whatever the web sends, the pure functions that read it raise nothing that they do not declare."""

import io
import json
import re
import zlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.fuzz.texts import ADDRESSES, BASE, made_of
from ttcrawl import config
from ttcrawl.config.compiled import compile_scope, compile_traps
from ttcrawl.errors import UsageError
from ttcrawl.fetch.curl.route import lines
from ttcrawl.frontier.priority import LAST, queue_order
from ttcrawl.inspect.verify import archive
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.parse.links import by_regex, css, jsonld, location, plain
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.header import with_headers
from ttcrawl.parse.links.refresh import refresh
from ttcrawl.parse.links.schemes import scheme
from ttcrawl.parse.links.srcset import candidates
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.parse.repeated_content import FREE, Contents
from ttcrawl.read.dates import iso
from ttcrawl.read.fingerprints.fingerprint import fingerprint
from ttcrawl.read.jsonld import stated
from ttcrawl.read.page import of_text, read_page
from ttcrawl.read.regions import flag, spans, unflagged
from ttcrawl.vocabulary.html import PARSERS
from ttcrawl.vocabulary.kind import LETTERS
from ttcrawl.vocabulary.reason import SAME_CONTENT
from ttcrawl.web import traps, url
from ttcrawl.web.charset.detect import to_utf8
from ttcrawl.web.cookies.jar import MAX_HEADER, Jar
from ttcrawl.web.mail_date import retry_after
from ttcrawl.web.mime.content_type import content_type
from ttcrawl.web.mime.kind import family, mime_type
from ttcrawl.web.robots import parse, sitemaps
from ttcrawl.web.traps.url_patterns import NOTHING

#: Pieces that have a meaning to somebody, between which anything may stand.
MARKUP = (
    *("<a href=", "<base href=", "<meta http-equiv=refresh content='0;url=", "<title>", "</title>", "<!--", "-->", ">"),
    *("<![CDATA[", "<template>", "<table>", "<svg>", "<math>", "<script>", "</", "<?", '"', "'", "&#x", "&amp", ";"),
    *("<iframe src=", "<frameset>", "<frame src=", "<area href=", "<select>", "<plaintext>", "\0", "\r", "é"),
    *(
        "<meta charset=utf-16>",
        "<meta name=robots content=nofollow>",
        "<a rel=nofollow href=x>",
        "//[::1]:9/",
        "#",
        "{{",
    ),
    *(
        "<link rel=next href=",
        "<img srcset=",
        "<form action=",
        "<button>",
        "<input type=hidden name=",
        "<p style='a:url(",
    ),
    *(
        "<b onclick='location=",
        "<a href='javascript:",
        '<script type="application/ld+json">',
        '{"url":"http://',
        "<style>",
    ),
    *(
        "<nav role=main>",
        "<header>",
        "http://a.test/",
        "<picture><source srcset=",
        "<object data=",
        "</a>",
        "<img alt=",
    ),
)
RULES = (
    *(
        "User-agent:",
        "*",
        "Disallow:",
        "Allow: /",
        "\n",
        "\r",
        "$",
        "Crawl-delay:",
        "nan",
        "inf",
        "1e999",
        "-1",
        "#",
        "%",
    ),
    *(
        "Sitemap:",
        "ttcrawl",
        "/",
        "/*a",
        "\0",
        "\ufeff",
        "Request-rate:",
        "1/0",
        "Visit-time:",
        "\ud800",
        "%zz",
        "é",
        ":",
    ),
)


PAGES = st.one_of(made_of(MARKUP).map(lambda text: text.encode("utf-8", "surrogatepass")), st.binary(max_size=300))
URLS = made_of(ADDRESSES)
TRAPS = compile_traps(config.Traps(), 2026)


@pytest.mark.slow
@given(base=st.one_of(st.just(BASE), URLS), href=URLS)
def test_urls(base, href):
    for found in (url.resolve(base, href), url.canonical(href), url.canonical(f"http://{href}")):
        if found is None:
            continue
        assert found.startswith(("http://", "https://")) and found.isascii() and found.isprintable()
        assert "#" not in found and "@" not in url.host(found)
        assert url.canonical(found) == found == url.resolve(BASE, found)
        assert -(1 << 63) <= url.key(found) < 1 << 63
        assert url.registrable_domain(url.host(found)) in url.host(found)
        assert not TRAPS.refusal(found) or TRAPS.refusal(found).startswith("trap: ")
        assert traps.Orders(1).refusal(found) == "" and traps.pattern(found).startswith(
            found.partition(url.host(found))[0]
        )
        for mode in ("host", "domain", "any", "list"):
            scope = compile_scope(config.Scope(scope=mode, domains="a.test"), ["http://a.test/", found])
            assert scope.refusal(found) in ("", "scope: list", "scope: length", "scope: extension")
        for name in ("number", "depth", "first"):
            order = queue_order(config.Frontier(priority=name))
            assert 0 <= order.priority(7, 0, order.score(found)) <= LAST


@pytest.mark.slow
@given(href=URLS, page=PAGES)
def test_what_pages_say(href, page):
    found = url.resolve(BASE, href) or BASE
    contents, patterns = Contents(), traps.Patterns(1)
    told = [contents.of(found, page) for _ in range(FREE + 2)]
    assert set(told[:FREE]) == {NOTHING} and all(told[FREE]) and told[FREE] == told[FREE + 1]
    for each in told:
        assert patterns.refusal(found) == ""
        patterns.note(found, each)
    assert patterns.refusal(found) == SAME_CONTENT


@pytest.mark.slow
@given(text=made_of(ADDRESSES))
def test_hosts(text):
    assert isinstance(url.registrable_domain(text), str)


@pytest.mark.slow
@pytest.mark.parametrize("reading", ["rfc9309", "1996"])
@given(text=made_of(RULES), path=URLS)
def test_robots(reading, text, path):
    target = url.resolve("http://a.test/", path) or "http://a.test/"
    rules = parse(text, "ttcrawl", reading)
    assert rules.allows(target) in (True, False)
    assert rules.delay is None or 0 <= rules.delay < float("inf")
    assert all(isinstance(each, str) for each in sitemaps(text))


@pytest.mark.slow
@given(
    header=made_of(("charset", "=", '"', "'", ";", "utf-16", "iso-2022-jp", "x-user-defined", "replacement", " ")),
    body=PAGES,
)
def test_charsets(header, body):
    label = content_type([header]).charset
    for each in (label, header, "utf-16be", "iso-2022-jp", "gb18030", "shift_jis", "replacement", "x-user-defined"):
        to_utf8(body, each)[0].decode("utf-8", "replace")


@pytest.mark.slow
@pytest.mark.parametrize("markers", [None, (b"<!--", b"-->"), (b"<a", b">"), (b"\xff", b"")])
@pytest.mark.parametrize("parser", PARSERS)
@given(page=PAGES)
def test_pages(parser, markers, page):
    found = extract(page, BASE, parser, Wanted(markers=markers))
    assert len(found.hrefs) == len(found.kinds) == len(found.regions) and len(found.title) <= 500
    assert set(found.regions) <= set(b"ceno")
    for href in found.hrefs:
        url.resolve(found.base, href)
    if parser == "regex":
        assert found.parser == "regex"


EVERY = Wanted(kinds=frozenset(map(ord, LETTERS.values())), markers=(b"<!--", b"-->"), landmarks=True, anchors=True)


@pytest.mark.slow
@pytest.mark.parametrize("parser", PARSERS)
@given(
    page=PAGES, field=made_of(("<", ">", ";", "rel=next", "anchor=", '"', "title*=utf-8''", "%ff", ",", "url=", "0;"))
)
def test_links_of_every_kind(parser, page, field):
    found = with_headers(extract(page, BASE, parser, EVERY), [("Link", field), ("Refresh", field)], BASE, EVERY)
    assert len(found.hrefs) == len(found.kinds) == len(found.regions) == len(found.nofollow)
    assert (
        len(found.landmarks)
        == len(found.anchors)
        in ((0, len(found.hrefs)) if parser != "lexbor" else (len(found.hrefs),))
    )
    assert set(found.kinds) <= EVERY.kinds and set(found.landmarks) <= set(b"-nmhfa")
    assert all(len(text) <= 200 and text == " ".join(text.split()) for text in found.anchors)


STYLES = ("url(", ")", "@import ", '"', "'", "/*", "*/", "\\", "\\110000 ", "\n", "a", "#", ";", "@namespace ")
SCRIPTS = (
    "location",
    ".href",
    "=",
    "'",
    '"',
    "`",
    "window.open(",
    ")",
    "\\u{",
    "\\x4",
    "//",
    "/*",
    "\n",
    "var ",
    ";",
    "javascript:",
)
SETS = ("a.png", ",", " ", "(", ")", "2x", "1w", "-1x", "1e9x", "h")
DATA = ('{"a":', "[", "]", "}", '"http://a.test/"', "1e999", "9" * 5000, "null", ",", '"', "\\u", "\\ud800")


@pytest.mark.slow
@given(style=made_of(STYLES), script=made_of(SCRIPTS), srcset=made_of(SETS), data=made_of(DATA), href=URLS)
def test_small_languages(style, script, srcset, data, href):
    for read in (css.urls, location.locations, location.in_href, candidates, jsonld.urls, plain.urls):
        for text in (style, script, srcset, data, href):
            assert all(url for url in read(text))
    assert all(url in srcset and " " not in url for url in candidates(srcset))
    assert scheme(BASE, href) and scheme(href, script)


@pytest.mark.slow
@given(page=PAGES, start=st.binary(min_size=1, max_size=3), end=st.binary(max_size=3))
def test_regions(page, start, end):
    regions = spans(page, start, end)
    assert all(first >= 0 for first, _ in regions)
    flag(page, regions)
    by_regex.find(page, regions)


@given(text=made_of(("url", "=", "'", '"', ";", ",", ".", "0", "9" * 5000, " ", "\f")))
def test_small_texts(text):
    sent = refresh(text)
    assert sent is None or 0 <= sent[0] <= 10**9
    seconds = retry_after(text, 1e9)
    assert seconds is None or 0 <= seconds < float("inf")
    escape_untrusted(unflagged(text)).encode()


@pytest.mark.slow
@given(text=made_of(("Mon, 01 Jan 2035 00:00:00 GMT", "99999999999999", "-", "+0000", "inf", "1e400", "\0", "٣", " ")))
def test_retry_after(text):
    seconds = retry_after(text, 1e9)
    assert seconds is None or 0 <= seconds < float("inf")


COOKIES = (
    *("a", "=", ";", "; Domain=", "; Path=", "; Max-Age=", "; Expires=", "; Secure", "a.test", ".co.uk", "/", "x"),
    *(
        "-",
        "9" * 5000,
        "Wed, 09 Jun 2021 10:18:14 GMT",
        "31 Feb 99",
        "24:00:00",
        "\r\n",
        "\0",
        "\t",
        "é",
        "\x80",
        "\x85",
        "\xa0",
        "٣",
        '"',
        ",",
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["host", "kept"])
@example(texts=["\x80="], setter="", asked="")
@given(texts=st.lists(made_of(COOKIES), max_size=5), setter=URLS, asked=URLS)
def test_cookies(mode, texts, setter, asked):
    """What is sent back cannot end a header, and a jar that is written and read is the same."""
    jar = Jar(mode)
    setter, asked = (url.resolve(BASE, each) or BASE for each in (setter, asked))
    jar.take(setter, texts, 1e9)
    for target in (setter, asked):
        for name, value in jar.headers(target, 1e9):
            assert name == "Cookie" and re.fullmatch(r"[ -~\x80-\xff]+", value) and len(value) <= MAX_HEADER
            assert lines({name: value}) == [b"Cookie: " + value.encode("iso-8859-1")]
    kept, gone = jar.changed()
    assert gone == [] and all(not each.dead(1e9) for each in kept)
    if mode == "kept":
        again = Jar("kept", sorted(kept, key=lambda cookie: cookie.place))
        assert [again.headers(each, 1e9) for each in (setter, asked)] == [
            jar.headers(each, 1e9) for each in (setter, asked)
        ]


@pytest.mark.slow
@given(text=made_of(("a.test", ":", "=", "80", "%", "%00", "%ff", "%3A", "user", " ", "@", "[::1]", "é", "\ud800")))
def test_logins_and_proxies(text):
    for read in (config.logins, config.proxy):
        for each in (text, f"a.test=secret:secret{text}", f"http://secret:secret{text}@a.test:80", f"socks5://{text}"):
            try:
                read(each)
            except ValueError as error:
                assert "secret" not in str(error) and "\n" not in str(error)


@pytest.mark.slow
@given(text=made_of(("a.test", ":", "80", "99999", "[", "::1", "]", "127.0.0.1", " ", "1.2.3", "٣", "fe80::1%eth0")))
def test_resolve_map(text):
    try:
        found = config.resolve_map(text)
    except UsageError:
        return
    assert all(0 <= port <= 65535 for _, port in found)


@pytest.mark.slow
@given(
    data=st.one_of(
        st.binary(max_size=300),
        made_of(
            ("WARC/1.1\r\n", "WARC-Type: response", "\r\n", ":", "Content-Length: ", "-1", "9", "HTTP/1.1 200 OK")
        ).map(lambda text: text.encode("utf-8", "surrogatepass")),
    )
)
def test_records(data):
    archive.parse(data)
    assert archive.member(io.BytesIO(b"\x1f\x8b\x08" + data), 0, len(data) + 3)[1] >= 0


SIGNATURES = (
    *(
        "%PDF-",
        "%!PS",
        "{\\rtf",
        "PK\x03\x04",
        "PK\x01\x02",
        "mimetype",
        "word/",
        "[Content_Types].xml",
        "\0" * 26,
        "ftyp",
    ),
    *(
        "mp4",
        "RIFF",
        "WEBPVP",
        "<?xml ",
        "?>",
        "<!DOCTYPE [",
        "<rss",
        "<a:feed",
        "\ufeff",
        "webm",
        "OggS",
        "encoding='",
    ),
)
BODIES = st.one_of(
    made_of(SIGNATURES).map(lambda text: text.encode("latin-1", "replace")),
    st.tuples(
        st.sampled_from(
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\x1a\x45\xdf\xa3", b"\xff\xfb", b"\xff\xfe", b"\0\0\0\x18ftyp")
        ),
        st.binary(max_size=100),
    ).map(b"".join),
    PAGES,
)
TYPES = made_of(
    ("text/html", "text/plain", "*/*", "application/octet-stream", "image/png", "video/x", ",", ";", '"', "+xml")
)


@pytest.mark.slow
@given(values=st.lists(TYPES, max_size=3), body=BODIES, href=URLS, flag=st.booleans())
def test_what_bytes_are(values, body, href, flag):
    mime = mime_type(values, body, url.resolve(BASE, href) or BASE, nosniff=flag)
    assert mime == mime.lower() and mime.count("/") in (0, 1) and mime.isprintable()
    assert family(mime, body, sitemap=flag) in ("html", "xml", "feed", "sitemap", "image", "document", "text", "other")


SAID = (
    *(
        "<meta name=author content=",
        "<meta property=og:x content='",
        "<link rel=canonical href=",
        "<html lang=",
        "<h1>",
    ),
    *(
        "<script type=application/ld+json>",
        '{"author":',
        "[",
        '{"@graph":',
        "<time pubdate datetime=",
        "<pre>",
        "<nav>",
    ),
    *(
        "<main>",
        "<div class=menu>",
        "</div>",
        "<p>",
        "<b>",
        "\1",
        "\2n",
        "\3",
        "\xa0",
        "日本",
        "<svg>",
        "<li hidden>",
        "|",
    ),
)
RECORD, COMPARED = config.Record(max_text=1024), config.Duplicates(min_words=1)
DOCUMENTS = st.one_of(PAGES, made_of((*SAID, *MARKUP)).map(lambda text: text.encode("utf-8", "surrogatepass")))


@pytest.mark.slow
@given(page=DOCUMENTS, header=st.text(max_size=30))
def test_what_pages_say_of_themselves(page, header):
    headers = {"last-modified": header, "content-language": header, "link": f"<{header}>; rel=canonical"}
    found = extract(page, BASE, "lexbor", Wanted(anchors=True))
    for tree, anchors in ((found.tree, found.anchors), (None, ())):
        record, text, wording = read_page(tree, page, headers, frozenset(anchors), lambda href: href, RECORD, COMPARED)
        fingerprint(wording, COMPARED)
        whole, main = (zlib.decompress(each) for each in (text.packed, text.main or text.packed))
        assert len(whole) == text.size <= 1024 and len(main) == text.main_size <= 1024
        assert 0 <= record.main_words <= record.words and 0 <= record.confidence <= 1
        assert isinstance(json.loads(record.headings), list) and isinstance(json.loads(record.open_graph), dict)
        for value in (whole.decode(), record.author, record.headings, record.open_graph, record.declared_language):
            value.encode()


@pytest.mark.slow
@given(
    text=made_of(
        ("2026", "-", "11", "T", ":", "Z", "Nov ", "Mon, ", "9" * 99, "+0000", "٣", "\ud800", " GMT", "/", ".")
    )
)
def test_dates(text):
    found = iso(text)
    assert found == "" or (found.isascii() and found[:4].isdigit() and len(found) <= 25)
    assert iso(found) == found
    stated([text, f'{{"datePublished": "{text}"}}'])
    of_text(text, None, RECORD)
