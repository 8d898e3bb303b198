"""What is learnt from the pages of a template."""

import pytest

from ttcrawl.browser.templates import CALM, FIRST_GAP, LAST_GAP, SAMPLES, Template, pattern_of
from ttcrawl.ring.browsing import RENDERED, SAMPLE, STATIC


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("http://a.test/", "/"),
        ("http://a.test/x", "/*"),
        ("http://a.test/x.html", "/*.html"),
        ("http://a.test/x.HTML", "/*.html"),
        ("http://a.test/v1.2", "/*"),
        ("http://a.test/.html", "/*"),
        ("http://a.test/news/2024/05/x-1.html", "/news/#/*/*.html"),
        ("http://a.test/news/", "/news/"),
        ("http://a.test/a?q=1&p2=3", "/*?p#&q"),
    ],
)
def test_urls_of_one_program_have_one_pattern(url, pattern):
    assert pattern_of(url) == pattern


def template(gains=(), pages=0):
    """After pages with these gains in the browser, and then so many static ones."""
    result = Template(id=1, site=1, pattern="/*", signature=1)
    for gain in gains:
        result.compared(gain)
    for _ in range(pages):
        result.passed()
    return result


@pytest.mark.parametrize("gain", [b"", b"banner"])
def test_pages_on_which_the_browser_shows_the_same_are_read_statically(gain):
    assert template([gain] * (SAMPLES - 1)).next == SAMPLE
    assert template([gain] * SAMPLES).next == STATIC


@pytest.mark.parametrize("gains", [[b"a", b"b"], [b"", b"b"], [b"a", b""], [b"", b"", b"c"]])
def test_one_page_that_differs_sends_the_next_to_the_browser(gains):
    assert template(gains).next == RENDERED


def looks(static, gain=b""):
    """At which pages a template is looked at again while `static` pages pass."""
    result, found = template([b""] * SAMPLES), []
    for number in range(static):
        if result.next == SAMPLE:
            found.append(number)
            result.compared(gain)
        else:
            result.passed()
    return found


def test_it_is_looked_at_again_ever_more_rarely_but_always():
    found = looks(1000)
    gaps = [after - before - 1 for before, after in zip([-1, *found], found, strict=False)]
    assert gaps[0] == FIRST_GAP and gaps == sorted(gaps) and gaps[-1] == LAST_GAP and len(found) > 1000 // LAST_GAP / 2


def test_a_look_that_finds_something_sends_the_next_to_the_browser():
    result = template([b""] * SAMPLES, FIRST_GAP)
    assert result.next == SAMPLE
    result.compared(b"reply")
    assert result.next == RENDERED


def test_a_template_is_read_statically_again_after_many_pages_alike():
    result = template([b"", b"reply", *[b""] * (CALM - 1)])
    assert result.next == RENDERED
    result.compared(b"")
    assert (result.next, result.gap) == (STATIC, LAST_GAP)


def test_a_page_that_is_read_again_counts_once():
    result = template([b"", b"x"], 1)
    result.compared(b"y", again=True)
    assert (result.pages, result.rendered) == (3, 3)
