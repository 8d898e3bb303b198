"""Resolution and canonical form: other people's cases, then properties."""

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.conformance import cases
from ttcrawl import config
from ttcrawl.config.compiled import compile_canon
from ttcrawl.parse.links.resolver import Resolver
from ttcrawl.web.url import canonical, host, key, on_host, plain, registrable_domain, resolve


def expected(text):
    """The canonical form of what a case expects; None where it is to be rejected or is no http URL."""
    return canonical(text) if text is not None else None


@pytest.mark.parametrize(
    "suite", ["wpt-", "cpython-urljoin-RFC3986", "cpython-urljoin-RFC2396", "cpython-urljoin-RFC1808"]
)
def test_resolution_as_the_standards_say(suite):
    chosen = [each for each in cases("url.jsonl") if each["suite"].startswith(suite) and each["kind"] == "resolve"]
    assert chosen
    wrong = [
        (case["base"], case["input"], result, case["expect"])
        for case in chosen
        if (result := resolve(case["base"], case["input"]) if case["base"] else canonical(case["input"]))
        != expected(case["expect"])
    ]
    assert not wrong


#: A blank before the fragment is in the middle of a reference, where the parser strips none (URL standard 4.4).
BEFORE_A_FRAGMENT = [
    ("x #y", "http://a.test/d/x%20"),
    ("x\x1f#y", "http://a.test/d/x%1F"),
    ("x \x00 #", "http://a.test/d/x%20%00%20"),
    ("?q #f", "http://a.test/d/e?q%20"),
    ("?#f", "http://a.test/d/e?"),
    ("/x ? #f", "http://a.test/x%20?%20"),
    ("x\n#y", "http://a.test/d/x"),  # tabs and line ends are removed, wherever they stand
    ("x \t\n#y", "http://a.test/d/x%20"),
    (" x#y", "http://a.test/d/x"),
    (" x # y ", "http://a.test/d/x%20"),
    ("x #y #z", "http://a.test/d/x%20"),
    (" #y", "http://a.test/d/e"),
    ("\n\t\x00#y", "http://a.test/d/e"),
    ("#y", "http://a.test/d/e"),
    ("# #", "http://a.test/d/e"),
    ("x\xa0#y", "http://a.test/d/x%C2%A0"),
    ("http://b.test #y", None),  # no host has one
    ("http://b.test:80 #y", None),
    ("http://b.test/ #y", "http://b.test/%20"),
    ("../ #y", "http://a.test/%20"),
]


@pytest.mark.parametrize(("href", "url"), BEFORE_A_FRAGMENT)
def test_before_a_fragment(href, url):
    base = "http://a.test/d/e#base"
    assert resolve(base, href) == url
    assert canonical(href) == (url if href.startswith("http") else None)
    crawled = config.Url()
    assert compile_canon(crawled).resolve(base, href) == url
    (target,) = Resolver(compile_canon(crawled), lambda url: ("", ""), 2000).page(base).targets([href])
    assert (target and target.url) == url
    last = compile_canon(crawled).steps(base, href)[-1].after
    assert last == url


@given(st.text("abcABC012.:/\\?#[]@!$&'%-_ \t\n\r\x00\x1f\xa0é", max_size=20))
def test_only_the_fragment_is_gone(href):
    """As a WHATWG parser reads all of it, and leaves out the fragment then."""
    base = "http://a.test/d/e?f#g"
    try:
        expected = plain(ada_url.join_url(base, href).partition("#")[0])
    except ValueError:
        expected = None
    assert resolve(base, href) == expected


