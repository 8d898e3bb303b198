"""What comes out of the child process, cut or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.read.documents.extract import HEAD, MAX_LINKS, MAX_URL, Extract, decode, encode, reason

ANY = st.text(st.characters(codec=None), max_size=30)


@pytest.mark.slow
@given(ANY, ANY, st.lists(st.tuples(ANY, ANY), max_size=5), st.none() | st.integers(0, 10**9))
def test_it_comes_out_as_it_went_in(text, title, links, pages):
    data = encode(Extract(text=text, title=title, links=links, pages=pages))
    found, more = decode(data, 1000)
    assert not more and found.pages == pages and encode(found) == data
    (found.text + found.title + "".join(url + words for url, words in found.links)).encode()
    assert "\0" not in found.text + found.title and "\r" not in found.text


def test_it_is_bounded():
    links = [(f"http://a.test/{n}/{'x' * 3000}", "w" * 5000) for n in range(30_000)] + [("y" * (MAX_URL + 1), "")]
    data = encode(Extract(text="t" * 100, title="t" * 10_000, links=links))
    assert data.index(b"\n") < HEAD
    found, more = decode(data, 99)
    assert found.text == "t" * 99 and more and len(found.title) == 1000 and 100 < len(found.links) < MAX_LINKS


def test_links_that_lead_nowhere_and_twice_to_the_same():
    given = [("#top", "a"), (" http://a.test/ ", " b \n c "), ("http://a.test/", "b c"), ("", "d")]
    assert decode(encode(Extract(links=given)), 10)[0].links == [("http://a.test/", "b c")]


def test_text_cut_in_the_middle_of_a_letter():
    data = encode(Extract(text="aü"))
    assert decode(data, 2) == (Extract(text="a"), True)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x",
        b"{}",
        b"[]\n",
        b'{"links": ',
        b'{"links": 3}\n',
        encode(Extract()).replace(b"null", b"[]"),
        b"[" * 100_000,
        encode(Extract())[:-1],
    ],
)
def test_what_is_no_answer(data):
    with pytest.raises(ValueError):
        decode(data, 10)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("memory allocation of 9 bytes failed", "too much memory"),
        ("a.so: failed to map segment from shared object", "too much memory"),
        ("OSError: [Errno 27] File too large", "too much output"),
        ("sh: File size limit exceeded", "too much output"),
        ("PDF is password-protected", "encrypted"),
        ("\n  one\ntwo", "broken: one"),
        ("", "broken: no reason given"),
        ("x" * 999, "broken: " + "x" * 200),
    ],
)
def test_reasons(said, why):
    assert reason(said) == why
