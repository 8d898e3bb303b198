"""References that nobody can follow."""

import pytest

from ttcrawl.inspect.check.links.invalid import fault

NOT, FILE, OWN = "not a URL", "a file of the reader's own machine", "the reader's own machine"

#: References on the page http://a.test/, and why nobody can follow them; "": a reader can. Those that are no URLs fail
#: in the parser of the URL standard (urltestdata.json of web-platform-tests has their like).
CASES = {
    **dict.fromkeys(("", "#x", "x", "/", "?", "x y", "/a:b", "./a:b", "%", "../..", "http:x", "https://b.test"), ""),
    **dict.fromkeys(
        ("//b.test/x", r"\\b.test\x", "/\\b.test", "http:///b.test", "HTTP:\\\\b.test", "  http://b.test "), ""
    ),
    **dict.fromkeys(("mailto:", "tel:+1", "JavaScript:x", "data:,", "web+tea:x", "ms-word:x", "com.app.x:y"), ""),
    **dict.fromkeys(("http://", "https:///", "//", "\\\\", "/\\", "http://[::1", "http://a b/", "http://%zz/"), NOT),
    **dict.fromkeys(
        ("http://b.test:99999/", "http://b.test:x/", "http://user@:80/", "http://a<b>/", "http://1.2.3.999/"), NOT
    ),
    **dict.fromkeys(("file:///C:/x", "FILE:x", " file://server/x", "fi\nle:///x"), FILE),
    **dict.fromkeys(
        ("http://localhost/", "//localhost:80", "http://127.0.0.1:8000/x", "http://[::1]/", "http://0/"), OWN
    ),
    **dict.fromkeys(("http://x.localhost/", "http://2130706433/", "http://0x7f.1/"), OWN),
    "htp://b.test/": "unknown scheme htp",
    "localhost:3000": "unknown scheme localhost",
    "www.b.test:80/x": "unknown scheme www.b.test",
    "Category:X": "unknown scheme category",
    "httpss://b.test": "unknown scheme httpss",
}


@pytest.mark.parametrize(("href", "why"), CASES.items())
def test_a_reference(href, why):
    assert fault("http://a.test/", "http://a.test/", href) == why


@pytest.mark.parametrize("page", ["http://localhost:8000/", "http://127.0.0.1/", "http://[::1]:80/"])
def test_a_site_on_the_own_machine_may_link_to_it(page):
    assert fault(page, page, "http://localhost:8000/x") == fault(page, page, "//127.0.0.1/") == ""
