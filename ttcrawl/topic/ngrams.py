"""The words and n-grams of a page that a classifier counts.

The words are those of term lists. Words of different parts of the page make no n-gram, nor do words with a lone
separator between them.
"""

from __future__ import annotations

from itertools import chain

from ttcrawl.topic.page import Page
from ttcrawl.topic.words import folded

#: Words of the longest n-gram, at most; characters of a word: longer ones are no words, but data.
MOST, LONGEST = 3, 100


def sequence(page: Page) -> list[str]:
    """Return the words of a page in order, with / between its parts.

    >>> sequence(Page(title="Sundews", text="They eat - insects"))
    ['sundews', '/', 'they', 'eat', '-', 'insects']
    """
    contents = (content for _, content in page.metadata)
    return folded(" / ".join(filter(None, chain((page.title,), contents, page.headings, (page.text,))))).split()


def is_word(text: str) -> bool:
    return len(text) <= LONGEST and any(map(str.isalnum, text))
