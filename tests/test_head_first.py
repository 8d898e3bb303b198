"""Crawls of what is wanted: the rest is asked for once, and its body is not read."""

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from tests.support.cases import some_fast
from tests.support.crawls.crawling import crawl, verified
from tests.support.web.site import Answer, Web, moved, page

IMAGE = (("Content-Type", "image/png"),)
PAGES = {
    ("a.test", "/robots.txt"): Answer(headers=IMAGE, body=b"User-agent: *\nDisallow: /no\n"),
    ("a.test", "/"): Answer(body=page("/page", "/image", "/moved", "/large", "/gone", "/no")),
    ("a.test", "/page"): Answer(body=page("/")),
    ("a.test", "/image"): Answer(headers=IMAGE, body=b"x" * 5000),
    ("a.test", "/moved"): moved("/page"),
    ("a.test", "/large"): Answer(body=b"x" * 9000),
}


#: Setting -> the methods of what its head decides, and of other pages.
WHERE = {"yes": ("H", "HG"), "no": ("G", "G"), "path:/image path:/moved path:/large": ("H", "G")}


@pytest.mark.parametrize("options", some_fast([(), ("--inline",)], ("--inline",)), ids=["pools", "inline"])
@pytest.mark.parametrize("head_first", WHERE)
def test_only_what_is_wanted_is_read(tmp_path, options, head_first):
    keys = ("fetch.types=text/*", f"fetch.head_first={head_first}", "fetch.max_body=8k")
    with Web(PAGES) as web:
        sets = [part for key in keys for part in ("--set", key)]
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *sets, *options)
        asked = {}
        for hit in web.log():
            asked[hit.path] = asked.get(hit.path, "") + hit.method[0]
    first, both = WHERE[head_first]
    assert asked == {
        **dict.fromkeys(("/", "/page", "/gone"), both),
        **dict.fromkeys(("/image", "/moved", "/large"), first),
        "/robots.txt": "G",
    }
    assert {url.rpartition("/")[2]: state for url, state in done.states().items()} == {
        "": ("fetched", "http 200"),
        "page": ("fetched", "http 200"),
        "image": ("refused", "type"),
        "moved": ("moved", "http 301"),
        "large": ("refused", "too large"),
        "gone": ("fetched", "http 404"),
        "no": ("refused", "robots.txt"),
    }
    requests = done.query("SELECT url, requests FROM visit")
    assert {url.removeprefix(web.url("a.test", "")): count for url, count in requests} == {
        path: len(methods) for path, methods in asked.items()
    }
    assert done.query("SELECT type, length, declared_length FROM page WHERE type LIKE 'image%'") == [
        ("image/png", 0, 5000)
    ]
    lengths = done.query(
        "SELECT url.url, declared_length FROM page JOIN url ON url.id = page.url WHERE declared_length"
    )
    assert {url.rpartition("/")[2]: length for url, length in lengths} == {"image": 5000, "large": 9000}
    assert truncated(tmp_path / "c") == {"/image", "/large"} | ({"/moved"} if first == "H" else set())
    assert verified(tmp_path / "c") == ""


def truncated(directory):
    """Paths of the records that say that their body is not whole."""
    found = set()
    for path in (directory / "warc").iterdir():
        with open(path, "rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response):
                if "WARC-Truncated" in record.headers:
                    found.add("/" + record.headers["WARC-Target-URI"].rpartition("/")[2])
    return found
