"""What a host says where there is nothing, and what says the same."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ttcrawl.read.fingerprints.soft404 import (
    ALL_ALIKE,
    DIFFERENT,
    HONEST,
    NO_ANSWER,
    SOFT,
    ContentHashes,
    Probed,
    behaviour_of,
    content_hashes,
    is_home,
    may_resemble,
    resemblance,
    urls,
    variants,
    without,
)

ALIKE = 0.9
SORRY = "Sorry, {} was not found on this server. Error 17 at 12:30."
LONG = " ".join(random.Random(1).choices(("amber", "bridge", "candle", "daisy", "ember"), k=200))


def probe(number, status=200, text="", **more):
    url = f"http://a.test/ttcrawl-soft-404-{number}"
    return Probed(id=number, url=url, status=status, content_hashes=content_hashes(text.format(url), url, 3), **more)


NEAR = LONG.replace(" candle", " taper", 1)
BEHAVIOURS = {
    "nearly the same text": ([probe(1, text=LONG), probe(2, text=NEAR), probe(3, 404)], SOFT, 2, 0),
    "all 404": ([probe(n, 404) for n in (1, 2, 3)], HONEST, 0, 0),
    "all 410, 403 and 401": ([probe(n, status) for n, status in enumerate((410, 403, 401))], HONEST, 0, 0),
    "the same text": ([probe(n, text="nothing here") for n in (1, 2, 3)], SOFT, 1, 0),
    "the address in it": ([probe(n, text=SORRY) for n in (1, 2, 3)], SOFT, 1, 0),
    "two of three": ([probe(1, 404), probe(2, text="nothing here"), probe(3, text="nothing here")], SOFT, 1, 0),
    "one of them another": (
        [probe(1, text="another thing"), probe(2, text="nothing here"), probe(3, text="nothing here")],
        SOFT,
        1,
        0,
    ),
    "each another": ([probe(n, text=text) for n, text in enumerate(("one", "or", "other"))], DIFFERENT, 0, 0),
    "the same bytes": ([probe(n, digest=b"x") for n in (1, 2, 3)], SOFT, 1, 0),
    "nothing at all is nothing to compare": ([probe(n) for n in (1, 2, 3)], DIFFERENT, 0, 0),
    "to one place": ([probe(n, 302, location="http://a.test/") for n in (1, 2, 3)], SOFT, 0, 3),
    "two to one place": ([probe(n, 302, location=f"http://a.test/{n // 2}") for n in (1, 2, 3)], SOFT, 0, 2),
    "to places of their own": ([probe(n, 302, location=f"http://b.test/{n}") for n in (1, 2, 3)], DIFFERENT, 0, 0),
    "text and redirect": (
        [*(probe(n, 302, location="http://a.test/") for n in (1, 2)), *(probe(n, text=SORRY) for n in (3, 4))],
        SOFT,
        1,
        2,
    ),
    "one 404 and one redirect": ([probe(1, 404), probe(2, 301, location="http://a.test/")], DIFFERENT, 0, 0),
    "overload is no answer": ([probe(1, 503), probe(2, 429), probe(3, 404)], NO_ANSWER, 0, 0),
    "no answers": ([probe(n, None) for n in (1, 2, 3)], NO_ANSWER, 0, 0),
    "one text alone": ([probe(1, text="nothing here")], NO_ANSWER, 0, 0),
    "none asked": ([], NO_ANSWER, 0, 0),
}


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_behaviour(name):
    probes, kind, samples, moved = BEHAVIOURS[name]
    for order in (probes, probes[::-1]):
        found = behaviour_of(order, ALIKE)
        assert (found.kind, len(found.samples), len(found.moved)) == (kind, samples, moved)
    assert kind != ALL_ALIKE  # that can be known only by the pages of the host


PAGES = {
    # text of the page at http://a.test/docs/old-page.html?q=blue -> is it the answer SORRY?
    "its URL": (SORRY.format("http://a.test/docs/old-page.html?q=blue"), True),
    "its path": (SORRY.format("/docs/old-page.html"), True),
    "its name": (SORRY.format("old-page"), True),
    "in capitals": (SORRY.format("/DOCS/OLD-PAGE.HTML").upper(), True),
    "at another time": (SORRY.format("old-page.html").replace("12:30", "23:59").replace("17", "4"), True),
    "another address": (SORRY.format("this other thing of yours"), False),
    "other words": ("The old page was found on this server and is at your service at all times.", False),
    "it and more": (SORRY.format("/docs/old-page.html") + " But see what we have: " + LONG, False),
    "empty": ("", False),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_and_an_answer(name):
    text, same = PAGES[name]
    sample = probe(1, text=SORRY)
    found = resemblance(b"", variants(text, "http://a.test/docs/old-page.html?q=blue", 3, [sample]), sample)
    assert (found >= ALIKE) == same
    assert found == 1.0 or not same


def test_a_long_text_may_differ_a_little():
    sample = probe(1, text=LONG)
    url = "http://a.test/x"
    near, far = (LONG.replace(" candle", f" {word}", times) for word, times in (("taper", 1), ("taper", 100)))
    assert ALIKE <= resemblance(b"", variants(near, url, 3, [sample]), sample) < 1.0
    assert resemblance(b"", variants(far, url, 3, [sample]), sample) < ALIKE


def test_bytes_decide_where_there_is_no_text():
    picture = probe(1, digest=b"x" * 16)
    assert resemblance(b"x" * 16, (), picture) == 1.0
    assert resemblance(b"y" * 16, (), picture) == resemblance(b"", (ContentHashes(),), picture) == 0.0


WITHOUT = [
    ("a b c", "http://h.test/b", "a c", "a c"),
    ("see http h test d b html now", "http://h.test/d/b.html", "see now", "see now"),
    ("found nothing at found id 7 here", "http://h.test/found?id=7", "nothing at here", "found nothing at here"),
    ("id 7 of the start page", "http://h.test/?id=7", "of the start page", "of the start page"),
    ("welcome to h test", "http://h.test/", "welcome to h test", "welcome to h test"),
    ("no sea in d sea", "http://h.test/d/sea/", "no in", "no sea in"),
    ("über uns ist weg", "http://h.test/%C3%BCber-uns", "ist weg", "ist weg"),
]


@pytest.mark.parametrize(("text", "url", "by_name", "by_path"), WITHOUT)
def test_the_address_is_left_out(text, url, by_name, by_path):
    assert without(text.split(), url) == by_name.split()
    assert without(text.split(), url, complete=True) == by_path.split()


HOMES = [
    ("http://a.test/", "", True),
    ("http://a.test/index.php", "", True),
    ("http://a.test/?page=2", "", False),
    ("http://a.test/docs/", "", False),
    ("http://a.test/docs/index.html", "http://a.test/docs/", True),
    ("http://a.test/docs/index.html", "http://a.test/", False),
    ("http://a.test/x", "http://a.test/", False),
]


@pytest.mark.parametrize(("url", "target", "expected"), HOMES)
def test_a_home_page_is_honest(url, target, expected):
    assert is_home(url, target) == expected


URLS = [
    ("http://a.test/", ["/{}1", "/{}2", "/{}3.html"]),
    ("https://a.test:8443/d/e.php?x=/y.z", ["/{}1", "/d/{}2", "/d/{}3.php"]),
    ("http://a.test/d/v1.2/", ["/{}1", "/d/v1.2/{}2", "/d/v1.2/{}3.html"]),
    ("http://a.test/release-1.999999", ["/{}1", "/{}2", "/{}3.html"]),
]


@pytest.mark.parametrize(("page", "paths"), URLS)
def test_urls_that_cannot_exist(page, paths):
    root = page[: page.index("/", 8)]
    assert urls(page, "123") == [root + path.format("ttcrawl-soft-404-") for path in paths]


@given(st.text(), st.text(alphabet="abc-_./?=%2é", max_size=20), st.integers(1, 5))
def test_any_text_is_like_itself(text, path, shingle):
    url = f"http://a.test/{path}"
    once = content_hashes(text, url, shingle)
    again = replace(probe(1), content_hashes=once)
    assert resemblance(b"", variants(text, url, shingle, [again]), again) == (1.0 if once.digest else 0.0)


@pytest.mark.slow
@given(st.lists(st.sampled_from(["amber", "sea", "9", "x"]), max_size=400), st.integers(0, 300))
def test_what_is_the_same_is_not_left_out_for_its_size(words, more):
    """A text that says what a sample says, and its address as often as it likes once, is read."""
    text = " ".join(words)
    url = "http://a.test/" + "y" * more
    assert may_resemble(len(f"{text} {url}"), url, replace(probe(1), size=len(text)))
