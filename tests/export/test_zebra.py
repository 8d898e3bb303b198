"""What Zebra finds in an export: topics, and what has changed since a moment."""

import xml.etree.ElementTree as ElementTree

import pytest

from tests.export.alvis_documents import NS, schema
from tests.support.crawls import zebra
from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web, page
from ttcrawl.cli import main

#: A list, and pages about its classes and about nothing of it.
TERMS = r"""40: carnivorous plant[^\s]*=CP
75: drosera=CP.Drosera
40: sundew[^\s]*=CP.Drosera
30: bog @and insects=CP
"""
PAGES = {
    ("a.test", "/"): Answer(body=page("/sundew", "/dull", content="<p>carnivorous plants of a bog eat insects " * 3)),
    ("a.test", "/sundew"): Answer(body=page(content="<p>sundews are drosera", title="drosera")),
    ("a.test", "/dull"): Answer(body=page(content="<p>The pitcher plays baseball.")),
}


@pytest.fixture(scope="module")
def topical(tmp_path_factory):
    """(Port of the web, crawl of PAGES, its export)."""
    directory = tmp_path_factory.mktemp("topical")
    (directory / "terms.txt").write_text(TERMS)
    with Web(PAGES) as web:
        options = ("--no-obey-delay", "--inline", "--set", f"topic.terms={directory / 'terms.txt'}")
        options += ("--set", "topic.compatible=yes", "--set", "topic.tunnel=-1")
        done = crawl(web, web.url("a.test", "/"), directory / "crawl", *options)
        assert done.status == 0, done.err
        assert main(["export", str(done.directory), "--format", "alvis", "-o", str(directory / "pages.xml")]) == 0
        yield web, done, directory / "pages.xml"


def topics_of(file):
    """URL -> [(class, absolute score, relative score, terms)]."""
    return {
        document.findtext(f".//{NS}url"): [
            (
                each.findtext(f"{NS}class"),
                *(int(each.get(f"{name}Score")) for name in ("absolute", "relative")),
                [term.text for term in each.iter(f"{NS}terms")],
            )
            for each in document.iter(f"{NS}topic")
        ]
        for document in ElementTree.parse(file).getroot()
    }


def test_topics_are_in_the_export(topical):
    """By hand: / has 23 words. The words of /sundew, 3, have 115 points, its title has 75 ten times, for one word."""
    web, _, file = topical
    assert topics_of(file) == {
        web.url("a.test", "/"): [
            ("ALL", 250, 10870, []),
            ("CP", 210, 9130, ["bog, insect", "carnivorous plant"]),
            ("CP.Drosera", 40, 1739, ["sundew"]),
        ],
        web.url("a.test", "/sundew"): [
            ("ALL", 865, 788333, []),
            ("CP.Drosera", 865, 788333, ["drosera", "sundew"]),
        ],
        web.url("a.test", "/dull"): [],
    }
    schema().validate(file)


FOUND = {
    "@attr 1=topic drosera": ["/", "/sundew"],
    "@attr 1=topic cp": ["/", "/sundew"],
    "@attr 1=topic @attr 4=3 CP": ["/"],
    "@attr 1=topic @attr 4=3 ALL": ["/", "/sundew"],
    "@attr 1=term bog": ["/"],
    "@attr 1=score @attr 4=109 @attr 2=4 251": ["/sundew"],
    "@attr 1=score @attr 4=109 @attr 2=2 250": ["/"],
    "@attr 1=any bog": ["/"],
    "@or @attr 1=topic cp @attr 7=2 @attr 1=score 0": ["/sundew", "/"],
    "@or @attr 1=topic cp @attr 7=1 @attr 1=score 0": ["/", "/sundew"],
}


@pytest.mark.slow
def test_topics_are_in_the_index(topical, tmp_path):
    web, _, file = topical
    zebra.index(tmp_path / "zebra", file)
    with zebra.served(tmp_path / "zebra") as port:
        found = {query: zebra.urls(port, query) for query in FOUND}
    assert found == {query: [web.url("a.test", path) for path in paths] for query, paths in FOUND.items()}
