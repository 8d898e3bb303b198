"""Soft 404s: error pages with a success status. Pure.

The error page of a host is determined by requests for URLs that cannot exist (Bar-Yossef, Broder, Kumar and Tomkins,
"Sic transit gloria telae", WWW 2004). A page with the same text is a soft 404. Sites echo the requested address: so
texts are compared without their own address, and with all numbers equal, since these are times and the like.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

import xxhash
from msgspec import Struct

from ttcrawl.read.fingerprints.similarity import exact

#: The response of a host for missing pages: an honest error; a page; a different page each time; the same page as for
#: all URLs (an application that runs in the browser), so that nothing can be detected; or no response.
HONEST, SOFT, DIFFERENT, ALL_ALIKE, NO_ANSWER = "honest", "soft", "different", "all alike", "no answer"

#: Minimum number of responses: a single one proves nothing.
LEAST = 2

#: Maximum fraction of soft 404s among a host's texts, or of such redirects among its responses; above it: ALL_ALIKE.
MOST = 0.5

#: A text can only reach the required similarity with a sample of half to twice its size, plus or minus this tolerance
#: in bytes: for text about the address besides the echo.
ECHO = 100

#: Words, without echoes, up to which a text is always examined in detail.
FEW = 20

#: Start of the names of probes: they should be recognizable in a server's log.
NAME = "ttcrawl-soft-404-"

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")
_HOME = frozenset({"", "index", "default", "home"})


class ContentHashes(Struct, frozen=True, kw_only=True):
    """The text without its own address."""

    digest: bytes = b""  # xxh3_128 of the words; empty: no words
    shingles: bytes = b""  # 32-bit hashes, little-endian, distinct, in ascending order


class Probed(Struct, frozen=True, kw_only=True):
    """The response for a URL that cannot exist."""

    id: int
    url: str
    status: int | None  # None: no response
    location: str = ""  # canonical URL of a redirect's target
    digest: bytes = b""  # of the body; empty: no body
    content_hashes: ContentHashes = ContentHashes()
    size: int = 0  # bytes of the text


class ErrorBehaviour(Struct, frozen=True, kw_only=True):
    """The response of a host for missing pages."""

    kind: str
    samples: tuple[Probed, ...] = ()  # with status 2xx, similar to each other; of equal ones the first
    moved: tuple[Probed, ...] = ()  # redirects to the same URL


# -- asking ---------------------------------------------------------------------------------------------------------


def urls(page: str, names: Sequence[str]) -> list[str]:
    """URLs that cannot exist: in the root of a page's host, in the page's directory, and there with its extension.

    >>> urls("http://a.test/news/2031/x.html?y", ["1", "2", "3"])
    ['http://a.test/ttcrawl-soft-404-1', 'http://a.test/news/2031/ttcrawl-soft-404-2', \
'http://a.test/news/2031/ttcrawl-soft-404-3.html']
    """
    page_url = urlsplit(page)
    root, path = f"{page_url.scheme}://{page_url.netloc}", page_url.path
    beside, _, file = path.rpartition("/")
    _, dot, extension = file.rpartition(".")
    extension = f".{extension}" if dot and extension.isalnum() and len(extension) <= 5 else ".html"
    prefixes = ((root + "/", ""), (f"{root}{beside}/", ""), (f"{root}{beside}/", extension))
    return [f"{prefix}{NAME}{name}{end}" for (prefix, end), name in zip(prefixes, names, strict=True)]


# -- reading --------------------------------------------------------------------------------------------------------


def content_hashes(text: str, url: str, shingle: int) -> ContentHashes:
    """The text of the response for a probe, without its own address. `shingle`: words in a shingle."""
    return _hashes(without(_WORD.findall(text.casefold()), url), shingle)


def variants(text: str, url: str, shingle: int, samples: Sequence[Probed]) -> tuple[ContentHashes, ...]:
    """The possible texts of a page: the address may be echoed completely, by its name alone, or not at all, since the
    name may be an ordinary word. A text without a shingle of the samples shares no run of words with them."""
    words = _WORD.findall(text.casefold())
    plain = _hashes(words, shingle)
    # in a short text, an echo may be in every shingle
    if len(words) > FEW + 4 * len(_words(url)) and not any(
        exact(plain.shingles, each.content_hashes.shingles) for each in samples
    ):
        return (plain,)
    shortened = (without(words, url, complete=True), without(words, url))
    return (plain, *(_hashes(each, shingle) for each in shortened))


def _hashes(words: list[str], shingle: int) -> ContentHashes:
    if not words:
        return ContentHashes()
    joined = _NUMBER.sub("0", " ".join(words))  # one substitution for all: words contain no spaces
    words = joined.split(" ")
    size = min(shingle, len(words))
    shingles = {
        xxhash.xxh32_intdigest(" ".join(words[i : i + size]).encode("utf-8", "replace"))
        for i in range(len(words) - size + 1)
    }
    digest = xxhash.xxh3_128_digest(joined.encode("utf-8", "replace"))
    return ContentHashes(digest=digest, shingles=struct.pack(f"<{len(shingles)}I", *sorted(shingles)))


def without(words: list[str], url: str, *, complete: bool = False) -> list[str]:
    """The words without runs of words of the address that contain at least the name of the file, or with `complete` its
    path.

    >>> words = "the old page a test docs old page html is gone".split()
    >>> without(words, "http://a.test/docs/old-page.html")
    ['the', 'is', 'gone']
    >>> without(words, "http://a.test/docs/old-page.html", complete=True)
    ['the', 'old', 'page', 'is', 'gone']
    """
    before, name, after = _url_words(url.casefold(), complete=complete)
    if not name:
        return words
    remaining: list[str] = []
    index = 0
    while index < len(words):
        if words[index] != name[0] or words[index : index + len(name)] != name:
            remaining.append(words[index])
            index += 1
            continue
        index += len(name)
        for each in reversed(before):
            if not remaining or remaining[-1] != each:
                break
            remaining.pop()
        for each in after:
            if index == len(words) or words[index] != each:
                break
            index += 1
    return remaining


def _url_words(url: str, *, complete: bool) -> tuple[list[str], list[str], list[str]]:
    """The words of an address: those before the required ones, the required ones, and those after them."""
    split_url = urlsplit(url)
    origin, path, query = (
        _words(f"{split_url.scheme} {split_url.netloc}"),
        split_url.path.rstrip("/"),
        _words(split_url.query),
    )
    if complete:
        return origin, _words(path) + query, []
    directory, _, file = path.rpartition("/")
    stem, dot, extension = file.rpartition(".")
    name, after = (_words(stem), _words(extension)) if stem and dot else (_words(file), [])
    before, after = origin + _words(directory), after + query
    return (before, name, after) if name else (before, after, [])


def _words(text: str) -> list[str]:
    return _WORD.findall(unquote(text))


# -- judging --------------------------------------------------------------------------------------------------------


def behaviour_of(probes: Sequence[Probed], alike: float) -> ErrorBehaviour:
    """How a host responds for missing pages. `alike`: similarity from which two texts count as the same."""
    answers = [each for each in probes if each.status is not None and each.status < 500 and each.status != 429]
    if len(answers) < LEAST:
        return ErrorBehaviour(kind=NO_ANSWER)
    successful = [each for each in answers if each.status is not None and 200 <= each.status < 300]
    samples = [
        each
        for each in successful
        if any(
            other is not each and resemblance(other.digest, (other.content_hashes,), each) >= alike
            for other in successful
        )
    ]
    distinct = {each.content_hashes.digest or each.digest: each for each in reversed(samples)}
    targets = Counter(each.location for each in answers if each.location)
    moved = [each for each in answers if targets[each.location] >= LEAST]
    if samples or moved:
        return ErrorBehaviour(kind=SOFT, samples=tuple(reversed(distinct.values())), moved=tuple(moved))
    missing = [each for each in answers if each.status is not None and 400 <= each.status < 500]
    return ErrorBehaviour(kind=HONEST if len(missing) >= LEAST else DIFFERENT)


def resemblance(digest: bytes, variants: Sequence[ContentHashes], sample: Probed) -> float:
    """The Jaccard similarity of a page to a sample, 1.0 for the same body or words; the best of the possible texts."""
    if digest and digest == sample.digest:
        return 1.0
    if sample.content_hashes.digest in {each.digest for each in variants if each.digest}:
        return 1.0
    return max((exact(each.shingles, sample.content_hashes.shingles) for each in variants), default=0.0)


def may_resemble(size: int, url: str, sample: Probed) -> bool:
    """Whether a text of this many bytes must be read."""
    echo = ECHO + 4 * len(url)
    return sample.size / 2 - echo <= size <= 2 * sample.size + echo


def is_home(url: str, target: str) -> bool:
    """Whether a URL may honestly display, or redirect to, the host's common page: its own home, or the home of the
    target."""
    split_url = urlsplit(url)
    directory, _, file = split_url.path.rpartition("/")
    is_index = file.partition(".")[0].casefold() in _HOME and not split_url.query
    return is_index and (not directory or urlsplit(target).path.rstrip("/") == directory)
