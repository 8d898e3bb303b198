"""Which cookies are kept, and which go with a request: RFC 6265 sections 5.1.3, 5.1.4, 5.3 and 5.4."""

import pytest

from ttcrawl.web.cookies.jar import IN_ALL, MAX_HEADER, PER_DOMAIN, Jar, default_path, domain_matches, path_matches
from ttcrawl.web.storable import replace

NOW = 1_000_000_000.0


def sent(jar, url, now=NOW):
    headers = dict(jar.headers(url, now))
    assert headers.keys() <= {"Cookie"}
    return headers.get("Cookie", "")


def filled(mode, *answers, now=NOW):
    """A jar after answers: a URL and its Set-Cookie values each."""
    jar = Jar(mode)
    for url, *values in answers:
        jar.take(url, values, now)
    return jar


@pytest.mark.parametrize(
    ("host", "domain", "matches"),
    [
        ("a.test", "a.test", True),
        ("www.a.test", "a.test", True),
        ("a.test", "www.a.test", False),
        ("xa.test", "a.test", False),
        ("1.2.3.4", "3.4", False),
        ("1.2.3.4", "1.2.3.4", True),
        ("[::1]", "[::1]", True),
    ],
)
def test_domains_match(host, domain, matches):
    assert domain_matches(host, domain) == matches


@pytest.mark.parametrize(
    ("path", "cookie", "matches"),
    [
        ("/", "/", True),
        ("/x", "/x", True),
        ("/x/", "/x", True),
        ("/x/y", "/x", True),
        ("/x/y", "/x/", True),
        ("/xy", "/x", False),
        ("/x", "/x/", False),
        ("/x", "/X", False),
    ],
)
def test_paths_match(path, cookie, matches):
    assert path_matches(path, cookie) == matches


@pytest.mark.parametrize(
    ("path", "default"), [("/", "/"), ("/x", "/"), ("/x/", "/x"), ("/x/y", "/x"), ("/x/y/z", "/x/y")]
)
def test_default_paths(path, default):
    assert default_path(path) == default


SET = "https://www.site.example/x/page"


@pytest.mark.parametrize(
    ("cookie", "url", "host", "kept"),
    [  # of mode host, of mode kept
        ("a=b", "https://www.site.example/x/other?q", "a=b", "a=b"),
        ("a=b", "https://www.site.example/x", "a=b", "a=b"),
        ("a=b", "https://www.site.example/", "", ""),
        ("a=b; Path=/", "https://www.site.example/", "a=b", "a=b"),
        ("a=b; Path=/x/page", "https://www.site.example/x/page/", "a=b", "a=b"),
        ("a=b; Path=/y", "https://www.site.example/y", "a=b", "a=b"),  # section 8.6: paths protect nothing
        ("a=b; Path=/", "https://www.site.example:8443/", "a=b", "a=b"),  # nor do ports
        ("a=b; Path=/", "http://www.site.example/", "a=b", "a=b"),
        ("a=b; Path=/; Secure", "http://www.site.example/", "", ""),
        ("a=b; Path=/; Secure", "https://www.site.example/", "a=b", "a=b"),
        ("a=b; Path=/", "https://site.example/", "", ""),
        ("a=b; Path=/", "https://sub.www.site.example/", "", ""),
        ("a=b; Path=/; Domain=www.site.example", "https://sub.www.site.example/", "", "a=b"),
        ("a=b; Path=/; Domain=site.example", "https://site.example/", "", "a=b"),
        ("a=b; Path=/; Domain=.Site.Example", "https://other.site.example/", "", "a=b"),
        ("a=b; Path=/; Domain=site.example", "https://www.site.example/", "a=b", "a=b"),
        ("a=b; Path=/; Domain=other.example", "https://www.site.example/", "a=b", ""),  # foreign
        ("a=b; Path=/; Domain=other.example", "https://other.example/", "", ""),
        ("a=b; Path=/; Domain=sub.www.site.example", "https://www.site.example/", "a=b", ""),
        ("a=b; Path=/; Domain=example", "https://www.site.example/", "a=b", ""),  # a public suffix
        ("a=b; Path=/; Domain=ite.example", "https://www.site.example/", "a=b", ""),
        ("a=b; Path=/; Max-Age=0", "https://www.site.example/", "", ""),
        ("a=b; Path=/; Max-Age=10", "https://www.site.example/", "a=b", "a=b"),
        ("a=b; Path=/; Expires=Sun, 06 Nov 1994 08:49:37 GMT", "https://www.site.example/", "", ""),
        ("a=b; Path=/; Expires=Fri, 06 Nov 2054 08:49:37 GMT", "https://www.site.example/", "a=b", "a=b"),
    ],
)
def test_where_a_cookie_goes(cookie, url, host, kept):
    assert sent(filled("host", (SET, cookie)), url) == host
    assert sent(filled("kept", (SET, cookie)), url) == kept
    assert sent(filled("no", (SET, cookie)), url) == ""


