"""The attributes of each node in an export, equal in every format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ttcrawl.report.graph.network import Network


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
