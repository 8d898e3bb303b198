"""What a page says of itself: who is believed where several speak."""

from __future__ import annotations

import json
import zlib

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.read.metadata_of import URL, ld, metadata_of
from ttcrawl import config
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.read.dates import iso
from ttcrawl.read.declared_language import primary
from ttcrawl.read.jsonld import LONGEST, stated
from ttcrawl.read.language import detected
from ttcrawl.read.page import of_text, read_page
from ttcrawl.read.regions import FLAG


def meta(**named: str) -> str:
    return "".join(f'<meta name="{name.replace("_", ".")}" content="{content}">' for name, content in named.items())


FIELDS = [
    ("description", meta(description=" A\n page "), "A page"),
    ("description", meta(Description="A"), "A"),
    ("description", "<meta property=og:description content=B>" + meta(description="A"), "A"),
    ("description", "<meta property=og:description content=B><meta name=description content=''>", "B"),
    ("description", meta(dcterms_description="A"), "A"),
    ("description", "<meta name=description>", ""),
    ("description", meta(description="A") + meta(description="B"), "A"),
    ("keywords", "".join(f"<meta name=dc.subject content={word}>" for word in "xyx"), "x; y"),
    ("keywords", meta(keywords="a, b"), "a, b"),
    ("keywords", ld(keywords=["a", "b"]), "a, b"),
    ("author", meta(author="A"), "A"),
    ("author", "<meta property=article:author content=https://x.test/a><meta name=dc.creator content=B>", "B"),
    ("author", "<meta property=article:author content=https://x.test/a>", ""),
    ("author", "<meta property=article:author content=https://x.test/a>" + ld(author="A"), "A"),
    ("author", ld(author="https://x.test/a", creator="A"), "A"),
    ("author", meta(author="https://x.test/a") + meta(author="A"), "A"),
    ("author", '<script type=application/ld+json>\ufeff{"author": "A"}</script>', "A"),
    ("author", '<script type=application/ld+json>{"author": "A"};\n</script>', "A"),
    ("author", '<script type=application/ld+json>\ufeff//<![CDATA[\n{"author": "A"};\n//]]></script>', "A"),
    ("author", "".join(f"<meta name=citation_author content='{a}'>" for a in ("B, A", "D, C", "B, A")), "B, A; D, C"),
    ("author", meta(author="A", dc_creator="B") + meta(dc_creator="C"), "A"),
    ("author", '<script type=application/ld+json>//<![CDATA[\n{"author": "A"}\n//]]></script>', "A"),
    ("author", '<script type=application/ld+json><!--\n{"author": "A"}\n--></script>', "A"),
    ("author", ld(author={"@type": "Person", "name": "A"}), "A"),
    ("author", ld(author=[{"name": "A"}, {"name": "B"}, "C"]), "A, B, C"),
    ("author", ld(**{"@graph": [{"@type": "WebSite"}, {"author": "A"}]}), "A"),
    ("author", ld(**{"@graph": [{"@type": "Article", "author": {"@id": "#a"}}, {"@id": "#a", "name": "A"}]}), "A"),
    ("author", ld(author=[{"@id": "#a"}, {"@id": ["#a"]}]) + ld(**{"@type": "Person", "@id": "#a", "name": "A"}), "A"),
    ("author", ld(author={"@id": "#a"}), ""),
    ("author", ld(author="A") + meta(author="B"), "B"),
    ("author", "<script type=application/ld+json>{no json</script>", ""),
    ("author", '<script type=application/ld+json>{"text": "two\nlines", "author": "A"}</script>', "A"),
    (
        "published",
        "<meta property=article:published_time content=2026-11-21T10:00:00+01:00>",
        "2026-11-21T10:00:00+01:00",
    ),
    ("published", meta(date="21 November 2026"), "2026-11-21"),
    ("published", meta(date="soon") + ld(datePublished="2026-11-21"), "2026-11-21"),
    ("published", "<time datetime=2026-11-21 pubdate>x</time>", "2026-11-21"),
    (
        "published",
        "<time datetime=2026-11-20 itemprop=datePublished></time><time datetime=2026 pubdate>",
        "2026-11-20",
    ),
    ("published", "<time datetime=2026-11-21>the day of something else</time>", ""),
    ("published", "<meta itemprop=datePublished content=2026>", "2026"),
    ("modified", "<meta http-equiv=last-modified content='Sat, 21 Nov 2026 10:00:00 GMT'>", "2026-11-21T10:00:00Z"),
    ("modified", "<meta property=og:updated_time content=2026-11-21>" + ld(dateModified="2025-01-01"), "2026-11-21"),
    ("modified", "<time class='entry updated' datetime=2026-11-21></time>", "2026-11-21"),
    ("modified", "<time class=updated datetime=2026-11-21 hidden>x</time>", "2026-11-21"),
    ("published", "<p hidden><time pubdate datetime=2026-11-21>x</time>", "2026-11-21"),
    ("headings", "<h1>A</h1><h3>B <i>c</i></h3><h2> </h2>", '[[1, "A"], [3, "B c"]]'),
    ("headings", "<h1>Foo<br>bar¶</h1>", '[[1, "Foo bar"]]'),
    (
        "headings",
        "<h1>A</h1><h2 hidden>B</h2><div style='display:none'><b><h3>C</h3></b></div><h2>D</h2>",
        '[[1, "A"], [2, "D"]]',
    ),
    ("headings", "<h1><svg><title>x</title></svg>A</h1>", '[[1, "A"]]'),
    ("headings", "<body style='display:none'><h1>A</h1><h2 hidden>B</h2>", '[[1, "A"]]'),
    ("declared_language", "<html lang=de hidden>", "de"),
    ("declared_language", "<html lang=en-GB>", "en-GB"),
    ("declared_language", "<html xml:lang=de>", "de"),
    ("declared_language", "<html lang=''><meta http-equiv=Content-Language content=fr>", "fr"),
    ("language", "<html lang=EN_gb>", "en"),
    ("language", "<html lang=nonsense>", ""),
    ("canonical", "<link rel=canonical href=../y#z>", "http://a.test/y"),
    ("canonical", "<link rel='Canonical nofollow' href=HTTP://B.test>", "http://b.test/"),
    ("canonical", "<link rel=canonical href=javascript:x><link rel=canonical href=y>", ""),
    ("canonical", "<link rel=canonical><link rel=canonical href=y>", "http://a.test/x/y"),
    ("open_graph", "<meta property=og:title content=A><meta property=og:title content=B>", '{"og:title": "A"}'),
    ("open_graph", "<meta property=article:tag content=é><meta name=twitter:card content=x>", '{"article:tag": "é"}'),
]


