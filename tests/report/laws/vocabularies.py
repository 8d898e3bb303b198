"""The vocabulary of some texts, as a report reads that of a crawl."""

from collections.abc import Iterable

from ttcrawl.report.laws.vocabulary import MOST, REMEMBERED, Growing, Runs, Vocabulary, tokens


def vocabulary(texts: Iterable[str], most: int = MOST, remembered: int = REMEMBERED) -> Vocabulary:
    growing, memory = Growing(most), Runs(remembered)
    for words in (words for text in texts for words in tokens(text, memory)):
        growing.add(words)
    return growing.vocabulary()
