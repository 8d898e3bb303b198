"""What the subject of a page costs: lists of 1,000 to 100,000 terms, both algorithms, by default
and as Combine, models, the links of a page, and sites that always pass; pages of about 31 KB.

python -m benchmarks.topic [--pages N] [--rounds N]

The pages are from the documentation of Python 3.11 (Debian's python3.11-doc) with 25 to 37 KB of HTML. Half of the
terms are words and phrases of all its pages, from the rare to the frequent ones; the others do not occur. One term in
ten is a regular expression, one in twenty has @and. Each page is read first, as by a parse process, and then scored.
Links are rated by 10,000 terms: with nothing remembered at the first page, and again when all ratings are. What best
first costs the crawl process is in `python -m benchmarks.owner --best-first`.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import TypeAlias, TypeVar
from urllib.parse import urljoin

from benchmarks.docsites import document_root
from ttcrawl import config
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.read.page import read_page
from ttcrawl.ring.garbage import rarely_collect
from ttcrawl.topic import combine, grammar
from ttcrawl.topic.classifier import Classifier
from ttcrawl.topic.corpus import Corpus
from ttcrawl.topic.learn import Goal, learn
from ttcrawl.topic.links import LinkScorer, by_terms
from ttcrawl.topic.model import SVM
from ttcrawl.topic.page import Page, page_of_metadata
from ttcrawl.topic.scorer import ALGORITHMS, Scorer
from ttcrawl.topic.sites import Sites
from ttcrawl.topic.words import joined, words_of

T = TypeVar("T")

SIZES = (1_000, 10_000, 100_000)

#: Number of terms -> microseconds that a score may take on a machine with nothing else to do.
BOUNDS = {10_000: 100}

HTML = (25_000, 37_000)

#: Number of terms by which links are rated, and of patterns of sites that always pass.
LINK_TERMS, SITES = 10_000, 100

#: Anchor text, words near it, key of the URL, URL.
Link: TypeAlias = tuple[str, str, int, str]


def page_of(path: Path) -> Page:
    html = path.read_bytes()
    page = extract(html, "http://a.test/")
    settings = config.Record()
    record, text, _ = read_page(page.tree, html, {}, frozenset(page.anchors), str, settings)
    assert record is not None and text is not None
    words = zlib.decompress(text.packed).decode()
    url = f"http://a.test/{path.name}"
    return page_of_metadata(url, page.title, record.description, record.keywords, record.headings, "", words)


def links_of(path: Path) -> list[Link]:
    page = extract(path.read_bytes(), "http://a.test/", wanted=Wanted(anchors=True, nearby=True))
    urls = [urljoin("http://a.test/", href) for href in page.hrefs]
    anchors = [*page.anchors, *[""] * (len(urls) - len(page.anchors))]
    return [
        (anchor, page.nearby.get(index, ""), zlib.crc32(url.encode()), url)
        for index, (anchor, url) in enumerate(zip(anchors, urls, strict=True))
    ]


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


def microseconds(function: Callable[[T], object], inputs: Sequence[T]) -> float:
    since = time.process_time()
    for each in inputs:
        function(each)
    return (time.process_time() - since) / len(inputs) * 1e6


def row(name: str, loaded: float, times: Sequence[float], hits: float, bound: int | None = None) -> str:
    """`loaded`: seconds. `times`: microseconds a page in each round; a busy machine adds least to the least of them."""
    figures = f"{times[0]:9.0f}{statistics.median(times):9.0f}{min(times):9.0f}{bound or '':>9}"
    return f"{name:35}{loaded:10.2f}{figures}{hits:14.1f}"


def rated(scorer: LinkScorer, links: Sequence[Link]) -> list[int]:
    return [scorer.score(*link) for link in links]


def print_links(files: Sequence[Path], everything: Sequence[Page], rounds: int) -> None:
    """What a page costs by its links, and a link alone."""
    scorer = Scorer(grammar.read(term_list(everything, LINK_TERMS, random.Random(LINK_TERMS)), "list"))
    pages = [links_of(path) for path in files]
    links = sum(map(len, pages)) / len(pages)
    times: dict[str, list[float]] = {"new": [], "remembered": []}
    for _ in range(rounds):
        of_links = partial(rated, LinkScorer(by_terms(scorer)))
        for each in times.values():
            each.append(microseconds(of_links, pages))
    for name, each in times.items():
        print(row(f"{links:.0f} links of a page, {name}", 0, each, 0), f" {min(each) / links:.1f} us a link")


def print_sites(pages: Sequence[Page], rounds: int) -> None:
    """What `sites_ok` costs a page that none of the patterns matches."""
    sites = Sites([rf"^https?://(www\.)?host{number}\.test/" for number in range(SITES)])
    times = [microseconds(lambda page: sites.match(page.urls), pages) for _ in range(rounds)]
    print(row(f"{SITES} patterns of sites_ok", 0, times, 0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    rarely_collect()  # as a parse process does
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
    of_size = [path for path, size in zip(files, sizes, strict=True) if HTML[0] <= size <= HTML[1]]
    print_links(of_size[: arguments.pages], everything, arguments.rounds)
    print_sites(pages, arguments.rounds)


if __name__ == "__main__":
    main()
