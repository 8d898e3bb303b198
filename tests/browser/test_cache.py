"""The cache of a fetch process: how long answers serve other pages, and how many are kept."""

import pytest

from ttcrawl.browser.cache import LONGEST, SHORTEST, Cache, Entry, Lifetime, Response, confirmed, lifetime
from ttcrawl.fetch.answer import Answer
from ttcrawl.ring.messages import Head
from ttcrawl.ring.rendering import Resource

#: Fri, 02 Jan 1970 00:00:00 GMT: when each answer was there.
NOW = 86_400.0


def answer(*headers, status=200):
    head = Head(status=status, phrase="", version="HTTP/1.1", headers=headers, address="")
    sizes = {"head_size": 0, "body_size": 1, "received": 1, "requests": 1}
    codes = {"retry_after": None, "refused": "", "incomplete": "", "method": "GET", "set_cookies": ()}
    return Answer(status=status, address="", started=NOW, ended=NOW, head=head, fields={}, **sizes, **codes)


def entry(size=0, until=NOW, headers=()):
    resource = Resource(url="http://a.test/", head=answer(*headers).head, body=b"", started=0.0, truncated="")
    response = Response(status=200, headers={}, body=b"x" * size)
    return Entry(response=response, resource=resource, lifetime=Lifetime(until=until, conditions=()))


ETAG, HOUR = ("ETag", '"1"'), ("Cache-Control", "max-age=3600")
DAY_BEFORE = ("Last-Modified", "Thu, 01 Jan 1970 00:00:00 GMT")


@pytest.mark.parametrize(
    ("kind", "headers", "seconds"),
    [
        ("script", [], SHORTEST),
        ("stylesheet", [], SHORTEST),
        ("fetch", [], None),
        ("image", [], None),
        ("script", [DAY_BEFORE], 8_640.0),
        ("script", [("Last-Modified", "yesterday")], SHORTEST),
        ("script", [("Last-Modified", "Thu, 01 Jan 1900 00:00:00 GMT")], LONGEST),
        ("fetch", [DAY_BEFORE], 0.0),
        ("fetch", [HOUR], 3_600.0),
        ("fetch", [HOUR, ("Age", "600")], 3_000.0),
        ("fetch", [("Expires", "Fri, 02 Jan 1970 01:00:00 GMT")], 3_600.0),
        ("script", [("Cache-Control", "no-cache"), ETAG], 0.0),
        ("script", [("Cache-Control", "max-age=0"), ETAG], 0.0),
        ("script", [("Cache-Control", "max-age=0")], None),
        ("script", [("Cache-Control", "no-store"), ETAG], None),
        ("script", [HOUR, ("Vary", "*")], None),
        ("script", [HOUR, ("Vary", "Accept-Encoding, Cookie")], None),
        ("script", [HOUR, ("Vary", "Accept-Encoding")], 3_600.0),
        ("script", [HOUR, ("Set-Cookie", "a=b")], None),
    ],
)
def test_lifetimes(kind, headers, seconds):
    found = lifetime(kind, answer(*headers))
    assert (None if found is None else found.until - NOW) == seconds


def test_only_200_serves_other_pages():
    assert lifetime("script", answer(HOUR, status=404)) is None


def test_conditions_are_the_validators_of_the_answer():
    found = lifetime("script", answer(ETAG, DAY_BEFORE))
    assert found.conditions == (("If-None-Match", ETAG[1]), ("If-Modified-Since", DAY_BEFORE[1]))


def test_a_304_says_for_how_long_an_answer_is_fresh():
    old = entry(headers=(DAY_BEFORE,), until=0.0)
    assert confirmed("fetch", old, answer(HOUR, status=304)).lifetime.until == NOW + 3_600
    assert confirmed("script", old, answer(status=304)).lifetime.until == NOW + 8_640


def test_the_entries_used_last_are_kept_within_the_limit():
    cache, one = Cache(2 * entry(1000).size), entry(1000)
    for key in ("a", "b"):
        cache.put(key, one)
    assert cache.get("a") is one
    cache.put("c", one)
    assert [cache.get(key) is one for key in ("a", "b", "c")] == [True, False, True]
    cache.put("a", entry(10_000))
    assert cache.get("a") is None


def test_without_room_nothing_is_kept():
    cache = Cache(0)
    cache.put("a", entry())
    assert cache.get("a") is None
