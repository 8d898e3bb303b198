"""The result of a converter written in Python, sent from the child process to the parse process.

One line of JSON (everything but the text, at most HEAD bytes), then the text. So the text may be truncated anywhere.
"""

from __future__ import annotations

import json
import operator
import re
from typing import Any

from msgspec import Struct, field

from ttcrawl.web.late import late

HEAD = 4 << 20
DETAIL = 200  # characters of a program's message about a document
MEMORY = late(
    r"out of memory|cannot allocate|memory allocation|failed to map segment|MemoryError|bad_alloc|VMerror",
    re.IGNORECASE,
)
ENCRYPTED = late(r"password|encrypted", re.IGNORECASE)
PLAUSIBLE = late("[0-9]{1,9}")
STRINGS = ("title", "author", "created", "modified", "error")
MAX_LINKS, MAX_URL, MAX_WORDS = 20_000, 4000, 1000


class Extract(Struct, kw_only=True):
    """Filled by a converter while it reads."""

    text: str = ""
    links: list[tuple[str, str]] = field(default_factory=list)
    title: str = ""
    author: str = ""
    created: str = ""
    modified: str = ""
    pages: int | None = None
    error: str = ""


def clean(text: str) -> str:
    """Lines end with LF; NUL is removed, lone surrogates are replaced."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def count(text: str) -> int | None:
    """The number of pages in a document's metadata; None if it is invalid or implausible.

    >>> count("12"), count("99999999999999999999"), count("²"), count("")
    (12, None, None, None)
    """
    return int(text) if PLAUSIBLE.fullmatch(text) else None


def reason(message: str) -> str:
    """Why a document could not be read, from the message of a program or library.

    >>> reason("Command Line Error: Incorrect password")
    'encrypted'
    """
    if re.search(
        "file too large|file size limit exceeded", message, re.IGNORECASE
    ):  # strerror(EFBIG), SIGXFSZ in a shell
        return "too much output"
    if MEMORY.search(message):
        return "too much memory"
    if ENCRYPTED.search(message):
        return "encrypted"
    first = next((line.strip() for line in message.splitlines() if line.strip()), "no reason given")
    return f"broken: {first[:DETAIL]}"


def encode(extract: Extract) -> bytes:
    head: dict[str, Any] = {name: clean(" ".join(getattr(extract, name).split()))[:MAX_WORDS] for name in STRINGS}
    head["pages"] = extract.pages
    links: dict[tuple[str, str], None] = {}
    budget = HEAD - (64 << 10)
    for url, words in extract.links:
        link = (clean(url.strip()), clean(" ".join(words.split()))[:MAX_WORDS])
        if link in links or not link[0] or link[0].startswith("#") or len(link[0]) > MAX_URL:
            continue
        budget -= len(json.dumps(link)) + 2
        if budget < 0 or len(links) == MAX_LINKS:
            break
        links[link] = None
    return json.dumps(head | {"links": list(links)}).encode() + b"\n" + clean(extract.text).encode()


def decode(data: bytes, limit: int) -> tuple[Extract, bool]:
    """The output of `encode`, and whether its text is longer than `limit` bytes. Raises ValueError."""
    line, newline, text = data.partition(b"\n")
    try:
        head = json.loads(line)
        extract = Extract()
        for name in STRINGS:
            setattr(extract, name, clean(head[name]))
        extract.links = [(clean(url), clean(words)) for url, words in head["links"]]
        extract.pages = None if head["pages"] is None else count(str(operator.index(head["pages"])))
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("no answer") from error
    if not newline:
        raise ValueError("cut")
    extract.text = clean(text[:limit].decode("utf-8", "ignore"))
    return extract, len(text) > limit
