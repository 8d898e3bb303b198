"""Soft 404s: pages that say that there is nothing here, with a status that says the opposite. Pure.

What a host says where there is nothing is known by asking it for URLs that cannot exist (Bar-Yossef, Broder, Kumar and
Tomkins, "Sic transit gloria telae", WWW 2004). A page that says the same is a soft 404. Sites echo the address that was
asked for: so texts are compared without their own, and with all numbers alike, which are times and the like.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import xxhash

from ttcrawl.read.fingerprints.similarity import exact

#: How a host answers for pages that are not there: as it should; as if they were; each time with something else; as for
#: all its pages (an application that runs in the browser), so that nothing can be told; or not at all.
HONEST, SOFT, DIFFERENT, ALL_ALIKE, NO_ANSWER = "honest", "soft", "different", "all alike", "no answer"

#: Answers that are needed: one alone might be anything.
LEAST = 2

#: Of the texts of a host this share at most can be soft 404s, of all its answers those by redirect; more: ALL_ALIKE.
MOST = 0.5

#: A text of this size may be as similar as is asked for to one between half and twice its size, give or take (bytes):
#: what a host may say of the address, besides echoing it.
ECHO = 100

#: Words of a text, but for echoes, that is looked at closely whatever it says.
FEW = 20

#: How the names of probes begin: whoever reads a server's log should see what they are.
NAME = "ttcrawl-soft-404-"

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")
_HOME = frozenset({"", "index", "default", "home"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a text says apart from its own address."""

    digest: bytes = b""  # xxh3_128 of the words; empty: there are none
    shingles: bytes = b""  # 32-bit hashes, little-endian, distinct, in rising order


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """What was answered for a URL that cannot exist."""

    id: int
    url: str
    status: int | None  # None: no answer
    location: str = ""  # canonical URL that a redirect leads to
    digest: bytes = b""  # of the body; empty: there is none
    said: Said = Said()
    size: int = 0  # bytes of the text


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorBehaviour:
    """How a host answers for pages that are not there."""

    kind: str
    samples: tuple[Probed, ...] = ()  # with status 2xx, that agree with one another; of equal ones the first
    moved: tuple[Probed, ...] = ()  # redirects that lead to one URL


# -- asking ---------------------------------------------------------------------------------------------------------


def urls(page: str, names: Sequence[str]) -> list[str]:
    """URLs that cannot exist: in the root of the host of a page, beside the page, and with its extension.

    >>> urls("http://a.test/news/2031/x.html?y", ["1", "2", "3"])
    ['http://a.test/ttcrawl-soft-404-1', 'http://a.test/news/2031/ttcrawl-soft-404-2', \
'http://a.test/news/2031/ttcrawl-soft-404-3.html']
    """
    parts = urlsplit(page)
    root, path = f"{parts.scheme}://{parts.netloc}", parts.path
    beside, file = path.rpartition("/")[0], path.rpartition("/")[2]
    _, dot, extension = file.rpartition(".")
    extension = f".{extension}" if dot and extension.isalnum() and len(extension) <= 5 else ".html"
    places = ((root + "/", ""), (f"{root}{beside}/", ""), (f"{root}{beside}/", extension))
    return [f"{place}{NAME}{name}{end}" for (place, end), name in zip(places, names, strict=True)]


# -- reading --------------------------------------------------------------------------------------------------------


def said(text: str, url: str, shingle: int) -> Said:
    """What the answer for a probe says: its own address can be nothing else. `shingle`: words in one."""
    return _said(without(_WORD.findall(text.casefold()), url), shingle)


def readings(text: str, url: str, shingle: int, samples: Sequence[Probed]) -> tuple[Said, ...]:
    """What a page may be saying: its address may be echoed in full, or its name alone, or be in no echo at all, for
    the name may be a word like others. A text without a shingle of the samples has none of their words in a row."""
    words = _WORD.findall(text.casefold())
    plain = _said(words, shingle)
    # where there are few, an echo may be in all of them
    if len(words) > FEW + 4 * len(_words(url)) and not any(
        exact(plain.shingles, each.said.shingles) for each in samples
    ):
        return (plain,)
    ways = (without(words, url, whole=True), without(words, url))
    return (plain, *(_said(each, shingle) for each in ways))


