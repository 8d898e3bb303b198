"""The texts for trials of settings: pages of a crawl, changed copies of them, and the similarities."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from ttcrawl.config import Config
from ttcrawl.config.compiled import canon_of
from ttcrawl.errors import UsageError
from ttcrawl.output.number import counted
from ttcrawl.report.tuning.labels import Label
from ttcrawl.report.tuning.mutations import MUTATIONS, Lines, similarity
from ttcrawl.report.tuning.pair import BY_HAND, Pair, Sample
from ttcrawl.report.tuning.truth import each_with_each
from ttcrawl.snapshot.named_url import url_id
from ttcrawl.snapshot.page_text import words, words_or_none
from ttcrawl.snapshot.snapshot import View, view

#: Number of pages whose pairs are all compared: half a million pairs.
COMPARED = 1000
#: Shares of changed words in a copy.
SHARES = (0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4)
VOCABULARY = 20_000  # words to insert, as frequent as in the pages

Reporter = Callable[[str], None]


def from_crawl(directory: Path, config: Config, size: int, seed: int, similar: float, report: Reporter) -> Sample:
    """At most `size` pages of a crawl, and a copy of each, changed in one way. Raises UsageError without pages."""
    chance = random.Random(seed)
    least = config.duplicates.min_words
    with view(directory) as db:
        texts, passed, total = _pages(db, size, least, chance)
    if len(texts) < 2:
        raise UsageError(
            f"{directory} has {counted(len(texts), 'page')} with at least {least} words of main text,"
            " but two are needed; check [record] text = yes"
        )
    counts = f"{len(texts):,} of {counted(total, 'page')} with a text"
    report(f"{counts}; {passed:,} skipped: too short, or identical word for word")
    copies, pairs = _copies(texts, least, chance)
    report(f"{len(copies):,} changed copies; {min(len(texts), COMPARED):,} pages compared each with each")
    square = each_with_each(texts[:COMPARED])
    description = (
        f"{len(texts):,} pages, {len(copies):,} changed copies, seed {seed}. Similar are texts with at least"
        f" {similar:g} of their words in common: for copies, the words that stayed over the words in either; for"
        f" {min(len(texts), COMPARED):,} unchanged pages, each compared with each, the words in both over the words in"
        " either, with repetitions."
    )
    return Sample(texts=(*texts, *copies), pages=len(texts), pairs=tuple(pairs), square=square, description=description)


def _pages(db: View, size: int, least: int, chance: random.Random) -> tuple[list[str], int, int]:
    """(texts, pages passed over, pages with a text)."""
    every = [
        url
        for (url,) in db.execute(
            "SELECT text.url FROM text JOIN page ON page.url = text.url WHERE status BETWEEN 200 AND 299 ORDER BY 1"
        )
    ]
    chance.shuffle(every)
    texts: dict[str, str] = {}
    passed = 0
    for url in every:
        text = words(db, url, f"URL {url}", main=True)
        tokens = text.casefold().split()
        if len(tokens) < least or (words_alone := " ".join(tokens)) in texts:
            passed += 1
            continue
        texts[words_alone] = text
        if len(texts) == size:
            break
    return list(texts.values()), passed, len(every)


def _copies(texts: Sequence[str], least: int, chance: random.Random) -> tuple[list[str], list[Pair]]:
    pool = [word for text in chance.sample(texts, min(len(texts), 500)) for word in text.split()]
    vocabulary = chance.sample(pool, min(len(pool), VOCABULARY))
    kinds = list(MUTATIONS.items())
    copies: list[str] = []
    pairs: list[Pair] = []
    for number, text in enumerate(texts):
        before: Lines = [line.split() for line in text.split("\n")]
        name, mutation = kinds[number % len(kinds)]
        after, unchanged = mutation(before, chance.choice(SHARES), vocabulary, chance)
        if after == before or sum(map(len, after)) < least:
            continue
        pairs.append(Pair(number, len(texts) + len(copies), similarity(before, after, unchanged), name))
        copies.append("\n".join(" ".join(line) for line in after))
    return copies, pairs


def by_hand(directory: Path, config: Config, labels: Sequence[Label], report: Reporter) -> Sample:
    """The pairs of a file. Raises UsageError if the crawl lacks the texts of all of them."""
    canon = canon_of(config)
    texts: dict[int, str] = {}
    numbers: dict[int, int] = {}
    pairs: list[Pair] = []
    missing, silent = 0, 0
    with view(directory) as db:
        for label in labels:
            matches = [url_id(db, canon.canonical, each) for each in (label.one, label.other)]
            ids = [each for each in matches if each is not None]
            missing += len(ids) < len(matches)
            if len(ids) < len(matches):
                continue
            for each in ids:
                text = words_or_none(db, each, f"URL {each}", main=True)
                if text is not None:
                    texts.setdefault(each, text)
            if not all(each in texts for each in ids):
                silent += 1
                continue
            one, other = (numbers.setdefault(each, len(numbers)) for each in ids)
            pairs.append(Pair(one, other, label.similarity, BY_HAND))
    report(f"{counted(len(pairs), 'pair')}; {missing:,} with undiscovered URLs and {silent:,} without text are skipped")
    if not pairs:
        raise UsageError(
            f"none of {counted(len(labels), 'pair')} can be tried:"
            f" {missing:,} have a URL that the crawl in {directory} never discovered, {silent:,} a page without text"
        )
    description = (
        f"{counted(len(pairs), 'pair')} labelled by hand;"
        f" {missing:,} more have a URL that the crawl never discovered, and {silent:,} a page without text."
    )
    ordered = tuple(texts[each] for each in numbers)
    return Sample(texts=ordered, pages=len(ordered), pairs=tuple(pairs), square=None, description=description)
