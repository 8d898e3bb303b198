"""Languages of real pages: python -m benchmarks.languages

The pages are manuals in several languages, as Debian packages put them under /usr/share: the guides of installation and
of aptitude, the Developer's Reference, and English documentation with many pages that are lists of identifiers. Each
page is read as it is, mostly without a declaration, and once more as if it declared the language of its directory. Some
pages of a translation are not translated: they count as wrong, though they are English.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.articles import main_text
from ttcrawl import config
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.read.declared_language import decided
from ttcrawl.read.language import detected
from ttcrawl.read.page import read_page
from ttcrawl.web.charset.detect import to_utf8

SHARE = Path("/usr/share")
#: Directories with one for each language; the English ones.
TRANSLATED = ("doc/installation-guide-amd64", "doc/aptitude/html", "developers-reference")
ENGLISH = (
    *("doc/python3.11/html", "doc/postgresql-doc-15/html", "doc/sqlite3", "doc/libboost1.81-doc", "qt5/doc"),
    *("doc/python-pandas-doc/html", "doc/lilypond/html", "doc/libeigen3-dev/html", "doc/octave/octave.html"),
    *("doc/junit4/api", "doc/doxygen/html"),
)
PAGES, LARGEST = 150, 400_000  # of a directory or a language of it; bytes


def directories() -> Iterator[tuple[str, str, Path]]:
    """(name, language, directory)."""
    for name in TRANSLATED:
        for path in sorted((SHARE / name).glob("*")):
            language = path.name.replace("-", "_").partition("_")[0]
            if path.is_dir() and len(language) == 2:
                yield name, language, path
    for name in ENGLISH:
        yield name, "en", SHARE / name


def readings(directory: Path, declared: str) -> Iterator[tuple[str, str, str, float]]:
    """Of each page its language as it is, and with a declaration; the detected language, and its confidence."""
    settings, options = config.Record(), wanted(config.Links())
    files = sorted(each for each in directory.rglob("*.html") if each.is_file() and each.stat().st_size <= LARGEST)
    for path in random.Random(str(directory)).sample(files, min(PAGES, len(files))):
        html = to_utf8(path.read_bytes(), "")[0]
        page = extract(html, "http://a.test/", "lexbor", options)
        metadata, text, _ = read_page(page.tree, html, {}, frozenset(page.anchors), str, settings)
        if metadata is not None and text is not None and metadata.main_words:
            main = main_text(text)
            found, confidence = detected(main)
            yield metadata.language, decided(found, confidence, declared, main), found, confidence


def main() -> int:
    names: dict[str, Counter[str]] = {}
    bands: dict[int, Counter[bool]] = {}
    for name, language, directory in directories():
        counts = names.setdefault(name, Counter())
        for alone, declared, guess, confidence in readings(directory, language):
            counts["right" if alone == language else "wrong" if alone else "not known"] += 1
            counts["declared"] += declared == language
            if guess:
                bands.setdefault(min(int(confidence * 10), 9), Counter())[guess == language] += 1
    total = sum(names.values(), Counter[str]())
    if not total.total():
        print(f"no manuals under {SHARE}", file=sys.stderr)
        return 1
    print(f"{'':32}{'pages':>7}{'right':>9}{'wrong':>9}{'not known':>11}{'declared':>11}")
    for name, counts in [*names.items(), ("all", total)]:
        if pages := counts.total() - counts["declared"]:
            shares = (counts[each] / pages for each in ("right", "wrong", "not known", "declared"))
            print(f"{name:32}{pages:7,}" + "".join(f"{share:9.1%}  " for share in shares))
    print(f"\n{'confidence':12}{'pages':>7}{'right':>9}")
    for band, outcomes in sorted(bands.items()):
        print(
            f"{band / 10:.1f} to {(band + 1) / 10:.1f}  {outcomes.total():7,}{outcomes[True] / outcomes.total():9.1%}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
