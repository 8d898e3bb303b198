"""150 articles in ten languages, each in the page of a site: their true text is known because they are made here.

Each template has the structure of a theme or a kind of site as it is in use, with menus, teasers, comments and cookie
banners; the prose is a translated book, and comments and teasers are from other chapters of it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from benchmarks.articles import Extractor, words_of
from benchmarks.quality.documentation import extracted
from benchmarks.quality.packages import Packages
from benchmarks.quality.prose import DIRECTORY, PACKAGE, Block, Chapter, chapters
from benchmarks.quality.scores import f1

ROOM = Path(__file__).parent
TEMPLATES = sorted(path.name for path in (ROOM / "templates").glob("*.html"))
#: Language of the page -> that of the handbook.
LANGUAGES = {
    "ar": "ar-MA",
    "de": "de-DE",
    "en": "en-US",
    "es": "es-ES",
    "fr": "fr-FR",
    "it": "it-IT",
    "ja": "ja-JP",
    "pt": "pt-BR",
    "ru": "ru-RU",
    "zh": "zh-CN",
}
SHORTEST, LONGEST = 200, 1500  # words, ideographs and the like
AUTHOR = "Robin Example"
NAMES = ("maria_k", "old sailor", "T. Weber", "jpl", "Анна", "guest")


@dataclass(frozen=True, slots=True)
class Article:
    language: str
    template: str
    html: bytes
    text: str
    neither: str  # of title, author and date may be in an extracted text, or not


def articles(packages: Packages, languages: Mapping[str, str] = LANGUAGES) -> Iterator[Article]:
    """One of each template in each language."""
    handbook = packages.debian(PACKAGE) / DIRECTORY
    interface: dict[str, dict[str, Any]] = json.loads((ROOM / "interface.json").read_text(encoding="utf-8"))
    pages = Environment(loader=FileSystemLoader(ROOM / "templates"), autoescape=True)
    for language, name in languages.items():
        chance = random.Random(language)
        texts = list(_texts(chapters(handbook, name), chance))
        chance.shuffle(texts)
        for index, template in enumerate(TEMPLATES):
            title, blocks = texts[index]
            values = _around(texts, index, chance) | {
                "lang": language,
                "dir": "rtl" if language == "ar" else "ltr",
                "ui": interface[language],
                "title": title,
                "author": AUTHOR,
                "date": f"{chance.randint(1, 28)}.{chance.randint(1, 12)}.2024",
                "blocks": [Markup(each.html) for each in blocks],
            }
            html = pages.get_template(template).render(values)
            by = f"{interface[language]['by']} {interface[language]['published']} {interface[language]['minutes']}"
            yield Article(
                language=language,
                template=template.removesuffix(".html"),
                html=html.encode(),
                text="\n".join(each.text for each in blocks),
                neither=f"{title} {AUTHOR} {values['date']} {by}",
            )


def _texts(book: Iterator[Chapter], chance: random.Random) -> Iterator[tuple[str, Sequence[Block]]]:
    """Pieces of chapters as long as articles."""
    for chapter in book:
        blocks: list[Block] = []
        longest = chance.randint(SHORTEST + 100, LONGEST)
        for block in chapter.blocks:
            blocks.append(block)
            if _words(blocks) >= longest:
                break
        if _words(blocks) >= SHORTEST:
            yield chapter.title, blocks


def _words(blocks: Sequence[Block]) -> int:
    return sum(words_of(each.text).total() for each in blocks)


def _around(
    texts: Sequence[tuple[str, Sequence[Block]]], index: int, chance: random.Random
) -> dict[str, list[dict[str, str]]]:
    """Teasers of other articles, and paragraphs of others as comments."""
    others = chance.sample([each for number, each in enumerate(texts) if number != index], 6)
    prose = [each.text for _, blocks in others for each in blocks if each.html.startswith("<p>")]
    short = [each for each in prose if len(each) < 400]
    comments = [
        {"author": name, "text": text, "date": f"{number + 1}.6.2024"}
        for number, (name, text) in enumerate(zip(NAMES, chance.sample(short, min(len(short), 5)), strict=False))
    ]
    teasers = [
        {"id": str(1000 + number), "title": title, "teaser": blocks[0].text[:140]}
        for number, (title, blocks) in enumerate(others)
    ]
    return {"others": teasers, "comments": comments}


def measure(packages: Packages, extractors: Mapping[str, Extractor]) -> dict[str, dict[str, dict[str, float]]]:
    """ "language" and "template" -> each of them, and "all" -> "pages" and the F1 of each extractor."""
    pages = list(articles(packages))
    scores = {
        name: [f1(extracted(extractor, each.html), each.text, each.neither) for each in pages]
        for name, extractor in extractors.items()
    }
    result: dict[str, dict[str, dict[str, float]]] = {}
    for group in ("language", "template"):
        names = sorted({getattr(each, group) for each in pages})
        result[group] = {
            name: _mean(scores, [index for index, each in enumerate(pages) if getattr(each, group) == name])
            for name in names
        } | {"all": _mean(scores, range(len(pages)))}
    return result


def _mean(scores: Mapping[str, Sequence[float]], indexes: Sequence[int]) -> dict[str, float]:
    return {"pages": len(indexes)} | {name: fmean(each[index] for index in indexes) for name, each in scores.items()}
