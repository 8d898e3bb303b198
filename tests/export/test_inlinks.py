"""The links to each page, sorted by target, are those of the pages that link to it."""

import pytest

from tests.support.crawls.crawl_db import crawl_of
from tests.support.crawls.crawling import crawl as run_crawl
from tests.support.web.site import Answer, Web
from ttcrawl.export.inlinks import Inlinks
from ttcrawl.output.steps import silent
from ttcrawl.snapshot.snapshot import view

PAGES = 12


@pytest.fixture(scope="module")
def linked(tmp_path_factory):
    """Each page links to itself, to all others (twice to the next one), and to one that was not fetched."""
    paths = [f"/{number}" for number in range(PAGES)]
    pages = {
        ("a.test", path): Answer(
            body="".join(
                [f"<a href={each}>from {path} to {each}</a>" for each in paths]
                + [
                    f"<a href={paths[(number + 1) % PAGES]}>again</a><a href={paths[0]}></a><a href=http://b.test/>b</a>"
                ]
            ).encode()
        )
        for number, path in enumerate(paths)
    }
    directory = tmp_path_factory.mktemp("inlinks") / "crawl"
    with Web(pages) as web:
        done = run_crawl(web, web.url("a.test", "/0"), directory, "--no-obey-delay")
        assert done.status == 0, done.err
    return directory


def expected(db):
    """Id of a page -> the links to it, by another path: from the view of all links."""
    links = {id: [] for (id,) in db.execute("SELECT url FROM page ORDER BY url")}
    rows = db.execute(
        "SELECT target.id, source.url, link.kind, link.anchor FROM link JOIN url AS source ON source.id = link.source"
        " JOIN url AS target ON target.key = link.target WHERE link.anchor != '' AND link.source != target.id"
        " ORDER BY link.source, link.position"
    )
    for id, *link in rows:
        if id in links:
            links[id].append(tuple(link))
    return links


@pytest.mark.slow
def test_the_links_to_each_page(linked):
    with view(linked) as db:
        inlinks = Inlinks(db, silent)
        links = expected(db)
        assert {id: list(inlinks.of(id)) for id in links} == links
    counts = sorted(len(each) for each in links.values())
    assert counts[-PAGES:] == [PAGES] * PAGES


def test_pages_may_be_left_out(linked):
    with view(linked) as db:
        inlinks, links = Inlinks(db, silent), expected(db)
        chosen = list(links)[1::3]
        assert [list(inlinks.of(id)) for id in chosen] == [links[id] for id in chosen]


def test_its_progress_is_told(linked):
    steps = []
    with view(linked) as db:
        Inlinks(db, lambda *step: steps.append(step))
    assert steps == [("links", 0, PAGES)]


def test_a_crawl_without_texts_of_links(tmp_path):
    with view(crawl_of(tmp_path / "c", {"http://a.test/": ["http://a.test/b"], "http://a.test/b": []})) as db:
        assert list(Inlinks(db, silent).of(2)) == []
