"""Which answers of other origins a page may read."""

import pytest

from ttcrawl.browser.cors import may_read, needs_permission, origin_of, permits, question, unsafe_headers

PAGE = "https://a.example"

#: Headers of the request -> those that need permission (WHATWG Fetch, 2.2.2).
HEADERS = [
    ((), set()),
    ((("Accept", "text/html"), ("Referer", PAGE), ("Origin", PAGE)), set()),
    ((("Content-Type", "text/plain;charset=UTF-8"),), set()),
    ((("Content-Type", "application/json"),), {"content-type"}),
    ((("X-Api-Key", "k"), ("Authorization", "Bearer t")), {"x-api-key", "authorization"}),
    ((("Cache-Control", "no-cache"), ("Range", "bytes=0-9")), set()),
]


@pytest.mark.parametrize(("headers", "unsafe"), HEADERS)
def test_headers_that_need_permission(headers, unsafe):
    assert unsafe_headers(headers) == unsafe
    assert needs_permission("GET", headers) is bool(unsafe)
    assert needs_permission("PUT", headers)


@pytest.mark.parametrize(
    ("allowed", "may"),
    [("*", True), (PAGE, True), (f" {PAGE} ", True), ("https://b.example", False), ("", False), ("null", False)],
)
def test_who_may_read(allowed, may):
    assert may_read(PAGE, {"access-control-allow-origin": allowed} if allowed else {}) is may


KEY = (("X-Api-Key", "k"),)
TOKEN = (("Authorization", "Bearer t"),)

#: Method, headers, status and answer of the preflight -> whether the request is made.
PERMISSIONS = [
    ("GET", KEY, 204, {"access-control-allow-headers": "X-API-Key, X-Other"}, True),
    ("GET", KEY, 200, {"access-control-allow-headers": "*"}, True),
    ("GET", KEY, 200, {}, False),
    ("GET", KEY, 403, {"access-control-allow-headers": "*"}, False),
    ("GET", TOKEN, 200, {"access-control-allow-headers": "*"}, False),  # the wildcard does not cover it
    ("GET", TOKEN, 200, {"access-control-allow-headers": "authorization"}, True),
    ("PUT", (), 200, {}, False),
    ("PUT", (), 200, {"access-control-allow-methods": "GET, PUT"}, True),
]


@pytest.mark.parametrize(("method", "headers", "status", "answer", "permitted"), PERMISSIONS)
def test_what_a_preflight_permits(method, headers, status, answer, permitted):
    everybody = {"access-control-allow-origin": "*"} | answer
    assert permits(PAGE, method, headers, status, everybody) is permitted
    assert not permits(PAGE, method, headers, status, answer)  # it does not permit to read


def test_the_question():
    assert question(PAGE, "GET", KEY) == (
        ("Origin", PAGE),
        ("Access-Control-Request-Method", "GET"),
        ("Access-Control-Request-Headers", "x-api-key"),
    )
    assert question(PAGE, "PUT", ()) == (("Origin", PAGE), ("Access-Control-Request-Method", "PUT"))


def test_origins():
    assert [origin_of(url) for url in (f"{PAGE}/b/c", "http://[::1]:8080/")] == [PAGE, "http://[::1]:8080"]
