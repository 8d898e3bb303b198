"""The words and n-grams of a page that a classifier counts.

Words are as in term lists. Words of different parts of the page make no n-gram, nor do words with a lone
separator between them.
"""

from __future__ import annotations

from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ttcrawl.topic.model import BITS, LONGEST
from ttcrawl.topic.page import Page
from ttcrawl.topic.words import folded

Codes: TypeAlias = NDArray[np.int64]


def sequence(page: Page) -> list[str]:
    """Return the words of a page in order, with / between its parts.

    >>> sequence(Page(title="Sundews", text="They eat - insects"))
    ['sundews', '/', 'they', 'eat', '-', 'insects']
    """
    contents = (content for _, content in page.metadata)
    return folded(" / ".join(filter(None, chain((page.title,), contents, page.headings, (page.text,))))).split()


def is_word(text: str) -> bool:
    return len(text) <= LONGEST and any(map(str.isalnum, text))


def codes(numbers: Codes, ngrams: int) -> Codes:
    """Return the codes of all n-grams of up to `ngrams` words. `numbers`: of the words; 0: it is in no n-gram.

    The first word is in the highest bits, so no two n-grams have the same code.
    """
    ends, complete = numbers, numbers > 0
    result = [numbers[complete]]
    for length in range(2, min(ngrams, len(numbers)) + 1):
        ends = (ends[:-1] << BITS) | numbers[length - 1 :]
        complete = complete[:-1] & complete[1:]
        result.append(ends[complete])
    return np.concatenate(result)
