"""Every link of every page that a server sent is in the tables, by either reader. The server knows its links."""

import random
from urllib.parse import urldefrag, urljoin

import pytest

from tests.support.crawls.crawling import crawl, verified
from tests.support.web.site import Answer, Web

PAGES = 60
HREFS = (
    *("page/{0}.html", "../page/{0}.html", "/page/{0}.html#top", "{0}.html", "http://b.test/{0}", "//b.test/{0}?x"),
    *("?n={0}", "#here", "/caf\u00e9/{0}", "/image/{0}.png", "/a%7eb/{0}"),
)


def site(chance):
    """Path -> the hrefs of the page. All are of one pattern: what their contents have in common is compared."""
    numbers = range(PAGES)
    pages = {f"/page/{number}.html": [] for number in numbers}
    for hrefs in pages.values():
        hrefs += [chance.choice(HREFS).format(chance.choice(numbers)) for _ in range(20)]
        hrefs.append(chance.choice(list(pages)))
    pages["/"] = list(pages)
    return pages


def html(hrefs):
    links = [f'<img src="{href}">' if "image" in href else f'<a href="{href}">to {href}</a>' for href in hrefs]
    return f"<!doctype html><title>a page</title><meta charset=utf-8><nav>{''.join(links)}</nav>".encode()


def targets(url, hrefs):
    """The URLs to which a page leads, by another URL parser than the crawler's, which escapes as the crawler does."""
    joined = (urldefrag(urljoin(url, href)).url.replace("\u00e9", "%C3%A9").replace("%7e", "~") for href in hrefs)
    return {each for each in joined if each != url}


@pytest.mark.slow
@pytest.mark.usefixtures("reader")
def test_every_link_of_every_page_is_a_url(tmp_path):
    pages = site(random.Random(40))
    answers = {("a.test", path): Answer(body=html(hrefs)) for path, hrefs in pages.items()}
    with Web(answers) as web:
        sent = {web.url("a.test", path): hrefs for path, hrefs in pages.items()}
        crawled = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
        fetched = {hit.path for hit in web.log() if hit.status == 200}
    assert crawled.status == 0 and fetched >= set(pages)
    stored = dict[str, set[str]]()
    for source, target in crawled.query(
        "SELECT source.url, target.url FROM outlinks JOIN url AS source ON source.id = outlinks.source,"
        " json_each(outlinks.targets) AS each LEFT JOIN url AS target ON target.key = each.value"
    ):
        stored.setdefault(source, set()).add(target)
    assert {url: stored.get(url, set()) for url in sent} == {url: targets(url, hrefs) for url, hrefs in sent.items()}
    assert verified(crawled.directory) == ""
