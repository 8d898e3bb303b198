"""What an index for `ttcrawl search` costs, and how well it finds a page whose words are known.

    python -m benchmarks.search [DIR]

Without a crawl directory, the index is made of the documentation sites (`benchmarks.recorded`). A query is the title of
a page, one of its headings, or the text of a link to it; this column is hidden from the index. Headings with the words
of the title are not queries. The figure is the mean reciprocal rank of the page among the first 100 (Voorhees, TREC-8
Question Answering Track, 1999), beside tantivy's BM25 over the texts alone (pip install 'ttcrawl[bench]'). Weights were
chosen on the first half of the queries; the second half measures them.
"""

from __future__ import annotations

import argparse
import random
import re
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

from benchmarks.owner import RESULTS
from benchmarks.recorded import Recording, ReplayRing, configuration, crawl_over, of_recording, recorded, replay_store
from ttcrawl.config.compiled import compile_scope
from ttcrawl.inspect.search.bigrams import indexed
from ttcrawl.inspect.search.expression import exact, wide
from ttcrawl.inspect.search.folding import fold
from ttcrawl.inspect.search.hits import RANK_WEIGHT, WEIGHTS
from ttcrawl.inspect.search.index import Index, content
from ttcrawl.inspect.search.query import parse
from ttcrawl.inspect.search.rank import update_ranks
from ttcrawl.inspect.search.stems import same_stem, stemmers
from ttcrawl.output.steps import silent
from ttcrawl.snapshot.snapshot import view
from ttcrawl.store.database import Database
from ttcrawl.store.search_db import NAME

QUERIES, FIRST, SEED = 1000, 100, 1
FEWEST_WORDS = 2
TITLE, HEADINGS, ANCHORS, TEXT = range(4)

Page = tuple[str, str, str, str]
Ranking = Callable[[str], Sequence[int]]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("directory", type=Path, nargs="?", help="a crawl; its search.db is made again")
    directory = options.parse_args().directory
    if find_spec("tantivy") is None:
        raise SystemExit("tantivy is missing: install with: pip install 'ttcrawl[bench]'")
    if directory is not None:
        measure(directory)
        return
    recording = recorded(RESULTS / "owner.msgpack", {})
    with tempfile.TemporaryDirectory(dir=RESULTS) as made:
        replay(recording, Path(made))
        measure(Path(made))


def replay(recording: Recording, directory: Path) -> None:
    """Make crawl.db of a recorded crawl."""
    config, seeds = configuration(recording.resolve, recording.settings), recording.seeds
    scope = compile_scope(config.scope, tuple(seeds), config.hosts)
    with closing(replay_store(directory, seeds)) as store:
        ring = ReplayRing(of_recording(recording).exchange, batch=4, room=64)
        crawl, links = crawl_over(ring, config, seeds, scope, store)
        crawl.run(links)


def measure(directory: Path) -> None:
    price(directory)
    path = directory / NAME
    pages = _pages(path)
    with closing(sqlite3.connect(path)) as db:
        ranks = dict(db.execute("SELECT id, value FROM rank"))
    for hidden, name in ((TITLE, "titles"), (HEADINGS, "headings"), (ANCHORS, "texts of links")):
        queries = _queries(pages, hidden)
        print(
            f"{len(queries)} {name} of {len(pages):,} pages: MRR of the first half, of the second half, not among 100"
        )
        shown = _columns(pages, {TITLE, HEADINGS, ANCHORS, TEXT} - {hidden})
        rankings = {
            "texts, tantivy": _tantivy(pages),
            "texts": _fts5(_columns(pages, {TEXT})),
            **({"texts and headings": _fts5(_columns(pages, {TEXT, HEADINGS}))} if hidden != HEADINGS else {}),
            "all but the hidden": _fts5(shown),
            **{f"and {weight} of PageRank": _fts5(shown, ranks, weight) for weight in (RANK_WEIGHT, 0.3, 1)},
            "and then words of the same stem": _fts5(shown, stems=True),
            "and among them": _fts5(shown, stems=True, mixed=True),
        }
        for label, ranking in rankings.items():
            found = [reciprocal_rank(ranking, [query]) for query in queries]
            halves = [statistics.mean(found[half::2]) for half in (0, 1)]
            print(f"  {label:32} {halves[0]:.3f} {halves[1]:.3f} {found.count(0):4}")


