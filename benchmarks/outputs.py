"""All that a parse process makes of many pages, to compare two versions: python -m benchmarks.outputs FILE

Writes one line per page with a digest of each field of its message, and of its WARC record without the random id. Run
it with both versions, then `diff` the files: a difference names the page and the field. The pages are documentation,
the documents that html5lib and browsers share, and pages changed at random, each under several configurations.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import xxhash

from benchmarks.pages import sample as any_pages
from benchmarks.parse import SITES, sample, work
from tests.fuzz.soak import hostile
from tests.fuzz.soak.mutated import mutated
from tests.parse.documents import documents
from ttcrawl import Config
from ttcrawl.config.compiled import compile_scope
from ttcrawl.parse.read import Reader
from ttcrawl.ring.columns import Facts, Headers, LinkCounts, Outlinks, Reading, Text
from ttcrawl.ring.garbage import rarely_collect
from ttcrawl.ring.messages import Archived, Page
from ttcrawl.ring.position import Position

NOTHING_RECORDED = {
    **dict.fromkeys(("record.metadata", "record.text", "record.main", "record.language"), "no"),
    **dict.fromkeys(("duplicates.exact", "duplicates.near", "links.landmarks", "links.anchors"), "no"),
}
#: Configurations, and how many of the pages each reads.
CONFIGURATIONS: dict[str, tuple[dict[str, str], int]] = {
    "default": ({}, 1),
    "links": (NOTHING_RECORDED | {"links.recorded": ""}, 1),
    "links, all kinds": (NOTHING_RECORDED, 3),
    "no anchors": ({"links.anchors": "no", "links.nofollow": "all"}, 3),
    "no landmarks": ({"links.landmarks": "no", "duplicates.near": "no"}, 3),
    "regions": ({"links.content_start": "<p", "links.content_end": "</div>"}, 3),
    "text links": ({"links.kinds": "anchor text", "links.recorded": "", "record.main": "no"}, 5),
    "canonical": ({"url.strip_www": "yes", "url.sort_query": "yes", "url.fold_case": "yes"}, 5),
    "text only": ({"record.metadata": "no", "record.language": "no", "duplicates.exact": "no"}, 5),
    "language only": (NOTHING_RECORDED | {"record.language": "yes"}, 5),
    "html5lib": ({"links.parser": "html5lib"}, 40),
    "regex": ({"links.parser": "regex"}, 10),
}

_VARIES = re.compile(rb"(?m)^WARC-(?:Record|Warcinfo)-ID: [^\r\n]*")


def corpus() -> Iterator[tuple[str, bytes]]:
    """(URL, body); documentation twice, so that its links are known the second time."""
    docs = sample(600)
    yield from docs
    for index, text in enumerate(documents()):
        yield f"http://python.docs.test/odd/{index % 7}/{index}.html?x={index % 3}", text.encode()
    yield from any_pages(400, fewest=0)
    chance = random.Random(16)
    for index in range(600):
        url, body = chance.choice(docs)
        yield f"{url}?{index}", mutated(body[:40_000], chance)[:100_000]
        yield f"{url}?{index}&hostile", hostile.page(chance).encode("utf-8", "surrogatepass")
    yield from docs


def outputs(pages: list[tuple[str, bytes]], config: Config) -> Iterator[dict[str, str]]:
    """Field -> digest, of each page."""
    scope = compile_scope(config.scope, [f"http://{host}/" for host in SITES])
    with TemporaryDirectory() as directory:
        reader = Reader(config, scope, Path(directory), Position(series=0))
        for url, body in pages:
            outcome = reader.read(*work(url, body))
            assert isinstance(outcome, Page)
            fields = {name: digest(value) for name, value in fields_of(outcome) if name not in ("archived", "reader")}
            yield {"url": url, **fields, "warc": digest(record(directory, outcome.archived))}
        reader.close()


def fields_of(page: Page) -> Iterator[tuple[str, object]]:
    """The fields of a message, and of its groups."""
    for name, value in msgspec.structs.asdict(page).items():
        if isinstance(value, Headers | Facts | LinkCounts | Outlinks | Reading):
            yield from ((f"{name}.{each}", part) for each, part in msgspec.structs.asdict(value).items())
        else:
            yield name, value


def digest(value: object) -> str:
    if isinstance(value, Text):  # the same text may be packed into other bytes
        value = (zlib.decompress(value.packed), value.main and zlib.decompress(value.main))
    return xxhash.xxh3_64_hexdigest(msgspec.msgpack.encode(value))


def record(directory: str, archived: Archived) -> bytes:
    with open(Path(directory) / archived.file, "rb") as file:
        file.seek(archived.offset)
        member = file.read(archived.length)
    return _VARIES.sub(b"", zlib.decompress(member, 31), count=2)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("file", type=Path)
    arguments.add_argument("--only", default="", help="the name of one configuration")
    options = arguments.parse_args()
    rarely_collect()
    pages = list(corpus())
    with options.file.open("w", encoding="utf-8") as file:
        for name, (settings, share) in CONFIGURATIONS.items():
            if options.only not in ("", name):
                continue
            for line in outputs(pages[::share], Config().changed(settings)):
                file.write(json.dumps({"configuration": name, **line}) + "\n")
            print(name, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