@pytest.mark.parametrize(("field", "html", "expected"), FIELDS)
def test_fields(field, html, expected):
    assert getattr(metadata_of(html), field) == expected


def test_texts_are_json_as_its_encoder_writes_it():
    text = '\\ / "q" \x7f \u2028 é 😀 \t.'
    found = metadata_of(f"<h1>{text}</h1><h2>B</h2><meta property='og:{text[:9]}' content='{text}'>")
    for field in (found.headings, found.open_graph):
        assert field == json.dumps(json.loads(field), ensure_ascii=False) and "q" in field


def test_headers_speak_where_the_page_does_not():
    modified = "Sat, 21 Nov 2026 10:00:00 GMT"
    found = metadata_of("<p>", last_modified=modified, content_language="de-AT")
    assert (found.modified, found.declared_language) == ("2026-11-21T10:00:00Z", "de-AT")
    page = "<html lang=fr><meta name=last-modified content=2025-01-01><link rel=canonical href=/c>"
    found = metadata_of(page, last_modified=modified, content_language="de-AT")
    assert (found.modified, found.declared_language, found.canonical) == ("2025-01-01", "fr", "http://a.test/c")


@pytest.mark.slow
def test_everything_is_bounded():
    long = "x" * 100_000
    page = meta(description=long, keywords=long, author=long) + f"<html lang='{long}'>" + f"<h1>{long}</h1>" * 1000
    page += "".join(f"<meta property='og:{i}{long[:2000]}' content={long[:2000]}>" for i in range(500))
    found = metadata_of(page)
    assert len(found.description) == len(found.keywords) == 1000 and len(found.author) == 300
    assert len(json.loads(found.headings)) == 200 and len(json.loads(found.open_graph)) == 60
    assert len(found.headings) + len(found.open_graph) < 120_000


DATES = [
    ("2026", "2026"),
    ("2026-11", "2026-11"),
    ("2026-11-21", "2026-11-21"),
    ("20261121", "2026-11-21"),
    ("2026-11-21T10:11", "2026-11-21T10:11:00"),
    ("2026-11-21 10:11:12", "2026-11-21T10:11:12"),
    ("2026-11-21T10:11:12.345Z", "2026-11-21T10:11:12Z"),
    ("2026-11-21T10:11:12+0130", "2026-11-21T10:11:12+01:30"),
    ("2026-11-21T10:11:12-08", "2026-11-21T10:11:12-08:00"),
    ("20261121T101112Z", "2026-11-21T10:11:12Z"),
    (" 2026/1/2 ", "2026-01-02"),
    ("2026.01.02", "2026-01-02"),
    ("Sat, 21 Nov 2026 10:11:12 GMT", "2026-11-21T10:11:12Z"),
    ("Sat, 21 Nov 2026 10:11:12 +0200", "2026-11-21T08:11:12Z"),
    ("Saturday, 21-Nov-26 10:11:12 GMT", "2026-11-21T10:11:12Z"),
    ("21 November 2026", "2026-11-21"),
    ("Nov 21, 2026", "2026-11-21"),
    ("November 21st, 2026", "2026-11-21"),
    ("November 2026", "2026-11"),
    ("", ""),
    ("soon", ""),
    ("0000-00-00", ""),
    ("2026-13-01", ""),
    ("2026-02-30", ""),
    ("2026-11-21T25:00", ""),
    ("1066-10-14", ""),
    ("9999-01-01", ""),
    ("01/02/2026", ""),  # of January or of February
    ("Foober 3, 2026", ""),
    ("٢٠٢٦-١١-٢١", ""),
    ("1795255200", ""),
    ("2026-11-21" * 9, ""),
    ("\ud800", ""),
]


