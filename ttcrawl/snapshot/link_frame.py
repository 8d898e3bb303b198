"""All links as a frame: numbers of four bytes and one list of URLs, so that ten million links fit into memory.

The frame takes 15 bytes a link (8 for source and target, 4 for the position, 3 for kind, region and landmark) and 4 for
the anchor text. It stores each URL and each anchor text once. During construction it takes 8 bytes a link more, for
keys.
"""

from __future__ import annotations

import json
from array import array
from typing import TYPE_CHECKING, Any

from ttcrawl.snapshot.frames import frame_libraries
from ttcrawl.snapshot.links import LANDMARKS, LETTERS, REGIONS, texts
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.kind import NAMES

if TYPE_CHECKING:
    from pandas import DataFrame

PIECE = 50_000  # rows, or keys per look-up
MISSING = -1


def link_frame(db: View, *, ids: bool) -> DataFrame:
    """Columns source, position, target, kind, region, landmark and anchor, in order of page and position.

    Source and target are categories of the same URLs. With `ids` they are ids of URLs, <NA> for a target that the URL
    table does not have. Raises UsageError without pandas, ValueError for damaged rows.
    """
    pandas, arrow = frame_libraries()
    import numpy

    urls = _urls(db, with_text=not ids, arrow=arrow)
    sources, packed = _Packed(), array("q")
    rows = db.execute(f"SELECT source, targets, {LETTERS}, anchors FROM outlinks ORDER BY source")
    for source, targets, kinds, regions, landmarks, anchors in rows:
        try:
            packed.extend(json.loads(targets))
        except (TypeError, OverflowError) as error:
            raise ValueError(f"the targets of URL {source} are not keys") from error
        sources.add(source, kinds, regions, landmarks, texts(anchors) if anchors else ())
        if len(packed) != len(sources.kinds):
            raise ValueError(f"the links of URL {source} are not of one length")
    counts = numpy.frombuffer(sources.counts, dtype=numpy.int32)
    first = numpy.cumsum(counts, dtype=numpy.int64) - counts
    columns = {
        "source": numpy.repeat(_indexes(urls["id"], numpy.frombuffer(sources.ids, dtype=numpy.int64)), counts),
        "position": (numpy.arange(len(packed)) - numpy.repeat(first, counts)).astype(numpy.int32),
        "target": _targets(urls["key"], packed),
    }
    del packed
    for name in ("source", "target"):
        columns[name] = _url_column(pandas, urls, columns[name], ids=ids)
    for name, letters, names in (
        ("kind", sources.kinds, NAMES),
        ("region", sources.regions, REGIONS),
        ("landmark", sources.landmarks, LANDMARKS),
    ):
        columns[name] = _letter_column(pandas, letters, names)
    categories = pandas.Index(pandas.array(list(sources.texts), dtype=pandas.StringDtype("pyarrow")))
    columns["anchor"] = pandas.Categorical.from_codes(numpy.frombuffer(sources.anchors, dtype=numpy.int32), categories)
    result: DataFrame = pandas.DataFrame(columns, copy=False)
    return result


class _Packed:
    """The columns of all links except the targets, as they grow. A number stands for an anchor text."""

    def __init__(self) -> None:
        self.ids, self.counts = array("q"), array("i")
        self.kinds = bytearray()
        self.regions = bytearray()
        self.landmarks = bytearray()
        self.anchors = array("i")
        self.texts: dict[str, int] = {}

    def add(
        self, source: int, kinds: bytes, regions: bytes, landmarks: bytes, anchors: tuple[str, ...] | list[str]
    ) -> None:
        count = len(kinds)
        if len(regions) != count or len(landmarks or kinds) != count or len(anchors or kinds) != count:
            raise ValueError(f"the links of URL {source} are not of one length")
        self.ids.append(source)
        self.counts.append(count)
        self.kinds += kinds
        self.regions += regions
        self.landmarks += landmarks or bytes(count)  # 0: not recorded
        texts = self.texts
        self.anchors.extend([texts.setdefault(each, len(texts)) for each in anchors] or [MISSING] * count)


def _urls(db: View, *, with_text: bool, arrow: Any) -> dict[str, Any]:
    """id, key and, with `with_text`, url of all URLs by id."""
    import numpy

    schema = {"id": arrow.int64(), "key": arrow.int64()} | ({"url": arrow.string()} if with_text else {})
    pieces: dict[str, list[Any]] = {name: [] for name in schema}
    cursor = db.execute(f"SELECT {', '.join(schema)} FROM url ORDER BY id")
    while rows := cursor.fetchmany(PIECE):
        for name, values in zip(schema, zip(*rows, strict=True), strict=True):
            pieces[name].append(arrow.array(values, schema[name]))
    columns = {name: arrow.chunked_array(pieces[name], kind) for name, kind in schema.items()}
    return columns | {name: numpy.asarray(columns[name].to_numpy()) for name in ("id", "key")}


def _indexes(ids: Any, sources: Any) -> Any:
    """The index of each id among all URLs; every source has one."""
    import numpy

    return numpy.searchsorted(ids, sources).astype(numpy.int32)


def _targets(keys: Any, packed: array[int]) -> Any:
    """The index of the URL of each key, or MISSING."""
    import numpy

    order = numpy.argsort(keys, kind="stable")
    ordered = keys[order]
    targets = numpy.array(packed, copy=False)
    indexes = numpy.full(len(targets), MISSING, dtype=numpy.int32)
    for start in range(0, len(targets) if len(keys) else 0, PIECE):
        piece = targets[start : start + PIECE]
        positions = numpy.minimum(numpy.searchsorted(ordered, piece), len(ordered) - 1)
        indexes[start : start + PIECE] = numpy.where(ordered[positions] == piece, order[positions], MISSING)
    return indexes


def _url_column(pandas: Any, urls: dict[str, Any], indexes: Any, *, ids: bool) -> Any:
    import numpy

    if not ids:
        if "dtype" not in urls:  # one for both columns, so that the URLs are stored once
            texts = pandas.StringDtype("pyarrow").__from_arrow__(urls["url"])
            urls["dtype"] = pandas.CategoricalDtype(pandas.Index(texts, copy=False))
        return pandas.Categorical.from_codes(indexes, dtype=urls["dtype"])
    missing = indexes == MISSING
    small = len(urls["id"]) == 0 or urls["id"][-1] <= numpy.iinfo(numpy.int32).max
    values = urls["id"].astype(numpy.int32 if small else numpy.int64)[indexes] if len(urls["id"]) else indexes
    return pandas.arrays.IntegerArray(values, missing)


def _letter_column(pandas: Any, letters: bytearray, names: dict[str, str]) -> Any:
    """A category of the names. 0 means missing; a letter without a name stands for itself."""
    import numpy

    codes = numpy.frombuffer(letters, dtype=numpy.uint8)
    strange = sorted(set(numpy.unique(codes).tolist()) - {0, *map(ord, names)})
    labels = dict(names) | {chr(code): chr(code) for code in strange}
    table = numpy.full(256, MISSING, dtype=numpy.int16)
    table[[ord(letter) for letter in labels]] = numpy.arange(len(labels))
    return pandas.Categorical.from_codes(table[codes], list(labels.values()))
