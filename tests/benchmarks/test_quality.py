"""The scores of what is read: the manual has what the program writes, and each way of scoring counts as it says."""

import json
from types import SimpleNamespace

import pytest

from benchmarks.quality.prose import chapters
from benchmarks.quality.scores import f1, wilson


def test_the_manual_has_the_tables_of_what_was_measured():
    from benchmarks.quality import page

    text = page.MANUAL.read_text(encoding="utf-8")
    assert text.partition(page.BEGIN)[2].partition(page.END)[0] == page.tables(page.measured()) + "\n"


@pytest.mark.parametrize(
    "text, true, neither, expected",
    [
        ("a b c", "a b c", "", 1),
        ("a b", "c d", "", 0),
        ("a b c d", "a b", "", 2 / 3),
        ("title a b", "a b", "title", 1),
        ("a b", "title a b", "title", 4 / 5),  # what is in the true text is missed though a title has it too
        ("猫が", "猫", "", 2 / 3),
    ],
)
def test_f1(text, true, neither, expected):
    assert f1(text, true, neither) == pytest.approx(expected)


@pytest.mark.parametrize(
    "right, count, low, high",
    [(0, 0, 0, 1), (0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (50, 100, 0.4038, 0.5962), (81, 263, 0.2553, 0.3662)],
)
def test_wilson(right, count, low, high):
    """The last is the example of Newcombe (1998), Statistics in Medicine 17, table I."""
    assert wilson(right, count) == pytest.approx((low, high), abs=1e-4)


BOOK = """<title>1.2. {0}</title><div class="section"><div class="titlepage"><h2 class="title">1.2. {0}</h2></div>
<div class="para">{1} <a href="/x">{2}</a></div><div class="sidebar"><div class="para">box</div></div>
<div class="para">the same</div><ul><li><div class="para">item</div></li></ul><pre>a &lt; b</pre></div>"""


def test_prose_is_what_is_translated(tmp_path):
    for language, words in (("en-US", ("Heading", "text", "link")), ("de-DE", ("Titel", "Text", "Verweis"))):
        (tmp_path / language).mkdir()
        (tmp_path / language / "one.html").write_text(BOOK.format(*words))
    (chapter,) = chapters(tmp_path, "de-DE")
    assert chapter.title == "Titel"
    assert [each.html for each in chapter.blocks] == ['<p>Text <a href="/x">Verweis</a></p>', "<pre>a &lt; b</pre>"]
    (original,) = chapters(tmp_path, "en-US")
    assert [each.text for each in original.blocks] == ["text link", "the same", "item", "a < b"]


def test_every_page_of_a_site_has_its_article_once(tmp_path):
    """In the order of its blocks, and with all that stands around it."""
    from benchmarks.quality import articles

    interface = json.loads((articles.ROOM / "interface.json").read_text(encoding="utf-8"))
    assert interface.keys() == articles.LANGUAGES.keys()
    assert all(each.keys() == interface["en"].keys() and len(each["topics"]) == 8 for each in interface.values())
    languages = {"ar": articles.LANGUAGES["ar"], "en": "en-US"}
    for language in languages.values():
        (tmp_path / articles.DIRECTORY / language).mkdir(parents=True)
        for number in range(20):
            blocks = "".join(f'<div class="para">{language}{number} {"word " * 60}end</div>' for _ in range(5))
            heading = f'<div class="titlepage"><h2 class="title">{number}</h2></div>'
            page_of_book = f'<title>{number}</title><div class="section">{heading}{blocks}</div>'
            (tmp_path / articles.DIRECTORY / language / f"{number}.html").write_text(page_of_book)
    made = list(articles.articles(SimpleNamespace(debian=lambda name: tmp_path), languages))
    assert len(articles.TEMPLATES) * len(articles.LANGUAGES) == 150
    assert len(made) == 2 * len(articles.TEMPLATES) == len({(each.language, each.template) for each in made})
    for each in made:
        html, body = each.html.decode(), each.text.split("\n")
        assert all(line in html for line in body) and interface[each.language]["topics"][2] in html, each.template
        assert "{{" not in html and "{%" not in html


def test_sites_are_distinct():
    from benchmarks.quality.sites import SITES

    assert len({each.name for each in SITES}) == len(SITES) >= 8
    assert len({(each.package, each.directory) for each in SITES}) == len(SITES)