@pytest.mark.parametrize(("text", "expected"), DATES)
def test_iso(text, expected):
    assert iso(text) == expected


def test_json_ld_of_a_hostile_page():
    assert stated(["[" * 100_000, '{"a":' * 50_000, "null", "1", '"x"', '[[{"author":"A"}]]']) == {"author": "A"}
    assert stated([json.dumps({"author": "A" * LONGEST})]) == {}
    assert stated([json.dumps({"@graph": [{}] * 5000 + [{"author": "A"}]})]) == {}


LANGUAGES = [
    ("en", "All human beings are born free and equal in dignity and rights. They are endowed with reason."),
    ("de", "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft begabt."),
    ("fr", "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison."),
    ("ru", "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом."),
    (
        "ja",
        "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    ),
    ("el", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι."),
]


@pytest.mark.parametrize(("language", "text"), LANGUAGES)
def test_language(language, text):
    found, confidence = detected(text * 4)
    assert found == language and confidence > 0.8
    record, _, _ = of_text(text * 4, None, config.Record())
    assert (record.language, record.confidence) == (language, confidence)


def test_language_is_the_declared_one_where_the_text_says_little():
    found, _, _ = read_page(LexborHTMLParser("<html lang=de><p>Hallo"), b"", {}, (), str, config.Record())
    assert (found.language, found.declared_language, found.confidence) == ("de", "de", 0.0)
    assert detected("") == detected("{}" * 10) == ("", 0.0)
    assert detected("0123456789 " * 100)[1] < 0.8


@pytest.mark.parametrize(
    ("tag", "expected"), [("en-GB", "en"), ("zh_Hant", "zh"), ("x-klingon", ""), ("", ""), ("ENG", "eng")]
)
def test_primary(tag, expected):
    assert primary(tag) == expected


PAGE = "<html lang=en><title>T</title><meta name=description content=D><nav>menu</nav><p>" + LANGUAGES[0][1] * 4
OFF = {"metadata": False, "text": False, "main": False, "language": False}


def test_what_is_switched_off_is_not_there():
    def read(**on: bool):
        return read_page(LexborHTMLParser(PAGE), PAGE.encode(), {}, (), str, config.Record(**OFF | on))[:2]

    assert read() == (None, None)
    found, text = read(metadata=True)
    assert text is None and (found.description, found.words, found.confidence) == ("D", 0, 0.0)
    found, text = read(text=True)
    assert text.main is None and text.main_size == 0 and found.words == 66 and found.description == ""
    found, text = read(main=True)
    assert text is None and (found.words, found.main_words) == (66, 65)
    found, text = read(language=True)
    assert text is None and found.language == "en"


MARKED = (
    """[<meta name=description content="A <b class=x> page"><meta property=og:title content="<i > og">
<link rel=canonical href="/c?<b >"><script type=application/ld+json>{"keywords": "<u >", "author": "<s > A"}</script>
<h1>H <textarea><b>x</b></textarea></h1><h2><pre>code</pre></h2><p lang="<b>">some <xmp><i>raw</i></xmp>"""
    "<textarea><p>deep</p></textarea><noscript><p>n</p></noscript>]"
)


def test_marks_of_content_regions_are_in_no_text():
    wanted = Wanted(markers=(b"[", b"]"), anchors=True)
    page = extract(MARKED.encode(), URL, "lexbor", wanted)
    found, text, _ = read_page(page.tree, MARKED.encode(), {}, (), str, config.Record())
    assert FLAG not in repr(found) and FLAG not in zlib.decompress(text.packed).decode()
    assert found.description == "A <b class=x> page" and found.author == "<s > A"
    assert json.loads(found.headings) == [[1, "H <b>x</b>"], [2, "code"]]
    assert "<p>deep</p>" in zlib.decompress(text.packed).decode().splitlines()
