"""Near duplicates in documentation, by its generator: python -m benchmarks.generators [--pages N] [--wrong N] [NAME...]

Pages of Debian packages, as `apt-get install PACKAGE` puts them under /usr/share. They are read by the code of a parse
process and marked as a crawl marks them. What is true is counted here from the text inside the main element, which the
selectors below name for each generator, with no line of ours: a mark is right where the similarity of both main texts
is `verify` or more; a page is to be marked where an earlier one is that similar. With a * those that nobody looked at
before the main text was mended.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy
from scipy.sparse import csr_array
from selectolax.lexbor import LexborHTMLParser, LexborNode

from benchmarks.articles import main_text
from ttcrawl import config
from ttcrawl.config.compiled import compile_canon, compile_scope
from ttcrawl.parse.answer import Answer, Content
from ttcrawl.parse.html import HtmlReader
from ttcrawl.parse.links.follow import Follower
from ttcrawl.read.fingerprints import keys
from ttcrawl.read.fingerprints.fingerprint import fingerprint
from ttcrawl.read.fingerprints.similarity import exact, required
from ttcrawl.report.tuning.candidates import candidates
from ttcrawl.ring.columns import Fingerprint
from ttcrawl.ring.messages import PAGE, Head, Request
from ttcrawl.web.charset.detect import to_utf8

URL = "http://docs.example/dir/page.html"
SHARE = Path("/usr/share")
_INLINE = (
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup"
    " time tt u var wbr acronym img"
)
INLINE = frozenset(_INLINE.split())
DROPPED = frozenset(("script", "style", "template", "noscript", "svg", "select", "button", "dialog"))


@dataclass(frozen=True, slots=True)
class Generator:
    name: str
    package: str
    directory: str  # under /usr/share
    inside: str  # selects the elements of the main text; the outermost of them count
    without: str = ""  # in these


GENERATORS = (
    Generator("Sphinx, pydata", "python-pandas-doc", "doc/python-pandas-doc/html", "main", ".prev-next-area, nav"),
    Generator("Sphinx, zzzeek", "python-sqlalchemy-doc", "doc/python-sqlalchemy-doc/html", "#docs-body"),
    Generator("Sphinx, pallets", "python-werkzeug-doc", "doc/python-werkzeug-doc/html", "div.body"),
    Generator("Sphinx, alabaster", "python-requests-doc", "doc/python-requests-doc/html", "div.body"),
    Generator("Sphinx, rtd", "python-attr-doc", "doc/python-attr-doc/html", "[itemprop=articleBody]"),
    Generator("Sphinx, django", "python-django-doc", "doc/python-django-doc/html", "#yui-main"),
    Generator("Doxygen, Eigen", "libeigen3-doc", "doc/libeigen3-dev/html", "div.contents, div.title"),
    Generator("Doxygen", "doxygen-doc", "doc/doxygen/html", "div.contents, div.title"),
    Generator("Javadoc, JUnit", "junit4-doc", "doc/junit4/api", "main", "nav"),
    Generator("Javadoc, Commons", "libcommons-lang3-java-doc", "doc/libcommons-lang3-java/api", "main", "nav"),
    Generator("MkDocs", "mkdocs-doc", "doc/mkdocs/html", "[role=main]"),
    Generator("LilyPond", "lilypond-doc-html", "doc/lilypond/html", "#main", ".nav_table, #footer, #languages"),
    Generator("Texinfo, Octave", "octave-doc", "doc/octave/octave.html", "body", ".header, .nav-panel"),
    Generator("Texinfo, Maxima", "maxima-doc", "doc/maxima-doc/html", "body", ".header, .nav-panel"),
    Generator("gtk-doc", "libglib2.0-doc", "gtk-doc/html", "body", ".navigation, .footer"),
)
HELD_OUT = ("Javadoc, Commons", "Texinfo, Maxima", "gtk-doc")


@dataclass(frozen=True, slots=True)
class Page:
    path: Path
    true: str  # main text, a line a block
    main: str  # what we take it for
    print: Fingerprint


@dataclass(slots=True)
class Result:
    pages: int = 0
    marked: int = 0
    right: int = 0
    similar: int = 0  # pages with an earlier one that is truly similar
    found: int = 0
    f1: float = 0.0  # of the main text, by words, the mean
    wrong: list[tuple[Path, Path, float]] = field(default_factory=list)
    missed: list[tuple[Path, Path, float]] = field(default_factory=list)


def true_lines(html: bytes, generator: Generator) -> str:
    """The text inside the main element, a line a block."""
    tree = LexborHTMLParser(html)
    if generator.without:
        for node in tree.css(generator.without):
            node.decompose()
    pieces: list[str] = []
    ids: set[int] = set()
    for node in tree.css(generator.inside):
        outer = node.parent
        while outer is not None and outer.mem_id not in ids:
            outer = outer.parent
        if outer is None:
            ids.add(node.mem_id)
            _text(node, pieces)
            pieces.append("\n")
    lines = (" ".join(line.split()) for line in "".join(pieces).replace("\xb6", "").split("\n"))
    return "\n".join(line for line in lines if line)


def _text(node: LexborNode, pieces: list[str]) -> None:
    child = node.child
    while child is not None:
        if child.is_text_node:
            text = child.text_content or ""
            pieces.append(text if node.tag == "pre" else text.replace("\n", " "))
        elif child.is_element_node and child.tag not in DROPPED:
            if child.tag in INLINE:
                _text(child, pieces)
            else:
                pieces.append("\n")
                if child.tag == "pre":  # its lines are displayed (HTML standard, rendered text collection steps)
                    pieces.append(child.text() or "")
                else:
                    _text(child, pieces)
                pieces.append("\n")
        child = child.next


class Parser:
    """The code of a parse process, from the bytes to the fingerprint."""

    def __init__(self) -> None:
        settings = config.read(None)
        self.settings = settings.duplicates
        canon = compile_canon(settings.url)
        self._reader = HtmlReader(settings, canon, Follower(settings, compile_scope(settings.scope, [URL]), canon))

    def read(self, html: bytes) -> Content:
        request = Request(token=1, kind=PAGE, url=URL, depth=0, not_before=0.0)
        head = Head(status=200, phrase="OK", version="HTTP/1.1", headers=(), address="")
        html_type = "text/html"
        answer = Answer(
            request=request, head=head, headers={}, body=html, mime=html_type, declared=html_type, charset=""
        )
        return self._reader.read(answer)


def paths(generator: Generator, count: int) -> list[Path]:
    """`count` pages, the same on every run."""
    directory = SHARE / generator.directory
    files = sorted(path for path in directory.rglob("*.html") if path.is_file() and not path.is_symlink())
    return sorted(random.Random(generator.name).sample(files, min(count, len(files))))


def pages(generator: Generator, count: int, parser: Parser) -> Iterator[Page]:
    """Without those that have no main element: searches, redirects, frames."""
    for path in paths(generator, count):
        html = to_utf8(path.read_bytes(), "")[0]
        if true := true_lines(html, generator):
            content = parser.read(html)
            assert content.text is not None and content.fingerprint_input is not None
            yield Page(path, true, main_text(content.text), fingerprint(content.fingerprint_input, parser.settings))


def shingles(text: str, length: int) -> frozenset[tuple[str, int]]:
    """Words in a row within a line, or a shorter line; the first such, the second such, and so on."""
    counts: Counter[str] = Counter()
    result = []
    for line in text.casefold().split("\n"):
        words = line.split()
        for start in range(max(1, len(words) - length + 1)) if words else ():
            shingle = " ".join(words[start : start + length])
            counts[shingle] += 1
            result.append((shingle, counts[shingle]))
    return frozenset(result)


def truth(pages: Sequence[Page], settings: config.Duplicates) -> numpy.ndarray:
    """The similarity of each to each; 0 where one has fewer than min_words."""
    numbers: dict[tuple[str, int], int] = {}
    rows, starts = [], [0]
    for page in pages:
        if len(page.true.split()) >= settings.min_words:
            rows += [numbers.setdefault(each, len(numbers)) for each in shingles(page.true, settings.shingle)]
        starts.append(len(rows))
    ones = numpy.ones(len(rows), numpy.int32)
    matrix = csr_array((ones, numpy.array(rows, numpy.int64), starts), shape=(len(pages), max(1, len(numbers))))
    both = (matrix @ matrix.T).toarray()
    sizes = numpy.diff(starts)
    similarity: numpy.ndarray = both / numpy.maximum(1, sizes[:, None] + sizes[None, :] - both)
    return similarity


def marks(pages: Sequence[Page], settings: config.Duplicates) -> dict[int, tuple[str, int]]:
    """As `ttcrawl.engine.duplicates.originals` makes them of pages that come in this order."""
    first_of: dict[bytes, int] = {}
    result: dict[int, tuple[str, int]] = {}
    compared = candidates([keys.unpacked(page.print.bands) for page in pages])
    for number, (page, leaders) in enumerate(zip(pages, compared, strict=True)):
        original = first_of.setdefault(page.print.text, number) if page.print.text else number
        if original != number:
            result[number] = "text", original
            continue
        for leader in leaders:
            shingles_a, shingles_b = page.print.shingles, pages[leader].print.shingles
            if exact(shingles_a, shingles_b) >= required(shingles_a, shingles_b, settings.verify):
                result[number] = "near", leader
                break
    return result


def measure(generator: Generator, count: int, parser: Parser) -> Result:
    read, settings = list(pages(generator, count, parser)), parser.settings
    result = Result(pages=len(read))
    if not read:
        return result
    similar, mark_of = truth(read, settings), marks(read, settings)
    for number, (kind, leader) in mark_of.items():
        if kind == "near":
            result.marked += 1
            if similar[number, leader] >= settings.verify:
                result.right += 1
            else:
                result.wrong.append((read[number].path, read[leader].path, float(similar[number, leader])))
    for number in range(1, len(read)):
        best = int(numpy.argmax(similar[number, :number]))
        if similar[number, best] >= settings.verify:
            result.similar += 1
            if number in mark_of:
                result.found += 1
            else:
                result.missed.append((read[number].path, read[best].path, float(similar[number, best])))
    result.f1 = sum(_f1(page) for page in read) / len(read)
    return result


def _f1(page: Page) -> float:
    ours, true = Counter(page.main.split()), Counter(page.true.split())
    return 2 * (ours & true).total() / max(1, ours.total() + true.total())


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("names", nargs="*", help="generators whose names begin so")
    arguments.add_argument("--pages", type=int, default=800)
    arguments.add_argument("--wrong", type=int, default=0, help="show this many wrong marks and missed pages of each")
    options = arguments.parse_args()
    parser, total = Parser(), Result()
    print(
        f"{'':20}{'pages':>7}{'marked':>8}{'right':>7}{'precision':>11}{'similar':>9}{'found':>7}{'recall':>8}{'F1':>7}"
    )
    for generator in GENERATORS:
        if options.names and not any(generator.name.startswith(name) for name in options.names):
            continue
        result = measure(generator, options.pages, parser)
        if not result.pages:
            print(f"{generator.name:20} not installed: {generator.package}", file=sys.stderr)
            continue
        _show(generator.name + " *" * (generator.name in HELD_OUT), result)
        for kind, pairs in (("wrong", result.wrong), ("missed", result.missed)):
            for one, other, true in pairs[: options.wrong]:
                print(f"    {kind} {true:.3f} {one} {other}")
        for name in ("pages", "marked", "right", "similar", "found"):
            setattr(total, name, getattr(total, name) + getattr(result, name))
        total.f1 += result.f1 * result.pages
    if total.pages:
        total.f1 /= total.pages
        _show("all", total)
    return 0 if total.pages else 1


def _show(name: str, each: Result) -> None:
    precision = f"{each.right / each.marked:11.3f}" if each.marked else f"{'-':>11}"
    recall = f"{each.found / each.similar:8.3f}" if each.similar else f"{'-':>8}"
    print(
        f"{name:20}{each.pages:7,}{each.marked:8,}{each.right:7,}{precision}{each.similar:9,}{each.found:7,}{recall}"
        f"{each.f1:7.3f}"
    )


if __name__ == "__main__":
    sys.exit(main())