def _said(words: list[str], shingle: int) -> Said:
    import numpy  # late, as in ttcrawl.read.fingerprints.similarity

    if not words:
        return Said()
    joined = _NUMBER.sub("0", " ".join(words))  # at once: a word has no space in it
    words = joined.split(" ")
    size = min(shingle, len(words))
    found = {
        xxhash.xxh32_intdigest(" ".join(words[i : i + size]).encode("utf-8", "replace"))
        for i in range(len(words) - size + 1)
    }
    digest = xxhash.xxh3_128_digest(joined.encode("utf-8", "replace"))
    return Said(digest=digest, shingles=numpy.array(sorted(found), dtype="<u4").tobytes())


def without(words: list[str], url: str, *, whole: bool = False) -> list[str]:
    """Words without the runs of those of an address that have at least the name of the file, or `whole` its path.

    >>> words = "the old page a test docs old page html is gone".split()
    >>> without(words, "http://a.test/docs/old-page.html")
    ['the', 'is', 'gone']
    >>> without(words, "http://a.test/docs/old-page.html", whole=True)
    ['the', 'old', 'page', 'is', 'gone']
    """
    before, name, after = _parts(url.casefold(), whole=whole)
    if not name:
        return words
    kept: list[str] = []
    at = 0
    while at < len(words):
        if words[at] != name[0] or words[at : at + len(name)] != name:
            kept.append(words[at])
            at += 1
            continue
        at += len(name)
        for each in reversed(before):
            if not kept or kept[-1] != each:
                break
            kept.pop()
        for each in after:
            if at == len(words) or words[at] != each:
                break
            at += 1
    return kept


def _parts(url: str, *, whole: bool) -> tuple[list[str], list[str], list[str]]:
    """The words of an address: those before what must be there, that, and those after it."""
    parts = urlsplit(url)
    place, path, query = _words(f"{parts.scheme} {parts.netloc}"), parts.path.rstrip("/"), _words(parts.query)
    if whole:
        return place, _words(path) + query, []
    directory, _, file = path.rpartition("/")
    stem, dot, extension = file.rpartition(".")
    name, after = (_words(stem), _words(extension)) if stem and dot else (_words(file), [])
    before, after = place + _words(directory), after + query
    return (before, name, after) if name else (before, after, [])


def _words(part: str) -> list[str]:
    return _WORD.findall(unquote(part))


# -- judging --------------------------------------------------------------------------------------------------------


def behaviour_of(probes: Sequence[Probed], alike: float) -> ErrorBehaviour:
    """What a host calls missing. `alike`: similarity from which two texts are the same."""
    answered = [each for each in probes if each.status is not None and each.status < 500 and each.status != 429]
    if len(answered) < LEAST:
        return ErrorBehaviour(kind=NO_ANSWER)
    there = [each for each in answered if each.status is not None and 200 <= each.status < 300]
    samples = [
        each
        for each in there
        if any(other is not each and resemblance(other.digest, (other.said,), each) >= alike for other in there)
    ]
    distinct = {each.said.digest or each.digest: each for each in reversed(samples)}
    targets = Counter(each.location for each in answered if each.location)
    moved = [each for each in answered if targets[each.location] >= LEAST]
    if samples or moved:
        return ErrorBehaviour(kind=SOFT, samples=tuple(reversed(distinct.values())), moved=tuple(moved))
    missing = [each for each in answered if each.status is not None and 400 <= each.status < 500]
    return ErrorBehaviour(kind=HONEST if len(missing) >= LEAST else DIFFERENT)


def resemblance(digest: bytes, ways: Sequence[Said], sample: Probed) -> float:
    """The Jaccard similarity of a page to a sample, 1.0 for the same body or words; the best of several readings."""
    if digest and digest == sample.digest:
        return 1.0
    if sample.said.digest in {each.digest for each in ways if each.digest}:
        return 1.0
    return max((exact(each.shingles, sample.said.shingles) for each in ways), default=0.0)


def may_resemble(size: int, url: str, sample: Probed) -> bool:
    """A text of so many bytes need be read."""
    echo = ECHO + 4 * len(url)
    return sample.size / 2 - echo <= size <= 2 * sample.size + echo


def is_home(url: str, target: str = "") -> bool:
    """A URL that honestly shows, or leads to, what a host answers for others: its own home, or that of the target."""
    parts = urlsplit(url)
    place, _, file = parts.path.rpartition("/")
    home = file.partition(".")[0].casefold() in _HOME and not parts.query
    return home and (not place or urlsplit(target).path.rstrip("/") == place)
