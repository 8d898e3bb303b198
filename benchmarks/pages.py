"""What each part of reading a page costs: python -m benchmarks.pages [--pages N]

The pages are documentation that Debian packages installed under /usr/share/doc; the mean of the best of three rounds,
and the same for a page of 31 KB. CPU time of this process.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import structs
from selectolax.lexbor import LexborHTMLParser

from ttcrawl.config import Config, Duplicates, Links, Record
from ttcrawl.config.compiled import compile_canon, compile_scope
from ttcrawl.parse.links.element import IMAGE
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.follow import Follower
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.parse.read import Reader
from ttcrawl.read.blocks import lines, one_line, words, words_of
from ttcrawl.read.casefold import casefolded
from ttcrawl.read.declarations import declarations
from ttcrawl.read.fingerprints import keys
from ttcrawl.read.fingerprints.fingerprint import fingerprint, fingerprint_input, signature
from ttcrawl.read.fingerprints.shingles import shingles
from ttcrawl.read.fingerprints.words import split
from ttcrawl.read.landmarks import mark_blocks
from ttcrawl.read.language import detected
from ttcrawl.read.main import main_text
from ttcrawl.read.metadata import metadata
from ttcrawl.read.page import packed
from ttcrawl.read.tree import flatten
from ttcrawl.ring.garbage import rarely_collect
from ttcrawl.ring.messages import PAGE, Fetched, Head, Request
from ttcrawl.ring.position import Position
from ttcrawl.vocabulary.reason import NONE
from ttcrawl.web.charset.detect import to_utf8
from ttcrawl.web.mime.kind import family, mime_type

DOCS = Path("/usr/share/doc")
ROUNDS = 3
SIZE = 31 * 1024
TYPE = ["text/html; charset=utf-8"]


def sample(count: int, fewest: int = 2000) -> list[tuple[str, bytes]]:
    """(URL, UTF-8) of `count` pages, the same on every run; of no package more than a third."""
    by_package: dict[str, list[Path]] = {}
    for path in sorted(DOCS.rglob("*.html")):
        if path.is_file() and not path.is_symlink():
            by_package.setdefault(path.relative_to(DOCS).parts[0], []).append(path)
    chance = random.Random(1)
    candidates = [path for paths in by_package.values() for path in chance.sample(paths, min(len(paths), count // 3))]
    sampled = chance.sample(candidates, min(count, len(candidates)))
    bodies = ((f"http://docs.example{path}", to_utf8(path.read_bytes(), "")[0]) for path in sampled)
    return [(url, body) for url, body in bodies if len(body) >= fewest]


def best(pages: list[Any], work: Callable[..., Any], prepare: Callable[..., tuple[Any, ...]]) -> float:
    """Seconds for all pages; `prepare` gives what `work` takes, outside of the clock."""
    rounds = []
    for _ in range(ROUNDS):
        spent = 0.0
        for page in pages:
            arguments = prepare(*page)
            begun = time.process_time()
            work(*arguments)
            spent += time.process_time() - begun
        rounds.append(spent)
    return min(rounds)


def step_times(pages: list[tuple[str, bytes]], config: Config) -> dict[str, float]:
    """Seconds for all pages by the name of the part."""
    canon, scope = compile_canon(config.url), compile_scope(config.scope, ["http://docs.example/"])
    follower, options = Follower(config, scope, canon), wanted(config.links)

    def kind(url: str, html: bytes) -> None:
        family(mime_type(TYPE, html, url), html)
        to_utf8(html, "utf-8")

    def page(url: str, html: bytes) -> tuple[Any, ...]:
        return Request(token=1, kind=PAGE, url=url, depth=0, not_before=0), extract(html, url, "lexbor", options), False

    def flat(url: str, html: bytes) -> tuple[Any, ...]:
        return flatten(LexborHTMLParser(html), html), html, url

    def main(url: str, html: bytes) -> tuple[Any, ...]:
        anchors = frozenset(extract(html, url, "lexbor", options).anchors)
        root = flatten(LexborHTMLParser(html), html)
        if root is None or root.body is None:
            return [], [], anchors, {}
        mark_blocks(root)
        read = lines(root.body)
        return read.lines, read.blocks, anchors, read.blanks

    def text(url: str, html: bytes) -> tuple[list[str], str, list[str], str, dict[str, int]]:
        text_lines, inside, anchors, blanks = main(url, html)
        central = main_text(text_lines, inside, anchors).lines
        return text_lines, "\n".join(text_lines), central, "\n".join(central), blanks

    texts = [text(url, html) for url, html in pages]
    return {
        "kind and charset": best(pages, kind, lambda *page: page),
        "bare parse": best(pages, LexborHTMLParser, lambda _, html: (html,)),
        "parse and extract links": best(pages, lambda url, html: extract(html, url, "lexbor", options), lambda *p: p),
        "resolve links": best(pages, follower.follow, page),
        "flatten": best(pages, lambda _, html, tree: flatten(tree, html), lambda u, h: (u, h, LexborHTMLParser(h))),
        "metadata": best(pages, lambda root, *_: metadata(declarations(root), {}, str), flat),
        "text": best(pages, lambda root, *_: "\n".join(lines(root.body).lines) if root.body else "", flat),
        "main text: marks": best(pages, lambda root, *_: mark_blocks(root), flat),
        "main text: choice": best(
            pages, lambda text_lines, inside, anchors, _: main_text(text_lines, inside, anchors), main
        ),
        "language": best(texts, lambda *page: detected(page[3]), lambda *page: page),
        "count words": best(
            texts, lambda a, b, c, d, blanks: words_of(c, d, blanks, spaced=not words(b, 0)), lambda *page: page
        ),
        "pack text": best(texts, lambda *page: packed(page[1].encode(), page[3].encode(), 1 << 20), lambda *page: page),
    }


def fingerprints(pages: list[tuple[str, bytes]], config: Config) -> dict[str, float]:
    """Seconds for all pages by the step; the last row is all of them."""
    options, settings = wanted(config.links), config.duplicates
    steps = []
    for url, html in pages:
        page = extract(html, url, "lexbor", options)
        flat = flatten(LexborHTMLParser(html), html)
        if flat is None or flat.body is None:
            continue
        mark_blocks(flat)
        read = lines(flat.body)
        main = "\n".join(main_text(read.lines, read.blocks, frozenset(page.anchors)).lines)
        images = tuple(href for href, kind in zip(page.hrefs, page.kinds, strict=True) if kind == IMAGE)
        text = structs.replace(fingerprint_input(one_line(read), main, settings), images=images)
        hashes = text.shingles or b"\1\0\0\0"
        steps.append((read, text, main, hashes, signature(hashes, settings.permutations)))
    exact = Duplicates(near=False)
    return {
        "fingerprint: one line": best(steps, lambda read, *_: one_line(read), lambda *page: page),
        "fingerprint: text digest": best(steps, lambda _, text, *more: fingerprint(text, exact), lambda *page: page),
        "fingerprint: main text folded": best(steps, lambda _a, _b, main, *_: casefolded(main), lambda *page: page),
        "fingerprint: words": best(steps, split, lambda _a, _b, main, *_: (casefolded(main),)),
        "fingerprint: shingles": best(
            steps,
            lambda folded_words: shingles(folded_words, settings.shingle),
            lambda _a, _b, main, *_: (split(casefolded(main)),),
        ),
        "fingerprint: signature": best(
            steps, lambda _a, _b, _c, hashes, _d: signature(hashes, settings.permutations), lambda *page: page
        ),
        "fingerprint: bands": best(steps, lambda *page: keys.bands(page[4], settings.bands), lambda *page: page),
        "fingerprint: all": best(steps, lambda _, text, *more: fingerprint(text, settings), lambda *page: page),
    }


def total_time(pages: list[tuple[str, bytes]], config: Config) -> float:
    """Seconds for all pages of what a parse process does, with the archive."""
    with TemporaryDirectory() as directory:
        scope = compile_scope(config.scope, ["http://docs.example/"])
        reader = Reader(config, scope, Path(directory), Position(series=0, number=0))
        head = Head(status=200, phrase="OK", version="HTTP/1.1", headers=(("Content-Type", TYPE[0]),), address="")

        def prepare(url: str, html: bytes) -> tuple[Any, ...]:
            request = Request(token=1, kind=PAGE, url=url, depth=0, not_before=0)
            answer = Fetched(
                token=1,
                status=200,
                address="",
                started=0.0,
                ended=0.0,
                head_size=0,
                body_size=len(html),
                refused=NONE,
                digest=bytes(16),
            )
            return request, answer, head, html

        return best(pages, reader.read, prepare)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pages", type=int, default=500)
    pages = sample(arguments.parse_args().pages)
    if not pages:
        print(
            f"no pages under {DOCS}: install Debian packages with documentation, such as python3-doc", file=sys.stderr
        )
        return 1
    rarely_collect()
    total = sum(len(html) for _, html in pages)
    print(f"{len(pages)} pages, {total / len(pages) / 1024:.1f} KB in the mean")
    print(f"{'':30}{'µs/page':>9}{'µs/31 KB':>10}")

    def row(name: str, seconds: float) -> None:
        print(f"{name:30}{seconds / len(pages) * 1e6:9.0f}{seconds / total * SIZE * 1e6:10.0f}")

    for name, seconds in (step_times(pages, Config()) | fingerprints(pages, Config())).items():
        row(name, seconds)
    nothing = Record(sniff=False, metadata=False, text=False, main=False, language=False)
    row("all, with the archive", total_time(pages, Config()))
    alone = Duplicates(exact=False, near=False)
    row("... without fingerprints", total_time(pages, Config(duplicates=alone)))
    row("... nor the record", total_time(pages, Config(record=nothing, duplicates=alone)))
    bare = Config(record=nothing, duplicates=alone, links=Links(landmarks=False, anchors=False))
    row("... nor landmarks nor anchors", total_time(pages, bare))
    return 0


if __name__ == "__main__":
    sys.exit(main())
