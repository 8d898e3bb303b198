"""Where other normalisers differ from ours: every case is alike, or its difference is in one table with its reason."""

import re
from collections import Counter
from urllib.parse import unquote, unquote_plus

import ada_url

from tests.support.conformance import cases
from ttcrawl import config
from ttcrawl.config.compiled import compile_canon
from ttcrawl.web.url import canonical

#: Cases that say in which encoding the page is; browsers write queries in it, and so do we in UTF-8 alone.
ENCODED = {"http://www.example.com/résumé?q=résumé", "http://www.example.com/résumé?country=Россия"} | {
    "http://.éxamplé.com:80/?q=a"
}


def parsed(url):
    """As a WHATWG parser prints it, without fragment; what it cannot parse as it is."""
    try:
        return ada_url.normalize_url(url).partition("#")[0]
    except ValueError:
        return url


def not_http(case, got, want):
    return got is None and not case["input"].lower().startswith(("http:", "https:"))


def no_host(case, got, want):
    return got is None and case["expect"] == "http:/"


def credentials(case, got, want):
    return "@" in want and canonical(want) == got


def empty_segments(case, got, want):
    return got == canonical(got) and re.sub("(?<!:)/+", "/", got) == want


def left_as_they_are(case, got, want):
    return unquote(got) == unquote(want) and re.sub("%5B|%5D|%7C|%5E|%60", "", want) == re.sub(r"[][|^`]", "", got)


def parameters(url):
    """Of a query what is left when order, empty ones, a missing = and the spelling of blanks do not matter."""
    pairs = (unquote_plus(pair).partition("=") for pair in re.split("[&;]", url.partition("?")[2]))
    return url.partition("?")[0], sorted((name, value) for name, _, value in pairs if value)


def lone_percent(case, got, want):
    return re.sub("%(?![0-9A-F]{2})", "%25", got) == want


def query_as_it_is(case, got, want):
    return "?" in got and parameters(got) == parameters(want)


def encoding(case, got, want):
    return case["input"] in ENCODED


#: (how to tell, how many, our decision and why), in this order.
DECISIONS = [
    (not_http, 46, "nothing but http and https is crawled; what is relative needs a base"),
    (no_host, 3, "there is nobody to ask (WHATWG: a failure)"),
    (credentials, 14, "left out: everybody reads the ledger, and a page could smuggle them into our requests"),
    (empty_segments, 5, "kept: an empty segment is one (RFC 3986 section 3.3), and servers may tell // from /"),
    (left_as_they_are, 4, "[ ] | ^ ` in queries are asked for as browsers ask for them (WHATWG)"),
    (lone_percent, 4, "a % that begins no escape is asked for as browsers ask for it (WHATWG)"),
    (query_as_it_is, 14, "asked for as it is written: order, empty parameters and + are the server's; see sort_query"),
    (encoding, 3, "the query is UTF-8 whatever the encoding of the page: a canonical URL does not know its page"),
]


def test_other_normalisers():
    canon = compile_canon(config.Url())
    found = Counter()
    for case in cases("url.jsonl"):
        if case["kind"] != "normalize":
            continue
        got, want = canon.canonical(case["input"]), parsed(case["expect"])
        if got != want:
            found[next((why for tell, _, why in DECISIONS if tell(case, got, want)), str(case))] += 1
    assert found == {why: number for _, number, why in DECISIONS}


def test_what_w3lib_does_to_queries_is_there_when_asked_for():
    """Sorted by name; equal parameters dropped. w3lib sorts the values of one name too: we keep the order of a list."""
    canon = compile_canon(config.Url(sort_query=True))
    for case in cases("url.jsonl"):
        if case["suite"] == "w3lib-canonicalize" and re.search(r"[?&]a=\d", case["input"]) and ";" not in case["input"]:
            names = [re.findall(r"(?<=[?&])\w+", url) for url in (canon.canonical(case["input"]), case["expect"])]
            assert set(names[1]) <= set(names[0]) and names[0] == sorted(names[0])
