"""What of a URL may be taken out, and what is left of it."""

import pytest

from ttcrawl.engine.duplicates.patterns import KEYS, PARAMETERS, SEGMENTS, patterns, without

HOST = "http://a.test"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/", {}),
        ("/about", {}),
        ("/about.html", {}),
        # keys
        ("/p?print=1", {"?print": "/p", "/p?print": ""}),
        ("/p?print", {"?print": "/p", "/p?print": ""}),
        ("/l?sort=a&order=up", {"?sort": "/l?order=up", "?order": "/l?sort=a", "/l?order&sort": ""}),
        ("/l?tag=a&page=2&tag=b", {"?tag": "/l?page=2", "?page": "/l?tag=a&tag=b", "/l?page&tag": ""}),
        ("/x.css?20240131", {"?#": "/x.css", "/x.css?#": ""}),
        ("/l?f1=a&f2=b&n=1", {"?f#": "/l?n=1", "?n": "/l?f1=a&f2=b", "/l?f#&n": ""}),
        ("/?p=17", {"?p": "/", "/?p": ""}),
        # parameters of the path
        ("/p;sid=AB12", {";sid": "/p", "/p;sid": ""}),
        (
            "/a;x/p;v=1?id=2",
            {"?id": "/a;x/p;v=1", ";x": "/a/p;v=1?id=2", ";v": "/a;x/p?id=2", "*/a/*": "/p;v=1?id=2"},
        ),
        # segments
        ("/print/item.html", {"*/print/*": "/item.html"}),
        ("/docs/print/a.html", {"*/docs/*": "/print/a.html", "*/print/*": "/docs/a.html"}),
        ("/print/", {"*/print/*": "/"}),
        ("/a/a/b.html", {"*/a/*": "/a/b.html"}),
        ("/v1.2/a.html", {"*/v#.#/*": "/a.html", "/v#.#/a.html": ""}),
        ("/news/amp", {"*/news/*": "/amp", "*/amp": "/news"}),
        ("/news/print-view", {"*/news/*": "/print-view", "*/print-view": "/news"}),
        ("/news/the-long-title-of-it", {"*/news/*": "/the-long-title-of-it"}),
        ("/a//b.html", {"*/a/*": "//b.html"}),
        # numbers are no segment that might be left out, but a shape
        ("/cal/2031/05/", {"*/cal/*": "/2031/05/", "/cal/#/#/": ""}),
        ("/2031/05", {"/#/#": ""}),
        ("/item17", {"/item#": ""}),
    ],
)
def test_patterns_of_a_url(url, expected):
    found = patterns(HOST + url)
    shapes = {text for text, rest in found if not rest}
    wanted = {text for text, rest in expected.items() if not rest}
    assert {text: rest.removeprefix(HOST) for text, rest in found if rest} == {k: v for k, v in expected.items() if v}
    assert wanted <= shapes and len(shapes) <= 1
    assert all(not text.startswith(("?", ";", "*")) for text in shapes), "a shape has the name of no other pattern"
    assert len({text for text, _ in found}) == len(found)


@pytest.mark.parametrize(
    "url",
    [
        "/" + "a/b/c/d/e/" * 30,
        "/?" + "&".join(f"{chr(97 + n % 26)}{'x' * (n // 26)}={n}" for n in range(200)),
        "/" + ";".join(f"{chr(97 + n % 26)}{'x' * (n // 26)}=1" for n in range(200)) + "?a&b",
        "/" + "x" * 1900 + "/?" + "y" * 90 + "=1",
    ],
    ids=["segments", "keys", "parameters", "long names"],
)
def test_their_number_and_length_have_a_bound(url):
    found = patterns(HOST + url)
    assert len(found) <= KEYS + PARAMETERS + SEGMENTS + 2
    assert max((len(text) for text, _ in found), default=0) <= 250


@pytest.mark.parametrize(
    ("texts", "left"),
    [
        (["?sort"], "/print/l?order=up&page=2"),
        (["?sort", "?order"], "/print/l?page=2"),
        (["?order", "*/print/*", "?sort", "?page"], "/l"),
        (["?none"], "/print/l?sort=a&order=up&page=2"),
    ],
)
def test_without_several(texts, left):
    assert without(f"{HOST}/print/l?sort=a&order=up&page=2", texts) == HOST + left
