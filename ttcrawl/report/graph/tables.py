"""The graph as tables: a list of links in tab-separated values, and Parquet."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.errors import require
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.report.graph.attributes import attributes
from ttcrawl.report.graph.network import Network

BATCH = 1_000_000  # rows of a row group


def edge_list(network: Network, path: Path) -> None:
    """A line `source TAB target TAB weight` for each link: URLs, or hosts for sites. The header starts with #.

    Nodes without links are left out. A canonical URL has no white space; if one is damaged, its white space is escaped.
    """
    labels = list(map(escape_untrusted, network.labels))
    links = zip(network.source.tolist(), network.target.tolist(), network.weight.tolist(), strict=True)
    with path.open("w", encoding="utf-8") as file:
        file.write("# source\ttarget\tweight\n")
        file.writelines(f"{labels[source]}\t{labels[target]}\t{weight}\n" for source, target, weight in links)


def parquet(network: Network, nodes: Path, edges: Path) -> None:
    """Two files: nodes (id, url or host, and the attributes of the exports), and edges (source, target, weight) by id.

    Raises UsageError if pyarrow is missing.
    """
    require("pyarrow")
    import pyarrow as arrow
    from pyarrow.parquet import ParquetWriter, write_table

    columns = {"id": arrow.array(network.ids, arrow.int64())}
    columns["host" if network.name == "sites" else "url"] = arrow.array(network.labels, arrow.string())
    for column in attributes(network):
        columns[column.name] = arrow.array(column.values, arrow.string() if column.is_text else arrow.int64())
    write_table(arrow.table(columns), nodes)
    schema = arrow.schema([(name, arrow.int64()) for name in ("source", "target", "weight")])
    with ParquetWriter(edges, schema) as writer:
        for first in range(0, network.links, BATCH):
            batch = slice(first, first + BATCH)
            source, target = network.ids[network.source[batch]], network.ids[network.target[batch]]
            writer.write_table(arrow.table([source, target, network.weight[batch]], schema=schema))
