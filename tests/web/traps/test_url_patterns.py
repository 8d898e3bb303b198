"""What shows only in many URLs of a kind."""

from itertools import permutations

import pytest

from ttcrawl.parse.repeated_content import FREE, Contents
from ttcrawl.vocabulary.reason import PERMUTED_QUERY, SAME_CONTENT
from ttcrawl.web.traps import Orders, Patterns
from ttcrawl.web.traps.url_patterns import FEW, NOTHING, NUMBERED

MONTHS = ("Jan", "Feb", "March", "April", "May", "June", "July", "August", "Sept", "Oct", "Nov", "Dec")


def month(n):
    year, number = 2000 + n // 12, n % 12
    days = "".join(f"<td>{day}</td>" for day in range(1, 29 + n % 3))
    last, after = f"?month={(n - 1) // 12 + 2000}-{(n - 1) % 12 + 1:02}", f"?month={(n + 1) // 12 + 2000}-01"
    html = f"<h1>{MONTHS[number]} {year}</h1>{days}<a href='{last}'>back</a> <a href={after}>on</a>"
    return f"http://a.test/cal?month={year}-{number + 1:02}", html.encode()


def met(orders, *queries):
    return [orders.refusal(f"http://a.test/x?{query}") for query in queries]


def test_some_orders_of_the_same_parameters_are_asked_for():
    queries = ["&".join(each) for each in permutations(["a=1", "b=2", "c=3"])]
    orders = Orders(2)
    assert met(orders, *queries) == ["", ""] + 4 * [PERMUTED_QUERY]
    assert met(orders, *queries) == ["", ""] + 4 * [PERMUTED_QUERY]  # the same at every time
    assert met(orders, "a=1&b=2&c=4", "a=1&b=2", "a=1") == ["", "", ""]


def test_the_order_of_a_list_is_part_of_what_is_asked():
    assert met(Orders(1), "a=1&a=2", "a=2&a=1", "a=2&b&a=1", "b&a=2&a=1") == ["", "", "", PERMUTED_QUERY]


def test_orders_forget():
    orders = Orders(1, capacity=2)
    assert met(orders, "a&b", "c&d", "b&a", "e&f", "b&a") == ["", "", PERMUTED_QUERY, "", ""]
    assert met(Orders(0), "a&b", "b&a") == ["", ""]


def pages_until_trapped(patterns, pages, led=lambda n: (), processes=1, parsed_by=lambda n: 0):
    contents = [Contents() for _ in range(processes)]
    for number, (url, html) in enumerate(pages, 1):
        hashes = contents[parsed_by(number)].of(url, html, compared=patterns.succeeds(url))
        patterns.note(url, hashes, led(number))
        if patterns.refusal(url):
            return number
    return None


def test_an_endless_calendar_in_any_language_is_a_trap():
    patterns = Patterns(50)
    assert pages_until_trapped(patterns, map(month, range(2000))) <= FREE + 12 * 3 + 50
    assert patterns.refusal("http://a.test/cal?month=1999-01") == SAME_CONTENT
    assert patterns.refusal("http://a.test/cal?day=1999-01") == patterns.refusal("http://b.test/cal?month=1") == ""


