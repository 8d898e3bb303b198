"""The documents of the tests that html5lib and browsers share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

DATA = Path(__file__).parent / "tree_construction"


def documents() -> Iterator[str]:
    for path in sorted(DATA.glob("*.dat")):
        text = path.read_bytes().decode("utf-8", "replace")
        for case in f"\n{text}".split("\n#data\n")[1:]:
            data, _, rest = case.partition("\n#errors")
            if "\n#document-fragment" not in rest:
                yield data
