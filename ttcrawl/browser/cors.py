"""Which answers of other origins a page may read: the CORS protocol (WHATWG Fetch, 3.3), by the headers of answers.

The browser checks answers to the URL that it asked for; redirects, which it does not see, are checked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

#: Headers that a page may send to another origin without its permission (Fetch, 2.2.2), and those that no script sets.
_SAFE = frozenset(("accept", "accept-language", "content-language", "content-type", "range", "origin", "referer"))
_BY_CACHE_MODE = frozenset(("cache-control", "pragma"))

#: Types that a body may have without permission.
_SAFE_BODIES = frozenset(("application/x-www-form-urlencoded", "multipart/form-data", "text/plain"))

#: Methods that need no permission.
_SAFE_METHODS = frozenset(("GET", "HEAD", "POST"))

#: Who may read, where no answer says so: an origin that no page has. Playwright would permit everybody.
ALLOWED, NOBODY = "access-control-allow-origin", "https://cors.invalid"


def origin_of(url: str) -> str:
    """
    >>> origin_of("https://a.example:8443/page?q")
    'https://a.example:8443'
    """
    return "/".join(url.split("/", 3)[:3])


def may_read(origin: str, headers: Mapping[str, str]) -> bool:
    """Whether a page of an origin may read an answer with these headers (Fetch, 4.10, without credentials).

    >>> [may_read("https://a.example", {ALLOWED: value}) for value in ("*", "https://a.example", "https://b.example")]
    [True, True, False]
    """
    return headers.get(ALLOWED, "").strip() in ("*", origin)


def unsafe_headers(headers: Iterable[tuple[str, str]]) -> frozenset[str]:
    """The names, in lower case, of headers for which another origin has to give permission."""
    by_name = {name.lower(): value for name, value in headers}
    unsafe = by_name.keys() - _SAFE - _BY_CACHE_MODE
    body = by_name.get("content-type", "text/plain").partition(";")[0].strip().lower()
    return frozenset(unsafe if body in _SAFE_BODIES else unsafe | {"content-type"})


def needs_permission(method: str, headers: Iterable[tuple[str, str]]) -> bool:
    """Whether the other origin is asked before (a CORS preflight)."""
    return method not in _SAFE_METHODS or bool(unsafe_headers(headers))


def question(origin: str, method: str, headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The headers of the OPTIONS request that asks (Fetch, 4.8)."""
    names = ",".join(sorted(unsafe_headers(headers)))
    asked = (("Origin", origin), ("Access-Control-Request-Method", method))
    return (*asked, ("Access-Control-Request-Headers", names)) if names else asked


def permits(
    origin: str, method: str, headers: Iterable[tuple[str, str]], status: int, answer: Mapping[str, str]
) -> bool:
    """Whether the answer to that request permits the request (Fetch, 4.8, without credentials)."""
    methods = {each.strip() for each in answer.get("access-control-allow-methods", "").split(",")}
    names = {each.strip().lower() for each in answer.get("access-control-allow-headers", "").split(",")}
    unsafe = unsafe_headers(headers)
    named = unsafe <= names or ("*" in names and "authorization" not in unsafe - names)
    method_named = method in _SAFE_METHODS or not methods.isdisjoint((method, "*"))
    return 200 <= status < 300 and may_read(origin, answer) and method_named and named