def price(directory: Path) -> None:
    """Print what the index costs, beside its budget."""
    with view(directory) as crawl, closing(Index(directory)) as index:
        index.rebuild()
        began = time.process_time()
        index.update(crawl, silent)
        made = time.process_time() - began
        ((pages,),) = index.db.execute("SELECT count(*) FROM page")
        began = time.process_time()
        index.update(crawl, silent)
        again = time.process_time() - began
        began = time.process_time()
        update_ranks(index.db, crawl, silent)
        ranked = time.process_time() - began
    size = sum(file.stat().st_size for file in directory.glob(f"{NAME}*"))
    print(f"{pages:,} pages\n\n| | a page | budget | |\n|---|--:|--:|---|")
    for name, spent, budget in (
        ("make the index, us", made * 1e6, 1500),
        ("find nothing new, us", again * 1e6, 30),
        ("PageRank, us", ranked * 1e6, 200),
        ("search.db, bytes", size, 12_000),
    ):
        print(f"| {name} | {spent / pages:,.0f} | {budget:,} | {'over' if spent / pages > budget else ''} |")
    print()


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
        title = re.split(" [—–-] ", page[TITLE])[0]  # what follows a dash is the name of the site
        texts = [title] if hidden == TITLE else page[hidden].split("\n")
        if hidden == HEADINGS:
            known = {*map(fold, _words(page[TITLE]))}
            texts = [each for each in texts if not known.issuperset(map(fold, _words(each)))] or [""]
        text = choice.choice(texts)
        if len(_words(text)) >= FEWEST_WORDS:
            queries.append((id, text))
    return choice.sample(queries, min(QUERIES, len(queries)))


def _columns(pages: dict[int, Page], columns: set[int]) -> dict[int, Page]:
    """The pages with some of their columns; the others are empty."""
    return {
        id: (*(text if n in columns else "" for n, text in enumerate(page)),)  # type: ignore[misc]
        for id, page in pages.items()
    }


def _fts5(
    pages: dict[int, Page],
    ranks: Mapping[int, float] = MappingProxyType({}),
    weight: float = 0.0,
    *,
    stems: bool = False,
    mixed: bool = False,
) -> Ranking:
    """With `stems`, words of the same stem in English count too, after all others or (`mixed`) like them."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE words USING fts5 (a, b, c, d, tokenize = 'unicode61 remove_diacritics 2')")
    db.execute("CREATE VIRTUAL TABLE terms USING fts5vocab (words, row)")
    db.executemany(
        "INSERT INTO words (rowid, a, b, c, d) VALUES (?, ?, ?, ?, ?)",
        [(id, *map(indexed, page)) for id, page in pages.items()],
    )
    lowest = min(ranks.values(), default=0.0)
    db.create_function("rank_of", 1, lambda id: ranks.get(id, lowest), deterministic=True)
    query = f"""
        SELECT rowid FROM words WHERE words MATCH ?
        ORDER BY bm25(words, {", ".join(map(str, WEIGHTS))}) - {weight} * rank_of(rowid) LIMIT {FIRST}"""
    same = partial(same_stem, Database(db), stemmers=stemmers(Database(db), ["en"]))

    def ranking(text: str) -> list[int]:
        parsed = parse(" ".join(map(fold, _words(text))))  # in small letters: OR is a word
        written = [] if mixed else [id for (id,) in db.execute(query, (exact(parsed),))]
        if stems and len(written) < FIRST:
            written += [id for (id,) in db.execute(query, (wide(parsed, same)[0],)) if id not in written]
        return written[:FIRST]

    return ranking


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
