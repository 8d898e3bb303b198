"""What is remembered of links is bounded, and changes no result."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_canon
from ttcrawl.parse.links.resolver import Resolver
from ttcrawl.vocabulary.reason import NONE, SCOPE_LENGTH
from ttcrawl.web.url import resolve

SITE = "http://a.test"
PAGES = (
    *(f"{SITE}/x/1.html", f"{SITE}/x/2.html", f"{SITE}/x/2.html?page=1", f"{SITE}/x/y/1.html", f"{SITE}/"),
    *(f"{SITE}/x/?a=/b/c", "https://a.test/x/1.html", "http://b.test/x/1.html", f"{SITE}/x"),
)
HREFS = (
    *(
        "",
        "#",
        "#top",
        "?",
        "?page=2",
        "?page=2#top",
        " ?page=3",
        "\t#top",
        "\x01",
        " ",
        "x #y",
        "x#y",
        "x",
        "X",
        "./x",
    ),
    *("../1.html", "/", "/x/1.html", "//b.test/", "http:?page=2", "http:x", "http:/x", "HTTP://A.test/x", "https:x"),
    *("mailto:a@b.test", "javascript:0", "http://[", "x?y", "x?y#z", "1.html", "1.html#a", "1.html#b", "%7e", ";a"),
    *("\\x", "http:\\x", "ht\ntp:?q", "?\n", "\ud83d", "a/../../b"),
)

LONGEST = 100


def resolver(capacity=200_000, calls=None):
    """Refuses what has a digit; `calls` gets the URLs that are decided."""

    def refusal(url):
        if calls is not None:
            calls.append(url)
        return (SCOPE_LENGTH, "a rule") if any(map(str.isdigit, url)) else (NONE, "")

    return Resolver(compile_canon(Config().url), refusal, LONGEST, capacity)


def shape(target):
    """The contents of a target."""
    if target is None:
        return None
    return target.url, target.key, target.host, target.refused, target.rule, target.spelling


def targets(each, page, hrefs):
    of_page = each.page(page)
    return [shape(target) for target in of_page.targets(hrefs)], of_page.uses_page_url


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("page", PAGES)
def test_targets_are_those_of_the_url_parser(page):
    found, _ = targets(resolver(), page, HREFS)
    assert [target and target[0] for target in found] == [resolve(page, href) for href in HREFS]


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    visits=st.lists(st.tuples(st.sampled_from(PAGES), st.lists(st.sampled_from(HREFS), max_size=8)), max_size=12),
    capacity=st.integers(0, 20),
)
def test_a_memory_changes_no_result(visits, capacity):
    """In any order of pages: with all memory, with little and with none."""
    large, small = resolver(), resolver(capacity)
    for page, hrefs in visits:
        alone = targets(resolver(), page, hrefs)
        assert targets(large, page, hrefs) == targets(small, page, hrefs) == alone


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(page=st.sampled_from(PAGES), hrefs=st.lists(st.sampled_from(HREFS), max_size=12))
def test_new_targets_are_decided_in_document_order(page, hrefs):
    """A trap for the orders of parameters accepts the first ones."""
    calls = []
    resolver(calls=calls).page(page).targets(hrefs)
    urls = [resolve(page, href) for href in hrefs]
    assert list(dict.fromkeys(calls)) == list(dict.fromkeys(filter(None, urls)))


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("page, href", [("/{0}/", "x"), ("/", "x{0}"), ("/{0}/", "?q")])
def test_the_memory_is_bounded(page, href):
    each, sizes = resolver(capacity=100), []
    for number in range(1000):
        each.page(SITE + page.format(number)).targets([href.format(number)] * 3)
        sizes.append(len(each))
    assert 50 < max(sizes) <= 103
    assert any(later < earlier for earlier, later in pairwise(sizes))


@pytest.mark.usefixtures("reader")
def test_the_memory_of_fragments_is_bounded():
    """The core remembers none of them."""
    each, sizes = resolver(capacity=100), []
    for number in range(1000):
        each.page(f"{SITE}/").targets([f"x#{number}", f"x #{number}"])
        sizes.append(len(each))
    assert max(sizes) <= 103


@pytest.mark.usefixtures("reader")
def test_long_hrefs_take_more_of_the_memory():
    """Pages with URLs of megabytes must not fill the memory of a parse process, from one to the next."""
    each, sizes = resolver(capacity=100), []
    for number in range(100):
        each.page(f"{SITE}/").targets([f"{number}{'x' * 10_000}"])
        sizes.append(len(each))
    assert sum(later < earlier for earlier, later in pairwise(sizes)) > 10


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("base", [f"{SITE}/{'x' * LONGEST}/", f"{SITE}/{'x' * LONGEST}"])
def test_links_do_not_multiply_a_base_that_is_longer_than_any_url(base):
    hrefs = ["?1", "?2", "", "#a", "1", "2", "/3", "http://b.test/"]
    found, _ = targets(resolver(), base, hrefs)
    urls = [resolve(base, href) for href in hrefs]
    assert [target and target[0] for target in found] == [url if len(url) <= LONGEST else None for url in urls]


@pytest.mark.usefixtures("reader")
def test_a_long_link_is_a_url_without_a_long_base():
    for base in (f"{SITE}/", f"{SITE}/?{'x' * LONGEST}"):
        (target,), _ = targets(resolver(), base, [f"/{'y' * LONGEST}"])
        assert target is not None


@pytest.mark.usefixtures("reader")
def test_what_is_remembered_is_decided_once():
    calls = []
    each = resolver(calls=calls)
    for number in range(10):
        each.page(f"{SITE}/x/{number}.html").targets(["a", "a#b", "/c", "a"])
    assert calls == [f"{SITE}/x/a", f"{SITE}/c"]


def test_a_url_is_decided_once_for_plain_links_of_all_directories():
    calls = []
    links = resolver(calls=calls)
    found = [links.page(page).targets([href])[0] for page, href in ((PAGES[0], "../y"), (f"{SITE}/", "y"))]
    assert found[0] is found[1] and calls == [f"{SITE}/y"]
    links.forget()
    assert links.page(f"{SITE}/").targets(["y"])[0] is not found[0] and len(calls) == 2
