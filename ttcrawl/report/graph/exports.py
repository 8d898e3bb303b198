"""The graph as files for other programs: GEXF, GraphML, a list of links in tab-separated values, and Parquet.

GEXF and GraphML are written row by row: networkx takes ten times as long and needs the document in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.errors import require
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.report.graph.network import Network

BATCH, ROW_GROUP = 10_000, 1_000_000  # rows that are written at once: of markup, of Parquet

#: Characters that XML 1.0 cannot represent, not even as a reference (section 2.2, Char).
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: White space as references: parsers would read it as spaces in attributes, and as line ends elsewhere.
ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    name: str
    values: Sequence[int] | Sequence[str]
    is_text: bool = False


def attributes(network: Network) -> list[Attribute]:
    """Columns with one value for each node. The label of a node (its URL or host) is not among them.

    Only sites have `pages`; only other nodes have `host` and `title`. A depth of -1 means unknown.
    """
    into, out = network.in_degree(), network.out_degree()
    numbers = [("depth", network.depth), ("in_degree", into), ("out_degree", out), ("degree", into + out)]
    if network.name == "sites":
        numbers.append(("pages", network.pages))
    columns = [Attribute(name=name, values=values.tolist()) for name, values in numbers]
    if network.name != "sites":
        hosts = [network.hosts[index] for index in network.host.tolist()]
        columns.append(Attribute(name="host", values=hosts, is_text=True))
        columns.append(Attribute(name="title", values=network.titles, is_text=True))
    return columns


def quoted(text: str) -> str:
    r"""`text` for an attribute or an element of XML. Characters that XML 1.0 cannot represent become U+FFFD.

    >>> quoted('"a" <b>\x00\n')
    '&quot;a&quot; &lt;b&gt;\ufffd&#10;'
    """
    return FORBIDDEN.sub("\ufffd", text).translate(ESCAPES)


def gexf(network: Network, path: Path) -> None:
    """GEXF 1.2 (gexf.net), which Gephi and networkx read. Ids are as in the tables, labels are URLs or hosts."""
    columns = attributes(network)
    with path.open("w", encoding="utf-8") as file:
        file.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n'
        )
        file.write("<meta><creator>ttcrawl</creator></meta>\n")
        file.write('<graph mode="static" defaultedgetype="directed">\n<attributes class="node" mode="static">\n')
        for index, column in enumerate(columns):
            kind = "string" if column.is_text else "integer"
            file.write(f'<attribute id="{index}" title="{column.name}" type="{kind}"/>\n')
        file.write(f'</attributes>\n<nodes count="{network.nodes}">\n')
        values = "".join(f'<attvalue for="{index}" value="%s"/>' for index in range(len(columns)))
        node = f'<node id="%s" label="%s"><attvalues>{values}</attvalues></node>\n'
        file.writelines(_lines(node, _nodes(network, columns)))
        file.write(f'</nodes>\n<edges count="{network.links}">\n')
        edge = '<edge id="%s" source="%s" target="%s" weight="%s"/>\n'
        file.writelines(_lines(edge, ((index, *row) for index, row in enumerate(edges(network)))))
        file.write("</edges>\n</graph>\n</gexf>\n")


def graphml(network: Network, path: Path) -> None:
    """GraphML (graphml.graphdrawing.org), which most programs read; as `gexf`, with the label as an attribute."""
    columns = attributes(network)
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        file.write('<key id="label" for="node" attr.name="label" attr.type="string"/>\n')
        for column in columns:
            kind = "string" if column.is_text else "int"
            file.write(f'<key id="{column.name}" for="node" attr.name="{column.name}" attr.type="{kind}"/>\n')
        file.write('<key id="weight" for="edge" attr.name="weight" attr.type="int"/>\n<graph edgedefault="directed">\n')
        data = "".join(f'<data key="{name}">%s</data>' for name in ("label", *(each.name for each in columns)))
        file.writelines(_lines(f'<node id="%s">{data}</node>\n', _nodes(network, columns)))
        edge = '<edge source="%s" target="%s"><data key="weight">%s</data></edge>\n'
        file.writelines(_lines(edge, edges(network)))
        file.write("</graph>\n</graphml>\n")


def edges(network: Network) -> Iterator[tuple[int, int, int]]:
    """(id of the source, id of the target, weight) of every link."""
    for first in range(0, network.links, BATCH):
        batch = slice(first, first + BATCH)
        yield from zip(
            network.ids[network.source[batch]].tolist(),
            network.ids[network.target[batch]].tolist(),
            network.weight[batch].tolist(),
            strict=True,
        )


def _nodes(network: Network, columns: Sequence[Attribute]) -> Iterator[tuple[int | str, ...]]:
    texts = [map(quoted, column.values) if column.is_text else column.values for column in columns]  # type: ignore[arg-type]
    return zip(network.ids.tolist(), map(quoted, network.labels), *texts, strict=True)


def _lines(form: str, rows: Iterator[tuple[int | str, ...]] | Iterator[tuple[int, ...]]) -> Iterator[str]:
    return (form % row for row in rows)


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
        for first in range(0, network.links, ROW_GROUP):
            batch = slice(first, first + ROW_GROUP)
            source, target = network.ids[network.source[batch]], network.ids[network.target[batch]]
            writer.write_table(arrow.table([source, target, network.weight[batch]], schema=schema))