@pytest.mark.parametrize(
    ("setter", "domain", "url", "kept"),
    [
        ("http://1.2.3.4/", "1.2.3.4", "http://1.2.3.4/", True),
        ("http://1.2.3.4/", "3.4", "http://1.2.3.4/", False),
        ("http://[::1]:8080/", "[::1]", "http://[::1]/", True),
        ("http://[::1]/", "1]", "http://[::1]/", False),
        ("http://localhost/", "localhost", "http://localhost/", True),
        ("http://github.io/", "github.io", "http://github.io/", True),  # section 5.3, 5: for the suffix itself
        ("http://github.io/", "github.io", "http://a.github.io/", False),
        ("http://a.github.io/", "github.io", "http://b.github.io/", False),
        ("http://a.co.uk/", "co.uk", "http://b.co.uk/", False),
        ("http://a.com./", "com.", "http://b.com./", False),
        ("http://www.xn--bcher-kva.example/", "xn--bcher-kva.example", "http://xn--bcher-kva.example/", True),
        (f"http://{'a.' * 500}example/", "a.example", "http://a.example/", True),
    ],
)
def test_domains_of_odd_hosts(setter, domain, url, kept):
    assert bool(sent(filled("kept", (setter, f"a=b; Path=/; Domain={domain}")), url)) == kept


def test_the_examples_of_the_rfc():
    """RFC 6265 section 3.1."""
    jar = filled("kept", ("https://www.example.com/", "SID=31d4d96e407aad42; Path=/; Secure; HttpOnly"))
    jar.take("https://www.example.com/", ["lang=en-US; Path=/; Domain=example.com"], NOW)
    assert sent(jar, "https://www.example.com/") == "SID=31d4d96e407aad42; lang=en-US"
    assert sent(jar, "http://example.com/") == "lang=en-US"
    jar.take("https://www.example.com/", ["lang=; Expires=Sun, 06 Nov 1994 08:49:37 GMT"], NOW)
    assert sent(jar, "http://example.com/") == "lang=en-US"  # of another domain: it is another cookie
    jar.take("https://www.example.com/", ["lang=; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Domain=example.com"], NOW)
    assert sent(jar, "https://www.example.com/") == "SID=31d4d96e407aad42"


def test_the_order_is_that_of_section_5_4():
    """Longer paths first, then what was set first, also when it was set again."""
    values = ("a=1; Path=/", "b=2; Path=/x/y", "c=3; Path=/x", "d=4; Path=/", "a=5; Path=/")
    jar = filled("kept", ("http://a.test/", *values))
    assert sent(jar, "http://a.test/x/y") == "b=2; c=3; a=5; d=4"


def test_time_goes_by():
    jar = filled("host", ("http://a.test/", "a=1; Max-Age=10", "b=2"))
    assert [sent(jar, "http://a.test/", NOW + after) for after in (9.9, 10)] == ["a=1; b=2", "b=2"]


@pytest.mark.parametrize("mode", ["host", "kept"])
def test_the_oldest_of_a_host_goes_first(mode):
    jar = filled(mode, ("http://a.test/", *(f"c{n}=x" for n in range(PER_DOMAIN + 2))), ("http://b.test/", "c0=x"))
    names = {pair.partition("=")[0] for pair in sent(jar, "http://a.test/").split("; ")}
    assert names == {f"c{n}" for n in range(2, PER_DOMAIN + 2)}
    assert sent(jar, "http://b.test/") == "c0=x"


def test_the_dead_go_before_the_oldest():
    jar = filled(
        "kept", ("http://a.test/", "first=x", "dead=x; Max-Age=1", *(f"c{n}=x" for n in range(PER_DOMAIN - 2)))
    )
    jar.take("http://a.test/", ["last=x"], NOW + 1)
    assert "first=x" in sent(jar, "http://a.test/", NOW + 1) and "last=x" in sent(jar, "http://a.test/", NOW + 1)


def test_the_oldest_of_all_goes_first():
    hosts = [f"http://h{n}.test/" for n in range(IN_ALL + 2)]
    jar = filled("kept", *((url, "a=b") for url in hosts))
    assert [sent(jar, hosts[n]) for n in (0, 1, 2, -1)] == ["", "", "a=b", "a=b"]
    kept, gone = jar.changed()
    assert (len(kept), len(gone)) == (IN_ALL, 2)


