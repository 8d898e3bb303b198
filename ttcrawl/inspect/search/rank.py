"""The PageRank of the pages of an index, computed when a search asks for it."""

from __future__ import annotations

import numpy as np

from ttcrawl.output.steps import Progress
from ttcrawl.report.graph.figures import ranks
from ttcrawl.report.graph.read import networks
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.database import Database

#: Share of pages that an index may gain or lose until the ranks are computed again.
GROWTH = 0.1


def update_ranks(db: Database, crawl: View, progress: Progress) -> None:
    """Compute the ranks if there are none, or if the index has grown since."""
    ((pages,),) = db.execute("SELECT count(*) FROM page")
    row = db.execute("SELECT pages FROM ranked").fetchone()
    if row is not None and abs(pages - row[0]) <= GROWTH * row[0]:
        return
    progress("PageRank", 0, 0)
    graph = networks(crawl).main
    crawl.rest()
    values = np.log(ranks(graph) * graph.nodes)
    db.execute("BEGIN IMMEDIATE")
    db.execute("DELETE FROM rank")
    db.execute("DELETE FROM ranked")
    db.executemany("INSERT INTO rank VALUES (?, ?)", zip(graph.ids.tolist(), values.tolist(), strict=True))
    db.execute("INSERT INTO ranked VALUES (?)", (pages,))
    db.execute("COMMIT")
