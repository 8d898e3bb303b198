"""What differs between two answers. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ttcrawl.snapshot.texts import WordChange, word_change, words

#: What may have changed, in the order in which it is told. `BYTES`: the body, whatever else changed.
STATUS, TITLE, TEXT, LINKS, BYTES = "status", "title", "main text", "links", "bytes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What is compared of an answer."""

    status: int
    title: str
    digest: bytes | None  # of the body; None: a redirect
    text: str | None  # the main text, as far as it counts; None: it was not read, or has none
    without: str | None = None  # without the elements that [revisit] ignore names; None: unknown, or it names none
    targets: str  # the keys of its links, a JSON array; "": it has none


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Between two answers. `words` is None if one of them has no text."""

    what: tuple[str, ...]
    words: WordChange | None
    appeared: frozenset[int]  # keys of links
    vanished: frozenset[int]


def difference(before: Content, after: Content) -> Difference:
    """Raises ValueError for links that a page cannot have."""
    links, links_before = keys(after.targets), keys(before.targets)
    appeared, vanished = links - links_before, links_before - links
    text_before, text = texts(before, after)
    differs = {
        STATUS: before.status != after.status,
        TITLE: before.title != after.title,
        TEXT: text_before != text,
        LINKS: bool(appeared or vanished),
        BYTES: before.digest != after.digest,
    }
    return Difference(
        what=tuple(name for name in differs if differs[name]),
        words=_words(text_before, text),
        appeared=appeared,
        vanished=vanished,
    )


def texts(before: Content, after: Content) -> tuple[str | None, str | None]:
    """The texts that are compared: without elements only if that is known of both."""
    if before.without is not None and after.without is not None:
        return before.without, after.without
    return before.text, after.text


def keys(targets: str) -> frozenset[int]:
    """The keys of the URLs that a page links to. Raises ValueError."""
    links = json.loads(targets) if targets else []
    if not isinstance(links, list) or not all(type(each) is int for each in links):
        raise ValueError("the links of a page are not keys of URLs")
    return frozenset(links)


def _words(before: str | None, after: str | None) -> WordChange | None:
    if before is None or after is None:
        return None
    if before == after:
        return WordChange(same=len(words(before)), added=0, removed=0)
    return word_change(before, after)