def test_a_header_has_an_end():
    values = [f"c{n}={'x' * 2000}" for n in range(9)] + ["small=x"]
    header = sent(filled("host", ("http://a.test/", *values)), "http://a.test/")
    assert len(header) <= MAX_HEADER and header.count("; ") == 4 and header.endswith("; small=x")


def test_what_changed_is_told_once_and_makes_the_same_jar_again():
    values = ("a=1; Path=/", "b=2; Path=/x; Domain=a.test; Secure; Max-Age=50", "c=3; Path=/")
    jar = filled("kept", ("https://www.a.test/", *values))
    kept, gone = jar.changed()
    assert sorted(cookie.name for cookie in kept) == ["a", "b", "c"] and gone == [] and jar.changed() == ([], [])
    again = Jar("kept", sorted(kept, key=lambda cookie: cookie.place))
    assert again.changed() == ([], [])
    for each in (jar, again):
        assert sent(each, "https://www.a.test/x") == "b=2; a=1; c=3"
        assert sent(each, "https://a.test/x", NOW + 50) == ""
        each.take("https://www.a.test/", ["a=9; Path=/", "c=; Max-Age=0; Path=/", "d=4; Path=/"], NOW)
        assert sent(each, "https://www.a.test/") == "a=9; d=4"
        kept, gone = each.changed()
        assert sorted((cookie.name, cookie.place) for cookie in kept) == [("a", 1), ("d", 4)]
        assert gone == [("www.a.test", "/", "c")]


#: Every byte of ISO 8859-1 that is not ASCII: C1 controls, a no-break space, ends of characters in UTF-8.
BYTES = "".join(map(chr, range(0x80, 0x100)))


@pytest.mark.parametrize(
    ("cookie", "host", "kept"),
    [  # of mode host, of mode kept: as web-platform-tests, cookies/encoding/charset.html
        ("\x80=", "\x80=", "\x80="),
        ("a=\x85", "a=\x85", "a=\x85"),
        ("a=\xc3\xa0", "a=\xc3\xa0", "a=\xc3\xa0"),  # UTF-8 whose last byte is a space of ISO 8859-1
        ("\xa0a\xa0= \xa0", "\xa0a\xa0=\xa0", "\xa0a\xa0=\xa0"),
        (f"{BYTES}={BYTES}", f"{BYTES}={BYTES}", f"{BYTES}={BYTES}"),
        ('a="\xe9"', 'a="\xe9"', 'a="\xe9"'),
        ("a=b; \xe9; \xe9=\xe9", "a=b", "a=b"),  # an attribute that does not exist
        ("a=\xe9; Path=/x", "a=\xe9", "a=\xe9"),
        ("a=b; Path=/\xe9", "", ""),  # the paths of requests are ASCII, and are compared byte by byte
        ("a=b; Path=\xe9", "a=b", "a=b"),
        ("a=b; Domain=\xe9.example", "a=b", ""),  # section 5.6.3 of RFC 6265bis; mode host reads no Domain
        ("a=b; Domain=\xe9", "a=b", ""),
        ("a=\u0141", "", ""),  # no byte
        ("\ud880=b", "", ""),
    ],
)
def test_bytes_that_are_not_ascii(cookie, host, kept):
    assert sent(filled("host", (SET, cookie)), SET) == host
    assert sent(filled("kept", (SET, cookie)), SET) == kept
    stored, _ = filled("kept", (SET, cookie)).changed()
    assert sent(Jar("kept", stored), SET) == kept


@pytest.mark.parametrize("field", ["name", "value"])
@pytest.mark.parametrize(
    ("text", "sendable"), [("b", True), (BYTES, True), ("\u0141", False), ("b\r\nX: y", False), ("\x7f", False)]
)
def test_a_stored_cookie_is_sent_only_if_its_header_can_be(field, text, sendable):
    (stored,), _ = filled("kept", (SET, "a=a")).changed()
    assert bool(sent(Jar("kept", [replace(stored, **{field: text})]), SET)) == sendable


def test_only_what_is_kept_is_told_and_taken_over():
    (cookie,), _ = filled("kept", ("http://a.test/", "a=b")).changed()
    assert filled("host", ("http://a.test/", "a=b")).changed() == ([], [])
    assert sent(Jar("host", [cookie]), "http://a.test/") == "" == sent(Jar("no", [cookie]), "http://a.test/")
