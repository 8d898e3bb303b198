"""The links of a crawl by their kinds, and the images that its pages show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import compress

from ttcrawl.frozen import frozen
from ttcrawl.snapshot.outlinks import keys_of_row, rows
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.kind import LETTERS, NAMES, REDIRECT

_IMAGE = ord(LETTERS["image"])
_IS_IMAGE = bytes(letter == _IMAGE for letter in range(256))


@frozen
class KindsOfLinks:
    kinds: Mapping[str, int]  # occurrences by the name of their kind, without redirects
    images_shown: Mapping[int, int]  # id of an HTML page with images -> number of distinct images on it
    images: Mapping[int, bool]  # key of an image on an HTML page -> whether a page of a seed's site shows it


def kinds_of_links(db: View, html: Mapping[int, bool]) -> KindsOfLinks:
    """`html` maps ids of HTML pages to whether they are on the site of a seed. Raises ValueError for a damaged row."""
    counts = Counter[int]()
    images_shown, images = dict[int, int](), dict[int, bool]()
    for source, targets, kinds, _, _ in rows(db):
        counts.update(kinds)
        on_seed = html.get(source)
        if on_seed is not None and _IMAGE in kinds:
            shown = set(compress(keys_of_row(source, targets, len(kinds)), kinds.translate(_IS_IMAGE)))
            images_shown[source] = len(shown)
            images.update((key, on_seed or images.get(key, False)) for key in shown)
    del counts[ord(REDIRECT.letter)]
    return KindsOfLinks(
        kinds={NAMES.get(chr(letter), chr(letter)): count for letter, count in counts.items()},
        images_shown=images_shown,
        images=images,
    )
