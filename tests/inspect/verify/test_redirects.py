"""`ttcrawl verify` takes every answer for a redirect that the crawl has taken for one."""

from __future__ import annotations

from pathlib import Path

from tests.support.crawls.crawling import crawl, verified
from tests.support.web.site import Answer, Web, moved, page

#: Path -> (answer, the target in the tables).
REDIRECTS = {
    "/empty": (moved("", 302), "/empty"),
    "/with-body": (Answer(status=302, headers=(("Location", ""),), body=page("/unseen")), "/with-body"),
    "/blank": (moved("  ", 308), "/blank"),
    "/fragment": (moved("#top"), "/fragment"),
    "/other": (Answer(status=303, headers=(("Location", "/"),), body=page("/unseen")), "/"),
}
#: The same statuses without a Location.
PAGES = {
    "/without": Answer(status=302, body=page("/unseen")),
    "/choices": Answer(status=300),
}


def test_a_redirect_may_have_an_empty_location(tmp_path: Path) -> None:
    answers = {path: answer for path, (answer, _) in REDIRECTS.items()} | PAGES
    with Web(
        {("a.test", path): answer for path, answer in {"/": Answer(body=page(*answers)), **answers}.items()}
    ) as web:
        crawled = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
        urls = {path: web.url("a.test", path) for path in ("/", *answers)}
    targets = dict(
        crawled.query(
            "SELECT source.url, target.url FROM url AS source JOIN outlinks ON outlinks.source = source.id"
            " JOIN url AS target ON target.key = json_extract(targets, '$[0]') WHERE source.state = 'moved'"
        )
    )
    assert targets == {urls[path]: urls[target] for path, (_, target) in REDIRECTS.items()}
    assert {url for url, (state, _) in crawled.states().items() if state == "fetched"} == {
        urls[path] for path in ("/", *PAGES)
    }
    assert verified(crawled.directory) == ""
