"""Dates and authors of the page itself, where cited works, comments and lists have theirs too."""

from __future__ import annotations

import itertools
import json

import pytest

from tests.read.metadata_of import ld, metadata_of

OWN = {"@type": "Article", "author": {"name": "Own"}, "datePublished": "2026-01-02", "dateModified": "2026-01-03"}
OTHER = {"author": {"name": "Other"}, "datePublished": "1990-05-06", "dateModified": "1990-05-07", "keywords": "other"}
PAGE = {"@type": "WebPage", "@id": "/x/#page", "datePublished": "2026-01-02", "author": "Own"}
CITED = {"@id": "http://b.test/book", "@type": "Article", **OTHER}


def other(kind: str, **more: object) -> dict[str, object]:
    return {"@type": kind, **OTHER, **more}


#: What stands in one script, in whichever order: (own, others)
NOT_OWN = [
    ([OWN], [other("Book")]),
    ([OWN], [other("Comment"), other("UserComments")]),
    ([OWN], [other("Review"), other("Product")]),
    ([OWN], [other("WebSite"), other("ImageObject"), other("VideoObject"), other("Organization")]),
    ([OWN], [{"@type": "BreadcrumbList", "itemListElement": [other("ListItem")]}, other("ItemList")]),
    ([OWN | {"@type": ["http://schema.org/BlogPosting", "Thing"]}], [other("schema:Book")]),
    ([PAGE], [other("Book"), other("Product")]),
    ([{**PAGE, "mainEntity": {**OWN, "@type": "Dataset"}}], [other("Article")]),
    (
        [{"@type": "WebPage", "mainEntity": {"@id": "#it"}}, {**OWN, "@id": "#it", "@type": "Recipe"}],
        [other("Article")],
    ),
    ([{**OWN, "mainEntityOfPage": "http://a.test/x/"}], [other("NewsArticle")]),
    ([{**OWN, "@type": "Recipe", "mainEntityOfPage": {"@type": "WebPage"}}], [other("Article")]),
    ([{**OWN, "citation": {"@id": CITED["@id"]}}], [CITED]),
    ([{**OWN, "isBasedOn": CITED["@id"]}], [CITED]),
    ([{**OWN, "mentions": ["x", {"@id": CITED["@id"]}]}], [CITED]),
    ([{**OWN, "@type": "Recipe"}], [other("Comment")]),
    ([{"author": "Own", "datePublished": "2026-01-02"}], [other("Comment")]),
]


@pytest.mark.parametrize(("own", "others"), NOT_OWN)
def test_things_beside_the_page(own: list[dict[str, object]], others: list[dict[str, object]]) -> None:
    for order in itertools.permutations([*own, *others]):
        for html in (ld(**{"@graph": list(order)}), "".join(ld(**each) for each in order), script(list(order))):
            found = metadata_of(html)
            assert (found.author, found.published, found.keywords) == ("Own", "2026-01-02", ""), order


def script(value: object) -> str:
    return f"<script type=application/ld+json>{json.dumps(value)}</script>"


NESTED = ("citation", "isBasedOn", "mentions", "comment", "review", "itemReviewed", "hasPart", "isPartOf", "about")


@pytest.mark.parametrize("name", NESTED)
def test_things_within_the_page(name: str) -> None:
    """Before it and behind it, alone and in a list; and where the page itself says nothing they say nothing of it."""
    for inside in (other("Article"), [other("Comment"), other("Book")]):
        for thing in ({name: inside, **OWN}, {**OWN, name: inside}):
            found = metadata_of(ld(**thing))
            assert (found.author, found.published, found.modified) == ("Own", "2026-01-02", "2026-01-03")
        found = metadata_of(ld(**{"@type": "Article", name: inside}))
        assert (found.author, found.published, found.modified) == ("", "", "")


def test_what_the_article_leaves_open_its_page_says_and_no_other_work() -> None:
    article = {"@type": "Article", "author": "Own"}
    assert metadata_of(ld(**{"@graph": [other("Book"), PAGE, article]})).published == "2026-01-02"
    found = metadata_of(ld(**{"@graph": [article, other("Article"), other("Book")]}))
    assert (found.author, found.published) == ("Own", "")


@pytest.mark.parametrize("kind", ["Review", "VideoObject", "WebSite", "Book"])
def test_the_only_thing_of_a_page_is_believed(kind: str) -> None:
    found = metadata_of(script([{"@type": "BreadcrumbList"}, {"@type": "Organization", "name": "x"}, other(kind)]))
    assert (found.author, found.published) == ("Other", "1990-05-06")


ITEM = "<div itemscope itemtype=https://schema.org/Article>{}</div>"
SAYS = (
    "<meta itemprop=author content={0}><meta itemprop=datePublished content={1}><meta itemprop=description content={0}>"
)
FOREIGN = (
    "<span itemprop='{}' itemscope itemtype=https://schema.org/{}><p>"
    + SAYS.format("Other", "1990-05-06")
    + "</p></span>"
)
TIMES = "<time itemprop=datePublished datetime={0}>{0}</time>"


@pytest.mark.parametrize(
    ("name", "kind"),
    [("citation", "Book"), ("comment", "Comment"), ("review", "Review"), ("isBasedOn mentions", "Article")],
)
def test_items_within_items(name: str, kind: str) -> None:
    own, foreign = SAYS.format("Own", "2026-01-02"), FOREIGN.format(name, kind)
    for html in (ITEM.format(foreign + own), ITEM.format(own + foreign)):
        found = metadata_of(html)
        assert (found.author, found.published, found.description) == ("Own", "2026-01-02", "Own")
    assert metadata_of(ITEM.format(foreign)).published == ""
    # JSON-LD is the page's own
    assert metadata_of(ITEM.format(foreign) + ld(**OWN)).published == "2026-01-02"


def test_times_within_items() -> None:
    foreign = f"<b itemprop=comment itemscope><i>{TIMES.format('1990-05-06')}</i></b>"
    assert metadata_of(ITEM.format(foreign + TIMES.format("2026-01-02"))).published == "2026-01-02"
    assert metadata_of(ITEM.format(f"<i>{foreign}</i>")).published == ""
    comment = f"<div itemscope itemtype='http://schema.org/Comment'>{TIMES.format('1990-05-06')}</div>"
    assert metadata_of(comment + TIMES.format("2026-01-02")).published == "2026-01-02"


@pytest.mark.parametrize("name", ["mainEntity", "mainEntityOfPage", "blogPost", "BlogPost x", "blogPosts"])
def test_the_main_item_of_an_item(name: str) -> None:
    html = f"<div itemscope itemtype=http://schema.org/Blog><p itemprop='{name}' itemscope>{TIMES.format('2026-01-02')}"
    assert metadata_of(html + SAYS.format("Own", "2026")).published == "2026"
    assert metadata_of(html).published == "2026-01-02"
