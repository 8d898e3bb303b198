"""GEXF and GraphML, written row by row: networkx takes ten times as long and needs the document in memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ttcrawl.report.graph.attributes import Attribute, attributes
from ttcrawl.report.graph.network import Network

BATCH = 10_000  # rows per batch

#: Characters that XML 1.0 cannot represent, not even as a reference (section 2.2, Char).
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: White space as references: parsers would read it as spaces in attributes, and as line ends elsewhere.
ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)


def quoted(text: str) -> str:
    r"""`text` for an attribute or an element of XML. Characters that XML 1.0 cannot represent become U+FFFD.

    >>> quoted('"a" <b>\x00\n')
    '&quot;a&quot; &lt;b&gt;\ufffd&#10;'
    """
    return FORBIDDEN.sub("\ufffd", text).translate(ESCAPES)


def gexf(network: Network, path: Path) -> None:
    """GEXF 1.2 (gexf.net), which Gephi and networkx read. Ids are those of the tables, labels are URLs or hosts."""
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
