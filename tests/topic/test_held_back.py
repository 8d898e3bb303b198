"""What became of a URL: over redirects, and where keys are taken."""

from dataclasses import dataclass

import pytest

from ttcrawl.topic.held_back import REDIRECTS, fate
from ttcrawl.web.url import key

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"


@dataclass
class Row:
    id: int
    url: str
    state: str
    reason: str = ""


def fate_in(ledger, url=A):
    """`ledger`: (URL, state, reason, target of a redirect)."""
    rows = {key(url): Row(number, url, state, reason) for number, (url, state, reason, _) in enumerate(ledger)}
    targets = {number: key(target) for number, (*_, target) in enumerate(ledger) if target}
    return fate(url, rows.get, targets.get)


@pytest.mark.parametrize(
    ("ledger", "url", "found", "gone"),
    [
        ([], A, False, False),
        ([(A, "queued", "", "")], A, False, False),
        ([(A, "refused", "robots.txt", "")], A, False, False),
        ([(A, "fetched", "http 200", "")], A, True, False),
        ([(A, "fetched", "http 404", "")], A, False, True),
        ([(A, "fetched", "http 500", "")], A, False, True),
        ([(A, "failed", "dns", "")], A, False, True),
        ([(A, "deleted", "", "")], A, False, True),
        ([(A, "moved", "http 301", B), (B, "fetched", "http 200", "")], B, True, False),
        ([(A, "moved", "http 301", B), (B, "moved", "http 302", C), (C, "queued", "", "")], C, False, False),
        ([(A, "moved", "http 301", B), (B, "fetched", "http 410", "")], B, False, True),
        ([(A, "moved", "http 301", B)], A, False, False),  # its target was not recorded
        ([(A, "moved", "http 301", "")], A, False, False),
    ],
)
def test_fates(ledger, url, found, gone):
    result = fate_in(ledger)
    assert (result.url, result.found, result.excluded) == (url, found, gone)


def test_redirects_in_a_circle_end():
    assert not fate_in([(A, "moved", "http 301", B), (B, "moved", "http 301", A)]).found
    ring = [(f"http://a.test/{n}", "moved", "http 301", f"http://a.test/{n + 1}") for n in range(REDIRECTS + 5)]
    assert fate_in(ring, "http://a.test/0").state == "moved"


def test_urls_with_the_same_hash_have_consecutive_keys():
    rows = {key(A): Row(1, B, "fetched", "http 200"), key(A) + 1: Row(2, A, "queued")}
    assert fate(A, rows.get, lambda id: None).id == 2
    del rows[key(A) + 1]
    assert fate(A, rows.get, lambda id: None).state == ""
