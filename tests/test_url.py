"""Resolution and canonical form: other people's cases, then properties."""

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conformance import cases
from ttcrawl.url import canonical, host, key, registrable_domain, resolve


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
