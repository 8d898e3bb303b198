"""The kinds of problems, for who wants to know what is looked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from ttcrawl.inspect.check.catalogue.kind import Kind
from ttcrawl.inspect.check.kinds import KINDS, NAMES
from ttcrawl.output.json_form import json_form


def as_json() -> str:
    return json_form([asdict(kind) for kind in KINDS])


def table() -> str:
    """All kinds by area: level, name and meaning, why it matters, and who says so."""
    areas = dict.fromkeys(kind.area for kind in KINDS)
    return "\n\n".join("\n".join(_of(area)) for area in areas)


def _of(area: str) -> Iterator[str]:
    width = max(map(len, NAMES))
    yield area
    for kind in (each for each in KINDS if each.area == area):
        yield f"  {kind.level:7}  {kind.name:{width}}  {kind.meaning}{_off(kind)}"
        yield f"  {'':7}  {'':{width}}  {kind.why}"
        yield f"  {'':7}  {'':{width}}  {kind.source}"


def _off(kind: Kind) -> str:
    return "" if kind.default else f" (off: --also {kind.name})"
