"""The files that [topic] names: read at the start of a crawl, and copied into its directory.

A crawl scores by its copies. So a file that changes later changes nothing, and a crawl continues where the files are
gone.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from ttcrawl.config import Topic
from ttcrawl.config.topic import names
from ttcrawl.errors import UsageError, require
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.topic import combine, grammar
from ttcrawl.topic.assess import Assessor
from ttcrawl.topic.model import load_model, model_bytes
from ttcrawl.topic.score import cut_offs
from ttcrawl.topic.sites import Sites, read_sites
from ttcrawl.topic.terms import LARGEST, TermList
from ttcrawl.topic.url_list import list_bytes
from ttcrawl.topic.words import joined

#: The directory of the copies in the directory of a crawl, and the name of each by its key in [topic].
DIRECTORY = "topic"
NAMES = {
    "terms": "terms.txt",
    "model": "model.json",
    "stop_words": "stop-words.txt",
    "sites_ok": "sites-ok.txt",
    "held_back": "held-back.txt",
}


def copies(settings: Topic) -> dict[str, bytes]:
    """Return the contents of the files by the names of their copies. Raises UsageError."""
    read = {"model": model_bytes, "held_back": list_bytes}
    named = {key: getattr(settings, key) for key in NAMES}
    return {NAMES[key]: read.get(key, bytes_of)(Path(path)) for key, path in named.items() if path}


def copied(settings: Topic, directory: Path) -> Topic:
    """Return settings that name the copies in the directory of a crawl."""
    paths: dict[str, Any] = {
        key: str(directory / DIRECTORY / name) for key, name in NAMES.items() if getattr(settings, key)
    }
    return replace(settings, **paths)


def rated_by(settings: Topic, directory: Path) -> str:
    """Return a digest of what scores the links of a crawl: the copy of its term list, or else of its model."""
    present = copied(settings, directory)
    parts = [present.terms, present.stop_words] if settings.terms else [present.model]
    digest = sha256(repr((bool(settings.terms), settings.compatible)).encode())
    for path in filter(None, parts):
        digest.update(sha256(Path(path).read_bytes()).digest())
    return digest.hexdigest()[:32]


def assessor_of(settings: Topic) -> tuple[Assessor | None, list[str]]:
    """Return what decides about pages, and remarks for the user. None: there is neither a term list nor a model.

    Raises UsageError.
    """
    lines: list[str] = []
    scorer = classifier = None
    if settings.terms:
        require("ahocorasick_rs")
        from ttcrawl.topic.scorer import Scorer

        stop_words = Path(settings.stop_words) if settings.stop_words else None
        terms = load(Path(settings.terms), stop_words, compatible=settings.compatible)
        lines = remarks(terms, settings.terms)
        cut = cut_offs(settings.algorithm, settings.min_total, settings.min_by_words, settings.min_share)
        try:
            scorer = Scorer(terms, settings.algorithm, hierarchy=settings.hierarchy, cut_offs=cut)
        except ValueError as error:
            raise UsageError(f"{settings.terms}: {error}") from error
    if settings.model:
        require("numpy", extra="topic")
        from ttcrawl.topic.classifier import Classifier

        classifier = Classifier(load_model(Path(settings.model)))
    if scorer is None and classifier is None:
        return None, lines
    sites = load_sites(Path(settings.sites_ok), compatible=settings.compatible) if settings.sites_ok else None
    assessor = Assessor(
        scorer=scorer,
        classifier=classifier,
        sites=sites,
        languages=names(settings.languages),
        countries=names(settings.countries),
    )
    return assessor, lines


def load(path: Path, stop_words: Path | None = None, *, compatible: bool = False) -> TermList:
    """Read a term list. Raises UsageError.

    A list is UTF-8; one that is not is read as Latin-1, as Combine's lists are. `compatible`: exactly as by Combine.
    """
    data, stop_data = bytes_of(path), bytes_of(stop_words) if stop_words else b""
    if compatible:
        terms = combine.read(data, stop_data)
        if not terms.terms:
            raise UsageError(f"{_name(path)} has no line that Combine would read as a term")
        return terms
    text, encoding = _decoded(data)
    stops = [joined(word) for word in _decoded(stop_data)[0].removeprefix("\ufeff").split()]
    return grammar.read(text, str(path), frozenset(filter(None, stops)), encoding)


def load_sites(path: Path, *, compatible: bool = False) -> Sites:
    """Read the patterns of sites that always pass. Raises UsageError."""
    return read_sites(_decoded(bytes_of(path))[0], str(path), compatible=compatible)


def remarks(terms: TermList, name: str) -> list[str]:
    """Return what a user should know about a list that was read from a file of this name."""
    lines = []
    if terms.encoding != "utf-8" and not terms.compatible:
        lines.append(f"{name} is not UTF-8: it is read as Latin-1")
    if terms.left_out:
        numbers = ", ".join(map(str, terms.left_out[:10])) + (" ..." if len(terms.left_out) > 10 else "")
        lines.append(f"{name}: RE2 lacks the regular expressions in these lines, which are left out: {numbers}")
    return lines


def bytes_of(path: Path) -> bytes:
    """Return the contents of a file. Raises UsageError."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{_name(path)}: {error.strerror}; name a readable file") from error
    if len(data) > LARGEST:
        raise UsageError(f"{_name(path)} is larger than {LARGEST >> 20} MB: that is not a term list")
    if b"\0" in data[:4096]:
        raise UsageError(f"{_name(path)} is a binary file: write text, in UTF-8")
    return data


def _decoded(data: bytes) -> tuple[str, str]:
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def _name(path: Path) -> str:
    return escape_untrusted(str(path))
