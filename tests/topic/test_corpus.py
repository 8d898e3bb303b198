"""Labelled pages: which are used, and which n-grams."""

import pytest

from tests.topic.pages import corpus_of, labelled
from ttcrawl.topic.model import LONGEST
from ttcrawl.topic.page import Page


def test_repeated_and_contradictory_pages():
    pages = [
        *((True, Page(text="a b")), (True, Page(text="A  b!")), (False, Page(text="c")), (True, Page(text="c"))),
        *((False, Page(text="c")), (True, Page()), (False, Page(text="... -")), (False, Page(text="d"))),
        (True, Page(text="x" * (LONGEST + 1))),
    ]
    with corpus_of(iter(pages)) as corpus:
        assert corpus.counts == (1, 1)
        assert (corpus.repeated, corpus.contradictory, corpus.without_words) == (3, 1, 3)


def test_ngrams_of_parts_and_separators():
    page = Page(
        title="one two", metadata=(("description", "two"),), headings=("three", "one"), text="one - two one two"
    )
    pages = [
        (label, Page(title=page.title, headings=page.headings, text=f"{page.text} {label}")) for label in (True, False)
    ]
    with corpus_of(iter([*pages, (True, page)]), 3) as corpus:
        assert set(corpus.vectors().ngrams) == {
            *("one", "two", "three", "one two", "two one", "two one two"),
        }


@pytest.mark.parametrize("text", ["机器学习", "Straße STRASSE", "cafe\u0301 café", "\ud800 x", "a\0b"])
def test_all_scripts(text):
    pages = [(label, Page(text=f"{text} / {more}")) for label, more in ((True, "p"), (False, "q"))]
    with corpus_of(iter(pages)) as corpus:
        assert corpus.vectors().ngrams


def test_no_word_is_on_two_pages():
    with corpus_of(iter([(True, Page(text="a")), (False, Page(text="b"))])) as corpus, pytest.raises(ValueError):
        corpus.vectors()


def test_frequent_ngrams_are_counted_in_little_memory():
    with corpus_of(labelled(200)) as corpus, corpus_of(labelled(200), counted=300) as small:
        exact, lossy = corpus.vectors(), small.vectors()
    frequent = {text for text, idf in zip(exact.ngrams, exact.idf, strict=True) if idf < 2}
    assert len(frequent) > 10 and frequent <= set(lossy.ngrams) <= set(exact.ngrams)
    assert len(lossy.ngrams) <= 300 < len(exact.ngrams)
