"""html5lib's own data of tree construction (tree_construction/, with its licence): both trees give the same links.

Hardly a document of it has a link, so each is also read with one on every start tag: an href, a src, a relation and a
handler, all different.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter

import pytest

from tests.parse.documents import documents
from ttcrawl.parse.links.extract import Extraction, extract
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.vocabulary.kind import LETTERS

URL = "http://example.com/dir/page.html"
WANTED = Wanted(kinds=frozenset(map(ord, LETTERS.values())))
_START_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9]*)(?=[\s/>])")

#: What a document has in it on which html5lib 1.1 (of 2020) follows other rules than the standard of today.
OUTDATED = {
    "<template": "it does not know the element, whose contents are no part of the document (13.2.6.4.22)",
    "<select": "since 2025 a select takes nearly every element (13.2.6.4.7), which it drops",
    "<isindex": "the standard has no rule for it any more; it turns it into a form",
}


def with_links(document: str) -> str:
    number = itertools.count()

    def tag(match: re.Match[str]) -> str:
        n = next(number)
        return f"<{match[1]} href=h{n} src=s{n} rel=next onclick=\"location='l{n}'\""

    return _START_TAG.sub(tag, document)


def links(page: Extraction) -> set[tuple[str, str]]:
    return set(zip(page.kinds.decode(), page.hrefs, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("prepared", [str, with_links], ids=["as it is", "with links"])
def test_both_trees_give_the_same_set(prepared: type[str]) -> None:
    compared, different = 0, Counter[str]()
    for document in documents():
        html = prepared(document).encode()
        ours, reference = extract(html, URL, wanted=WANTED), extract(html, URL, "html5lib", WANTED)
        assert (ours.parser, reference.parser) == ("lexbor", "html5lib"), document
        compared += len(links(ours))
        if (links(ours), ours.base) != (links(reference), reference.base):
            lower = document.lower()
            different[next((why for why in OUTDATED if why in lower), document)] += 1
    expected = {"<template": 107, "<select": 13, "<isindex": 1} if prepared is with_links else {}
    assert (compared, different) == (3648 if prepared is with_links else 12, expected)


def test_what_the_regular_expression_makes_of_them() -> None:
    """Of the kinds it looks for: links in what is text, a comment or a template; none is lost."""
    false, missing, found = Counter[str](), 0, 0
    for document in documents():
        html = with_links(document).encode()
        tree, source = extract(html, URL, wanted=WANTED), extract(html, URL, "regex")
        of_tree = {href for kind, href in links(tree) if kind in "amfiDr"}
        found += len(of_tree)
        missing += len(of_tree - set(source.hrefs))
        for _ in set(source.hrefs) - of_tree:
            false[_why(document.lower())] += 1
    assert (found, missing) == (95, 0)
    assert false == {"<!--": 2, "<noframes": 1, "<template": 7}


def _why(document: str) -> str:
    names = ("<!--", "<template", "<script", "<style", "<textarea", "<title", "<noframes", "<plaintext", "<iframe")
    return next((each for each in (*names, "<frame", "<svg", "<math", "<select") if each in document), document)
