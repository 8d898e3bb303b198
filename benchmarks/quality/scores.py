"""F1 by words, and what share of cases a true share of errors may hide behind."""

from __future__ import annotations

from math import sqrt

from benchmarks.articles import words_of

_Z = 1.959964  # 95 % of a normal distribution


def f1(text: str, true: str, neither: str = "") -> float:
    """Of the words of a text as a bag; further words that are in `neither`, such as a title, count neither way."""
    text_words, true_words = words_of(text), words_of(true)
    text_words -= (text_words - true_words) & words_of(neither)
    both = (text_words & true_words).total()
    return 2 * both / max(1, text_words.total() + true_words.total())


def wilson(right: int, count: int) -> tuple[float, float]:
    """The interval of a share that contains the true one in 95 of 100 cases.

    Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA 22.

    >>> [round(bound, 3) for bound in wilson(95, 100)]
    [0.888, 0.978]
    """
    if not count:
        return 0.0, 1.0
    share, squared = right / count, _Z * _Z / count
    middle = share + squared / 2
    half = _Z * sqrt(share * (1 - share) / count + squared / count / 4)
    return max(0.0, (middle - half) / (1 + squared)), min(1.0, (middle + half) / (1 + squared))