@pytest.mark.parametrize(
    ("base", "href", "url"),
    [
        ("http://a.test/x/y.html", "../z.html#top", "http://a.test/z.html"),
        ("http://a.test/x/y.html?q", "", "http://a.test/x/y.html?q"),
        ("http://a.test/x/y.html?q", "?r", "http://a.test/x/y.html?r"),
        ("http://a.test/", "//B.test:80/", "http://b.test/"),
        ("http://a.test/", "http://user:secret@b.test/x", "http://b.test/x"),
        ("http://a.test/", "http://bücher.test/", "http://xn--bcher-kva.test/"),
        ("http://a.test/", "\x00\x1f /x y", "http://a.test/x%20y"),
        ("http://a.test/", "/%7e%41%2d%2f%c3%A9?%7E=%3d", "http://a.test/~A-%2F%C3%A9?~=%3D"),
        ("http://a.test/", "/%2541%252e", "http://a.test/%2541%252e"),
        ("http://a.test/", "/100%?50%2", "http://a.test/100%?50%2"),
        ("http://a.test/", "/%%34%31%4%31%%%c3", "http://a.test/%%341%4%31%%%C3"),
        ("http://a.test/", "/x/%2E%2e/%2e%2E%2e/%2e", "http://a.test/.../"),
        ("http://a.test/", "/x?", "http://a.test/x?"),
        ("http://a.test/", "/a@b", "http://a.test/a@b"),
        ("http://a.test/", "mailto:a@b.test", None),
        ("http://a.test/", "javascript:alert(1)", None),
        ("http://a.test/", "data:text/html,x", None),
        ("http://a.test/", "http://[::1", None),
        ("http://a.test/", "http://a b/", None),
        ("http://a.test/", "http://\ud800/", None),
    ],
)
def test_resolve(base, href, url):
    assert resolve(base, href) == url


@given(st.text(max_size=200))
def test_never_raises_and_is_idempotent(href):
    url = resolve("http://a.test/x/y?z", href)
    if url is not None:
        assert canonical(url) == url == resolve("http://b.test/", url)
        assert "#" not in url and "@" not in host(url)
        assert host(url) == ada_url.URL(url).host


CHARACTERS = st.sampled_from("aZ09-._~/?&=;:@!$'()*+,% |^[]é")


@pytest.mark.slow
@given(st.text(CHARACTERS, max_size=30), st.randoms(use_true_random=False))
def test_spellings_that_rfc_3986_calls_equivalent_are_one_url(path, random):
    """Sections 6.2.2 and 6.2.3: letter case, unreserved characters as escapes, dot segments, the default port."""
    url = canonical("http://a.test/" + path)
    head, rest = "http://a.test", url.removeprefix("http://a.test")
    escapes = {f"%{byte:02X}": f"%{byte:02x}" for byte in range(256)}
    spelt = "".join(
        f"%{ord(each):02{random.choice('xX')}}" if each.isalnum() and random.random() < 0.3 else each for each in rest
    ).replace("/", random.choice(["/", "/./", "/b/../", "/%2e/"]), 1)
    if "%" not in rest:
        assert resolve("http://b.test/", random.choice(["HTTP://A.test", "http://a.TEST:80", head]) + spelt) == url
    for upper, lower in escapes.items():
        rest = rest.replace(upper, random.choice([upper, lower]))
    assert canonical(head + rest) == url


@pytest.mark.parametrize(
    ("name", "domain"),
    [
        ("www.a.co.uk", "a.co.uk"),
        ("a.test:8080", "a.test"),
        ("co.uk", "co.uk"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[::1]:80", "[::1]"),
        ("localhost", "localhost"),
        ("deep.down.example.org.", "example.org"),
    ],
)
def test_registrable_domain(name, domain):
    assert registrable_domain(name) == domain


def test_keys_are_signed_64_bit():
    keys = {key(f"http://a.test/{n}") for n in range(10_000)}
    assert len(keys) == 10_000
    assert min(keys) < 0 < max(keys) and all(-(2**63) <= each < 2**63 for each in keys)


@pytest.mark.parametrize(
    ("base", "href", "url"),
    [
        ("http://a.test/", "ftp://B.test:21/x/../%7ey", "ftp://b.test/~y"),
        ("ftp://a.test/x/y", "../z;type=a?b#c", "ftp://a.test/z;type=a?b"),
        ("ftp://a.test/x", "//b.test", "ftp://b.test/"),
        ("ftp://a.test/x", "http://b.test", "http://b.test/"),
        ("http://a.test/", "ftp://me@b.test/", None),  # another user sees other files
        ("http://a.test/", "ftp://me:secret@b.test/", None),
        ("http://a.test/", "ftp://b/", None),  # of one character
        ("http://a.test/", "ftps://b.test/", None),
    ],
)
def test_resolve_with_ftp(base, href, url):
    assert resolve(base, href, ftp=True) == url
    assert resolve(base, href) == (url if url and url.startswith("http") else None)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("ftp://a.test/x", "a.test:21"),
        ("ftp://a.test:2121/x", "a.test:2121"),
        ("ftp://[::1]/x", "[::1]:21"),
        ("http://[::1]/x", "[::1]"),
    ],
)
def test_the_host_of_an_ftp_url_has_its_port(url, name):
    assert host(url) == name
    assert on_host(url, name, "/x") == url
