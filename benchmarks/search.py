"""How well `ttcrawl search` finds a page whose words are known: known-item queries over the index of a crawl.

    ttcrawl search DIR x; python -m benchmarks.search DIR/search.db

A query is the title of a page, or the text of a link to it. This column is hidden from the index. The figure is the
mean reciprocal rank of the page among the first 100 (Voorhees, TREC-8 Question Answering Track, 1999), beside
tantivy's BM25 over the texts alone (pip install tantivy).
"""

from __future__ import annotations

import argparse
import random
import re
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from ttcrawl.ask.search.hits import WEIGHTS
from ttcrawl.ask.search.index import content

QUERIES, FIRST, SEED = 300, 100, 1
FEWEST_WORDS = 2
TITLE, HEADINGS, ANCHORS, TEXT = range(4)

Page = tuple[str, str, str, str]
Ranking = Callable[[str], Sequence[int]]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("index", type=Path, help="search.db of a crawl")
    pages = _pages(options.parse_args().index)
    rankings: dict[str, Callable[[int], Ranking]] = {
        "texts, tantivy": lambda hidden: _tantivy(pages),
        "texts": lambda hidden: _fts5(pages, {TEXT}),
        "texts and headings": lambda hidden: _fts5(pages, {TEXT, HEADINGS}),
        "all but the hidden": lambda hidden: _fts5(pages, {TITLE, HEADINGS, ANCHORS, TEXT} - {hidden}),
    }
    for hidden, name in ((TITLE, "titles"), (ANCHORS, "texts of links")):
        queries = _queries(pages, hidden)
        print(f"{len(queries)} {name} of {len(pages):,} pages")
        for label, ranking in rankings.items():
            print(f"  {label:20} {reciprocal_rank(ranking(hidden), queries):.3f}")


def reciprocal_rank(ranking: Ranking, queries: Sequence[tuple[int, str]]) -> float:
    """The mean of 1 / rank of the page of each query; 0 for a page that is not ranked."""
    ranks = [list(ranking(query)) for _, query in queries]
    pairs = zip(queries, ranks, strict=True)
    return sum(1 / (ranked.index(page) + 1) for (page, _), ranked in pairs if page in ranked) / len(queries)


def _pages(path: Path) -> dict[int, Page]:
    """The pages with a text of their own."""
    texts: dict[str, tuple[int, Page]] = {}
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        for id, packed in db.execute("SELECT id, content FROM page ORDER BY id"):
            page = content(packed)
            texts.setdefault(page[TEXT], (id, page))
    return dict(texts.values())


def _queries(pages: dict[int, Page], hidden: int) -> list[tuple[int, str]]:
    choice = random.Random(SEED)
    queries = []
    for id, page in pages.items():
        # what follows a dash is the name of the site
        text = re.split(" [—–-] ", page[TITLE])[0] if hidden == TITLE else choice.choice(page[ANCHORS].split("\n"))
        if len(_words(text)) >= FEWEST_WORDS:
            queries.append((id, text))
    return choice.sample(queries, min(QUERIES, len(queries)))


def _fts5(pages: dict[int, Page], columns: set[int]) -> Ranking:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE words USING fts5 (a, b, c, d, tokenize = 'unicode61 remove_diacritics 2')")
    db.executemany(
        "INSERT INTO words (rowid, a, b, c, d) VALUES (?, ?, ?, ?, ?)",
        [(id, *(text if n in columns else "" for n, text in enumerate(page))) for id, page in pages.items()],
    )
    weights = ", ".join(map(str, WEIGHTS))
    query = f"SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, {weights}) LIMIT {FIRST}"
    return lambda text: [id for (id,) in db.execute(query, (" AND ".join(f'"{word}"' for word in _words(text)),))]


def _tantivy(pages: dict[int, Page]) -> Ranking:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("id", stored=True, indexed=True)
    builder.add_text_field("text")
    index = tantivy.Index(builder.build())
    writer = index.writer()
    for id, page in pages.items():
        writer.add_document(tantivy.Document(id=id, text=page[TEXT]))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def ranking(text: str) -> list[int]:
        query = index.parse_query(" AND ".join(word.lower() for word in _words(text)), ["text"])
        return [searcher.doc(address)["id"][0] for _, address in searcher.search(query, FIRST).hits]

    return ranking


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


if __name__ == "__main__":
    main()
