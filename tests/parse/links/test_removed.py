"""Links of an answer that scripts have removed."""

from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.removed import with_removed
from ttcrawl.parse.links.wanted import Wanted

URL = "http://a.test/d/"
WANTED = Wanted(landmarks=True, anchors=True)


def both(after, before):
    return with_removed(extract(after, URL, wanted=WANTED), extract(before, URL, wanted=WANTED), WANTED)


def test_they_follow_the_others_and_are_marked():
    page = both(b"<main><a href=1>one</a></main>", b"<nav><a href=2>two</a><a href=/d/1>same</a></nav>")
    assert page.hrefs == ["1", "http://a.test/d/2"]
    assert (page.kinds, page.regions, page.nofollow) == (b"aa", b"cc", b"\0\0")
    assert (page.landmarks, page.anchors) == (b"ms", ("one", "two"))


def test_each_has_its_own_base():
    page = both(b"<base href=/e/><a href=1>x</a>", b"<a href=1>x</a>")
    assert page.base == "http://a.test/e/" and page.hrefs == ["1", "http://a.test/d/1"]


def test_a_refresh_that_is_gone_stood_in_noscript():
    page = both(b"<p>x", b"<noscript><meta http-equiv=refresh content='0; url=/no'></noscript>")
    assert page.hrefs == []


def test_a_page_that_lost_nothing_is_the_same():
    after = extract(b"<a href=1>x</a>", URL, wanted=WANTED)
    assert with_removed(after, extract(b"<a href='1#f'>x</a>", URL, wanted=WANTED), WANTED) is after
