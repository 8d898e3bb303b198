"""Whatever the web sends, the pure functions that read it raise nothing that they do not declare."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl import config, traps, url
from ttcrawl.cookies.jar import MAX_HEADER, Jar
from ttcrawl.errors import UsageError
from ttcrawl.fetch.retry_after import retry_after
from ttcrawl.frontier.priority import LAST, priority
from ttcrawl.parse.charset import declared, to_utf8
from ttcrawl.parse.links import by_regex
from ttcrawl.parse.links.extract import PARSERS, extract
from ttcrawl.parse.links.refresh import refresh
from ttcrawl.parse.links.regions import flag, spans, unflagged
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.robots import parse
from ttcrawl.scope import compile_scope
from ttcrawl.shown import shown
from ttcrawl.traps.memory import FREE, SAME
from ttcrawl.verify import archive

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
)
ADDRESSES = (
    *(
        "http://",
        "https:",
        "//",
        "/",
        "..",
        "./",
        "@",
        ":",
        "[",
        "]",
        "?",
        "#",
        "%",
        "%00",
        "%zz",
        "xn--",
        "a.test",
        "\t",
    ),
    *(
        "www.",
        ".co.uk",
        "127.0.0.1",
        "0x7f.1",
        "[::1]",
        "\u3002",
        "ß",
        "\u202e",
        "\ud800",
        "\\",
        "javascript:",
        "data:,",
        ":99999",
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


def made_of(pieces):
    return st.lists(st.one_of(st.sampled_from(pieces), st.text(max_size=5)), max_size=20).map("".join)


PAGES = st.one_of(made_of(MARKUP).map(lambda text: text.encode("utf-8", "surrogatepass")), st.binary(max_size=300))
URLS = made_of(ADDRESSES)
TRAPS = traps.compile_traps(config.Traps(), 2026)
BASE = "http://a.test/x/y?z"


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
        for order in ("number", "depth", "first"):
            assert 0 <= priority(config.Frontier(priority=order))(found, 7) <= LAST


@given(href=URLS, page=PAGES)
def test_what_pages_say(href, page):
    found = url.resolve(BASE, href) or BASE
    contents, patterns = traps.Contents(), traps.Patterns(1)
    told = [contents.of(found, page) for _ in range(FREE + 2)]
    assert not any(told[:FREE]) and told[FREE] and told[FREE] == told[FREE + 1]
    for each in told:
        assert patterns.refusal(found) == ""
        patterns.saw(found, each)
    assert patterns.refusal(found) == SAME


@given(text=made_of(ADDRESSES))
def test_hosts(text):
    assert isinstance(url.registrable_domain(text), str)


@pytest.mark.parametrize("reading", ["rfc9309", "1996"])
@given(text=made_of(RULES), path=URLS)
def test_robots(reading, text, path):
    target = url.resolve("http://a.test/", path) or "http://a.test/"
    rules = parse(text, "ttcrawl", reading)
    assert rules.allows(target) in (True, False)
    assert rules.delay is None or 0 <= rules.delay < float("inf")
    assert all(isinstance(each, str) for each in rules.sitemaps)


@given(
    header=made_of(("charset", "=", '"', "'", ";", "utf-16", "iso-2022-jp", "x-user-defined", "replacement", " ")),
    body=PAGES,
)
def test_charsets(header, body):
    label = declared(header)
    for each in (label, header, "utf-16be", "iso-2022-jp", "gb18030", "shift_jis", "replacement", "x-user-defined"):
        to_utf8(body, each)[0].decode("utf-8", "replace")


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
    shown(unflagged(text)).encode()


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
        "٣",
        '"',
        ",",
    ),
)


@pytest.mark.parametrize("mode", ["host", "kept"])
@given(texts=st.lists(made_of(COOKIES), max_size=5), setter=URLS, asked=URLS)
def test_cookies(mode, texts, setter, asked):
    """What is sent back cannot end a header, and a jar that is written and read is the same."""
    jar = Jar(mode)
    setter, asked = (url.resolve(BASE, each) or BASE for each in (setter, asked))
    jar.take(setter, texts, 1e9)
    for target in (setter, asked):
        for name, value in jar.headers(target, 1e9):
            assert name == "Cookie" and value.isascii() and value.isprintable() and len(value) <= MAX_HEADER
    kept, gone = jar.changed()
    assert gone == [] and all(not each.dead(1e9) for each in kept)
    if mode == "kept":
        again = Jar("kept", sorted(kept, key=lambda cookie: cookie.place))
        assert [again.headers(each, 1e9) for each in (setter, asked)] == [
            jar.headers(each, 1e9) for each in (setter, asked)
        ]


@given(text=made_of(("a.test", ":", "=", "80", "%", "%00", "%ff", "%3A", "user", " ", "@", "[::1]", "é", "\ud800")))
def test_logins_and_proxies(text):
    for read in (config.logins, config.proxy):
        for each in (text, f"a.test=secret:secret{text}", f"http://secret:secret{text}@a.test:80", f"socks5://{text}"):
            try:
                read(each)
            except ValueError as error:
                assert "secret" not in str(error) and "\n" not in str(error)


@given(text=made_of(("a.test", ":", "80", "99999", "[", "::1", "]", "127.0.0.1", " ", "1.2.3", "٣", "fe80::1%eth0")))
def test_resolve_map(text):
    try:
        found = config.resolve_map(text)
    except UsageError:
        return
    assert all(0 <= port <= 65535 for _, port in found)


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
