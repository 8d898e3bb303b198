"""Pages of two classes, made from words by chance."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ttcrawl.topic.corpus import Corpus
from ttcrawl.topic.page import Page

PLANTS = ["sundew", "pitcher", "plant", "leaf", "trap", "insect", "bog", "peat", "Drosera", "nectar", "root"]
CITIES = ["street", "tram", "bridge", "town", "hall", "square", "market", "river", "tower", "Straße", "gate"]
COMMON = ["the", "a", "of", "and", "in", "it", "is", "on", "for", "with"]


def labelled(count: int, seed: int = 1, noise: float = 0.1) -> Iterator[tuple[bool, Page]]:
    """`count` pages of each class; `noise` is the share of words of the other class."""
    chance = random.Random(seed)
    for number in range(2 * count):
        relevant = number % 2 == 0
        own, other = (PLANTS, CITIES) if relevant else (CITIES, PLANTS)
        weights = [1.0, 1.0 - noise, noise]
        words = [chance.choice(chance.choices((COMMON, own, other), weights)[0]) for _ in range(chance.randint(5, 60))]
        headings = (" ".join(words[:3]), "X")
        metadata = (("description", " - ".join(words[3:6])),)
        yield relevant, Page(title=" ".join(words[-2:]), metadata=metadata, headings=headings, text=" ".join(words))


def corpus_of(pages: Iterator[tuple[bool, Page]], ngrams: int = 2, **more: int) -> Corpus:
    corpus = Corpus(ngrams, **more)
    for relevant, page in pages:
        corpus.add(page, relevant=relevant)
    return corpus
