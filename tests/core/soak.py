"""Compare tokens with trees for some minutes: python -m tests.core.soak [--minutes 10] [--seed 1]

Prints how many pages were left to Python and why; exit status 1 if any page differs, which it prints.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.core.events import events_of_tree
from tests.core.pages import page
from tests.fuzz.soak import hostile
from tests.fuzz.soak.mutated import mutated
from ttcrawl.core import native

DOCS = Path("/usr/share/doc")
LONGEST = 60_000  # bytes of a page


def pages(chance: random.Random) -> Iterator[bytes]:
    """Pages made of tags and of hostile values, and real ones with changes."""
    paths = sorted(path for path in DOCS.rglob("*.html") if path.is_file() and path.stat().st_size < LONGEST)
    real = [path.read_bytes() for path in chance.sample(paths, min(300, len(paths)))]
    while True:
        for _ in range(20):
            yield page(chance)
            yield hostile.page(chance).encode("utf-8", "surrogatepass")
        if real:
            yield mutated(chance.choice(real), chance)[:LONGEST]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--minutes", type=float, default=10.0)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    if native is None:
        print("the core is not compiled", file=sys.stderr)
        return 1
    end = time.monotonic() + 60 * options.minutes
    reasons: Counter[str] = Counter()
    count = differing = 0
    for html in pages(random.Random(options.seed)):
        count += 1
        told = native.events(html)
        if isinstance(told, str):
            reasons[told] += 1
        elif told != events_of_tree(html):
            differing += 1
            print(html)
        if time.monotonic() > end:
            break
    print(f"{count:,} pages, {differing:,} differ, {reasons.total():,} left to Python: {dict(reasons.most_common())}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