@pytest.mark.parametrize("parsed_by", [lambda n: n // 30 % 4, lambda n: min(n // 11, 3), lambda n: n % 4])
def test_an_endless_calendar_ends_as_soon_whichever_process_parses_its_pages(parsed_by):
    """Each process leaves out its first pages, and these are new to the others, however late they return."""

    def weekday(n):
        url, html = month(n)
        return url, b"<i></i>" * (n % 7) + html  # 84 contents

    def led(number):
        return (month(number)[0],)

    found = pages_until_trapped(Patterns(50), map(weekday, range(2000)), led, processes=4, parsed_by=parsed_by)
    assert found <= 4 * FREE + 84 + 50


def test_only_pages_of_the_same_pattern_succeed_a_page():
    patterns = Patterns(50, capacity=2)
    url, html = numbered(1)
    patterns.note(url, Contents().of(url, html), ["http://a.test/p/2"])
    assert not patterns.succeeds("http://a.test/p/2")  # the page was not compared
    patterns.note(
        url, Contents().of(url, html, compared=True), [f"http://a.test/{path}" for path in ("p/2", "p/x", "q/2")]
    )
    assert [path for path in ("p/2", "p/x", "q/2") if patterns.succeeds(f"http://a.test/{path}")] == ["p/2"]
    patterns.note(url, (1, 1), ["http://a.test/p/3", "http://a.test/p/4"])
    assert not patterns.succeeds("http://a.test/p/2") and patterns.succeeds(
        "http://a.test/p/3"
    )  # the oldest is forgotten


def numbered(n):
    return f"http://a.test/p/{n}", f"<title>Page {n}</title><a HREF = '/p/{n + 1}'>{n}".encode()


def test_pages_that_differ_in_their_own_number_alone_are_a_trap_when_they_are_many_and_lead_on():
    """Each leads to the next one and nowhere else: there is no end of them."""
    found = pages_until_trapped(Patterns(20), map(numbered, range(999)), lambda n: (f"http://a.test/p/{n + 1}",))
    assert found == FREE + 1 + NUMBERED * 20


def test_a_counter_that_goes_from_host_to_host_needs_less():
    def there(n):
        return f"http://{'ab'[n % 2]}.test/p/{n}"

    pages = ((there(n), numbered(n)[1]) for n in range(999))
    found = pages_until_trapped(Patterns(20), pages, lambda n: (there(n),))
    assert found is not None and found <= 2 * (FREE + 1 + 20)
    # in two languages, each page leads to the next one and to the other language
    both = [(f"http://{'ab'[n % 2]}.test/p/{n // 2}", numbered(n // 2)[1]) for n in range(200)]
    more = [(f"http://a.test/p/{n // 2 + 1}", f"http://b.test/p/{n // 2}") if n % 2 == 0 else () for n in range(200)]
    assert pages_until_trapped(Patterns(20), both, lambda n: more[n - 1]) is None


@pytest.mark.parametrize(
    "led",
    [
        lambda n: (),  # all of them are known from a list
        lambda n: (f"http://a.test/p/{n + 1}", f"http://a.test/large/{n}"),
        lambda n: (f"http://a.test/p/{n + 1}", f"http://b.test/x/p/{n}"),
    ],
    ids=["nowhere new", "elsewhere", "elsewhere on another host"],
)
def test_numbered_pages_that_end_or_lead_elsewhere_are_no_trap(led):
    assert pages_until_trapped(Patterns(20), map(numbered, range(2000)), led) is None


def test_pages_that_say_the_same_and_lead_elsewhere_are_no_trap():
    pages = [(f"http://a.test/get?id={n}", f"<p>Click <a href='/files/{n}.zip'>here".encode()) for n in range(500)]
    assert pages_until_trapped(Patterns(20), pages, lambda n: (f"http://a.test/files/{n}.zip",)) is None
    assert pages_until_trapped(Patterns(20), pages) == FREE + 1 + 20


def test_two_kinds_of_pages_that_lead_to_each_other():
    """Neither is worth anything, so that each is no way out of the other."""
    pages = ((f"http://a.test/{'xy'[n % 2]}/{n}", b"<p>on and on") for n in range(999))
    found = pages_until_trapped(Patterns(20), pages, lambda n: (f"http://a.test/{'xy'[n % 2]}/{n}",))
    assert found is not None and found <= 2 * (FREE + 1 + FEW + 20)


@pytest.mark.parametrize(
    "html",
    [
        lambda n: f"<h1>Item</h1><p>costs {n * 7 % 1000003}",
        lambda n: f"<h1>Strip</h1><img src=/strips/{n ^ 0x5A5A}.png>",
        lambda n: f"<h1>Text</h1>{'ab' * (n % 100)} {n // 100 * 7 + 1}.",
    ],
    ids=["a number", "a picture", "a text"],
)
def test_honest_pages_are_no_trap(html):
    pages = ((f"http://a.test/item/{n}", html(n).encode()) for n in range(2000))
    assert pages_until_trapped(Patterns(20), pages) is None


def test_only_pages_in_a_row_count():
    pages = ((f"http://a.test/{n}", b"gone" if n % 20 else b"text" * n) for n in range(2000))
    assert pages_until_trapped(Patterns(20), pages) is None
    assert pages_until_trapped(Patterns(0), ((f"http://a.test/{n}", b"gone") for n in range(2000))) is None


def test_patterns_are_forgotten():
    contents, patterns = Contents(capacity=2), Patterns(5, capacity=2)
    for n in range(100):
        for name in "abc":
            url = f"http://a.test/{name}/{n}"
            assert contents.of(url, b"same") == NOTHING
            patterns.note(url, (7, 7))
    assert not any(patterns.refusal(f"http://a.test/{name}/1") for name in "abc")
    for name in "abc":
        for n in range(6):
            patterns.note(f"http://a.test/{name}/{n}", (7, 7))
    assert [bool(patterns.refusal(f"http://a.test/{name}/1")) for name in "abc"] == [False, True, True]
