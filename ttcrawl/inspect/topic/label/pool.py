"""The pages of a crawl that may be asked, with their words as vectors."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ttcrawl.errors import UsageError
from ttcrawl.inspect.topic.labelled import ids_of, must_have_texts, report
from ttcrawl.inspect.topic.pages import pages_of
from ttcrawl.output.display import ReadProgress
from ttcrawl.snapshot.snapshot import View
from ttcrawl.topic.classifier import Classifier
from ttcrawl.topic.corpus import Corpus, Vectors
from ttcrawl.topic.page import Page
from ttcrawl.topic.url_list import urls_in

#: Pages that are read, at most: their vectors are in memory, about 10 KB a page.
MOST = 20_000

Scores: TypeAlias = NDArray[np.float64]

#: By key, which is a hash of the URL: the same pages each time, and a sample that does not depend on the crawl's order.
_SAMPLE = """
    SELECT url.id FROM url JOIN page ON page.url = url.id LEFT JOIN text ON text.url = url.id
    WHERE url.state = 'fetched' AND page.status BETWEEN 200 AND 299 AND (text.url NOT NULL OR page.title != '')
    AND url.id NOT IN (SELECT url FROM duplicate) ORDER BY url.key LIMIT ?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A row is a page; no two have the same words. `doubts`: by a model, 0: it is not sure at all."""

    corpus: Corpus
    vectors: Vectors
    ids: list[int]
    urls: list[str]
    labels: dict[int, bool]  # row -> relevant, from the lists
    doubts: Scores | None
    scores: Scores | None  # how relevant each page is by the crawl's own list or model; None: it had none


def read_pool(
    db: View,
    relevant: Path,
    irrelevant: Path,
    ngrams: int,
    model: Classifier | None,
    opened: ExitStack,
    progress: ReadProgress,
) -> Pool:
    """Read the pages in the lists, and others up to MOST. Raises UsageError."""
    must_have_texts(db)
    labelled, unknown = ids_of(db, urls_in(relevant), urls_in(irrelevant))
    report(unknown, "URLs in the lists were never discovered by the crawl", "URL in the lists was never discovered")
    sample = {id for (id,) in db.execute(_SAMPLE, (MOST,))} - labelled.keys()
    corpus = opened.enter_context(Corpus(ngrams))
    ids: list[int] = []
    urls: list[str] = []
    doubts: list[float] = []
    labels: dict[int, bool] = {}
    total = len(labelled) + len(sample)
    for count, (id, url, page) in enumerate(_in_turn(db, labelled.keys(), sample), 1):
        progress("pages", count, total)
        if not corpus.add(page, relevant=False):
            continue
        if id in labelled:
            labels[len(ids)] = labelled[id]
        ids.append(id)
        urls.append(url)
        if model is not None:
            doubts.append(model.score(page).probability - 0.5)
    try:
        vectors = corpus.vectors(lambda count: progress("words", count, 2 * len(ids)))
    except ValueError as error:
        raise UsageError(f"{db.directory}: {error}, so there is nothing to learn from") from error
    return Pool(
        corpus=corpus,
        vectors=vectors,
        ids=ids,
        urls=urls,
        labels=labels,
        doubts=np.array(doubts) if model is not None else None,
        scores=_scores(db, ids),
    )


def _scores(db: View, ids: list[int]) -> Scores | None:
    """How relevant each page is by table `topic`, the pages without a score last; None: no page has one."""
    query = "SELECT coalesce(probability, score) FROM topic WHERE url = ?"
    rows = [db.execute(query, (id,)).fetchone() for id in ids]
    return np.array([row[0] if row else -np.inf for row in rows]) if any(rows) else None


def _in_turn(db: View, labelled: Collection[int], sample: Collection[int]) -> Iterator[tuple[int, str, Page]]:
    """The labelled pages first: of pages with the same words, the first one is kept."""
    yield from pages_of(db, labelled)
    yield from pages_of(db, sample)
