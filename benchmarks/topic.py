"""What the subject of a page costs: lists of 1,000 to 100,000 terms, both algorithms, by default
and as Combine, and models; pages of about 31 KB.

python -m benchmarks.topic [--pages N] [--rounds N]

The pages are those of the documentation of Python 3.11 (Debian's python3.11-doc) with 25 to 37 KB of HTML. Half of the
terms are words and phrases of all its pages, from the rare to the frequent ones; the others do not occur. One term in
ten is a regular expression, one in twenty has @and. Each page is read first, as by a parse process, and then scored.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise, product
from pathlib import Path

from benchmarks.docsites import document_root
from ttcrawl import config
from ttcrawl.parse.links.extract import extract
from ttcrawl.read.record import read_record
from ttcrawl.topic import combine, grammar
from ttcrawl.topic.classifier import Classifier
from ttcrawl.topic.corpus import Corpus
from ttcrawl.topic.learn import Goal, learn
from ttcrawl.topic.model import SVM
from ttcrawl.topic.page import Page, page_of_record
from ttcrawl.topic.scorer import ALGORITHMS, Scorer
from ttcrawl.topic.words import joined, words_of

SIZES = (1_000, 10_000, 100_000)

#: Number of terms -> microseconds that a score may take on a machine with nothing else to do.
BOUNDS = {10_000: 100}

HTML = (25_000, 37_000)


def page_of(path: Path) -> Page:
    html = path.read_bytes()
    page = extract(html, "http://a.test/")
    settings = config.Record()
    record, text, _ = read_record(page.tree, html, {}, frozenset(page.anchors), str, settings)
    assert record is not None and text is not None
    words = zlib.decompress(text.packed).decode()
    url = f"http://a.test/{path.name}"
    return page_of_record(url, page.title, record.description, record.keywords, record.headings, "", words)


def term_list(pages: Sequence[Page], count: int, chance: random.Random) -> str:
    """`count` lines."""
    words: Counter[str] = Counter()
    for page in pages:
        text = joined(page.text).split()
        words.update(word for word in text if len(word) > 3 and word.isalpha())
        words.update(f"{a} {b}" for a, b in pairwise(text) if a.isalpha() and b.isalpha())
    common = {word for word, _ in words.most_common(len(words) // 100)}  # no list has "that" or "this"
    known = sorted(words.keys() - common)
    terms = set(chance.sample(known, min(count // 2, len(known))))
    while len(terms) < count:
        terms.add("".join(chance.choices("abcdefghilmnoprstu", k=chance.randint(5, 11))))
    lines = []
    for number, term in enumerate(sorted(terms)):
        if number % 10 == 0:
            term += r"[^\s]*"
        elif number % 20 == 1:
            term += f" @and {chance.choice(known)}"
        lines.append(f"{chance.randint(1, 100)}: {term}=C{number % 7}.{number % 40}")
    chance.shuffle(lines)
    return "\n".join(lines)


def classifier(files: Sequence[Path], pages: Sequence[Page], ngrams: int) -> Classifier:
    with Corpus(ngrams) as corpus:
        for path, page in zip(files, pages, strict=True):
            corpus.add(page, relevant="library" in path.parts)
        return Classifier(learn(corpus.vectors(), SVM, ngrams, 2, Goal(), corpus.digest()))


def microseconds(function: Callable[[Page], object], pages: Sequence[Page]) -> float:
    since = time.process_time()
    for page in pages:
        function(page)
    return (time.process_time() - since) / len(pages) * 1e6


def row(name: str, loaded: float, times: Sequence[float], hits: float, bound: int | None = None) -> str:
    """`loaded`: seconds. `times`: microseconds a page in each round; a busy machine adds least to the least of them."""
    figures = f"{times[0]:9.0f}{statistics.median(times):9.0f}{min(times):9.0f}{bound or '':>9}"
    return f"{name:35}{loaded:10.2f}{figures}{hits:14.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    files = sorted(document_root("python3.11-doc").rglob("*.html"))
    everything = [page_of(path) for path in files]
    sizes = [path.stat().st_size for path in files]
    pages = [page for page, size in zip(everything, sizes, strict=True) if HTML[0] <= size <= HTML[1]][
        : arguments.pages
    ]
    print(f"{len(pages)} pages with {statistics.mean(len(page.text) for page in pages):,.0f} characters of text\n")
    print(f"{'us a page':>35}{'load, s':>10}{'first':>9}{'median':>9}{'least':>9}{'bound':>9}{'terms a page':>14}")
    words = [microseconds(words_of, pages) for _ in range(arguments.rounds)]
    print(f"{'words of the page':35}{'':10}{words[0]:9.0f}{statistics.median(words):9.0f}{min(words):9.0f}")
    for size in SIZES:
        text = term_list(everything, size, random.Random(size))
        for compatible, algorithm in product((False, True), ALGORITHMS):
            since = time.process_time()
            terms = combine.read(f"{text}\n".encode("latin-1", "replace")) if compatible else grammar.read(text, "list")
            scorer = Scorer(terms, algorithm)
            loaded = time.process_time() - since
            times = [microseconds(scorer.score, pages) for _ in range(arguments.rounds)]
            hits = statistics.mean(len(scorer.explain(page)[1]) for page in pages)
            name = f"{size:,} terms, {algorithm}{', as Combine' * compatible}"
            print(row(name, loaded, times, hits, BOUNDS.get(size)), flush=True)
    for ngrams in (1, 2, 3):
        since = time.process_time()
        model = classifier(files, everything, ngrams)
        loaded = time.process_time() - since
        times = [microseconds(model.score, pages) for _ in range(arguments.rounds)]
        hits = statistics.mean(len(model.explain(page)[1]) for page in pages)
        name = f"model, {ngrams}-grams"
        print(row(name, loaded, times, hits), flush=True)


if __name__ == "__main__":
    main()
