"""Positions of the nodes in a picture: by forces, by DrL (the origin of OpenOrd) or by sfdp (Yifan Hu's algorithm).

All get node indexes instead of names, links without direction or weight, and a fixed seed.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess

import numpy as np

from ttcrawl.errors import REPORT, UsageError, require
from ttcrawl.output.steps import Progress, silent
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.report.graph.forces import forces
from ttcrawl.report.graph.matrix import Floats, Ints
from ttcrawl.report.graph.network import Network, collapse

LAYOUTS = ("forces", "drl", "sfdp")
SEED = 1
LONGEST = 1800.0  # seconds for sfdp
#: The number format does not depend on the user's locale: see LC_ALL below.
SFDP = ("sfdp", "-Tplain", "-Goverlap=true", "-Gsplines=none", f"-Gstart={SEED}", "-Nshape=point", "-Nlabel=")


def need(name: str) -> None:
    """Raises UsageError if the layout is unknown, or software for it or for pictures is missing."""
    if name not in LAYOUTS:
        raise UsageError(f"unknown layout {name!r}; the layouts: {', '.join(LAYOUTS)}")
    require(*REPORT)
    if name == "sfdp" and shutil.which("sfdp") is None:
        raise UsageError("the picture sfdp needs Graphviz: apt-get install graphviz (or take --picture forces)")
    if name == "drl":
        require("igraph", otherwise=" (or take --picture forces)")


def layout(network: Network, name: str, progress: Progress = silent) -> Floats:
    """Coordinates of the nodes, shape (nodes, 2), by one of LAYOUTS. Raises UsageError if this fails."""
    need(name)
    first, second = np.minimum(network.source, network.target), np.maximum(network.source, network.target)
    first, second, _ = collapse(first, second, network.nodes)
    if not len(first):
        return np.random.default_rng(SEED).random((network.nodes, 2))
    if name == "forces":
        return forces(network.nodes, first, second, progress)
    progress(f"layout {name}", 0, 0)
    return _drl(network.nodes, first, second) if name == "drl" else sfdp(network.nodes, first, second)


def _drl(nodes: int, first: Ints, second: Ints) -> Floats:
    """Martin et al., OpenOrd: an open-source toolbox for large graph layout, 2011; OpenOrd grew out of DrL."""
    import igraph

    start = np.random.default_rng(SEED).random((nodes, 2))
    igraph.set_random_number_generator(random.Random(SEED))
    try:
        graph = igraph.Graph(nodes, np.column_stack([first, second]))
        result = graph.layout_drl(seed=start.tolist())
    except igraph.InternalError as error:
        raise UsageError(
            f"igraph has no DrL layout for this graph ({escape_untrusted(str(error))}); take --picture forces"
        ) from error
    finally:
        igraph.set_random_number_generator(random)
    return np.array(result.coords)


def sfdp(nodes: int, first: Ints, second: Ints, longest: float = LONGEST) -> Floats:
    """Hu, Efficient and high quality force-directed graph drawing, 2005, by the program of Graphviz.

    The program gets at most `longest` seconds. Raises UsageError if it times out or fails.
    """
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    text = "".join(["graph{\n", *(f"{node};\n" for node in range(nodes)), *(f"{a}--{b};\n" for a, b in pairs), "}\n"])
    try:
        process = subprocess.run(
            SFDP, input=text.encode(), capture_output=True, timeout=longest, env=os.environ | {"LC_ALL": "C"}
        )
    except subprocess.TimeoutExpired as error:
        raise UsageError(
            f"sfdp did not finish within {longest:g} s for {nodes:,} nodes and {len(first):,} links; use fewer --nodes"
        ) from error
    positions = np.full((nodes, 2), np.nan)
    for line in process.stdout.decode("ascii", "replace").splitlines():
        if line.startswith("node "):
            _, node, x, y, *_ = line.split()
            positions[int(node)] = float(x), float(y)
    if process.returncode or np.isnan(positions).any():
        message = (
            process.stderr.decode("utf-8", "replace").strip().partition("\n")[0] or f"exit status {process.returncode}"
        )
        raise UsageError(
            f"sfdp failed: {escape_untrusted(message)}; take --picture forces, or draw fewer nodes: --nodes"
        )
    return positions
