"""A trained classifier as data: a JSON file with words and weights, which another program can read.

A file from somebody else is checked completely before it is used: it can be wrong, not dangerous.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec

from ttcrawl.errors import UsageError
from ttcrawl.output.untrusted import escape_untrusted

FORMAT, VERSION = "ttcrawl topic model", 1

#: A larger file is not a model, bytes; larger numbers would make sums infinite.
LARGEST, LARGEST_NUMBER = 64 << 20, 1e9

#: Words of the longest n-gram, at most; characters of a word: longer ones are data.
MOST, LONGEST = 3, 100

#: Bits of the number of a word in the code of an n-gram: MOST words fit into 63 bits.
BITS = 21

#: More n-grams could have more words than fit into codes.
MOST_TERMS = (1 << BITS) // MOST - 1

SVM, LOGISTIC = "svm", "logistic"


class Spread(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A figure of the cross-validation: mean and standard deviation over the folds."""

    mean: float
    deviation: float


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the cross-validation measured. `brier`: the mean squared error of the probability."""

    folds: int
    precision: Spread
    recall: Spread
    f1: Spread
    average_precision: Spread
    brier: float


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`terms`: (n-gram, inverse document frequency, weight), no two with the same n-gram.

    The margin of a page is `bias` + the sum of its TF-IDF values times weights. Its probability is
    1 / (1 + exp(-(slope * margin + offset))); it is accepted from the margin `threshold` on.
    """

    format: str
    version: int
    learner: str
    ngrams: Annotated[int, msgspec.Meta(ge=1, le=MOST)]
    criterion: str
    threshold: float
    bias: float
    slope: float
    offset: float
    relevant: int
    irrelevant: int
    inputs: str
    figures: Figures
    terms: list[tuple[str, float, float]]

    def __post_init__(self) -> None:
        """Raises ValueError."""
        if len(self.terms) > MOST_TERMS:
            raise ValueError(f"more than {MOST_TERMS:,} n-grams")
        numbers = [self.threshold, self.bias, self.slope, self.offset]
        numbers += [number for _, idf, weight in self.terms for number in (idf, weight)]
        if not all(math.isfinite(each) and abs(each) <= LARGEST_NUMBER for each in numbers):
            raise ValueError("a number is not finite or too large")
        if any(idf <= 0 for _, idf, _ in self.terms):
            raise ValueError("an inverse document frequency is not positive")
        texts = [text for text, _, _ in self.terms]
        if len(set(texts)) != len(texts):
            raise ValueError("an n-gram is there twice")
        for text in texts:
            words = text.split(" ")
            if len(words) > self.ngrams or not all(0 < len(word) <= LONGEST for word in words):
                raise ValueError(f"{text[:50]!r} has no words, or too many")


def probability(margin: float, slope: float, offset: float) -> float:
    """Return the calibrated probability of a margin (Platt 1999)."""
    return 1.0 / (1.0 + math.exp(min(700.0, -(slope * margin + offset))))


class _Header(msgspec.Struct):
    format: str
    version: int


def packed(model: Model) -> bytes:
    """Return the bytes of a file: the same model, the same bytes. Each n-gram is on a line of its own."""
    shell = msgspec.structs.replace(model, terms=[])
    head = msgspec.json.format(msgspec.json.encode(shell), indent=1)
    return head.removesuffix(b"[]\n}") + b"[\n" + b",\n".join(_lines(model.terms)) + b"\n ]\n}\n"


def _lines(terms: Iterable[tuple[str, float, float]]) -> Iterable[bytes]:
    return map(msgspec.json.encode, terms)


def model_bytes(path: Path) -> bytes:
    """Return the contents of a file. Raises UsageError."""
    name = escape_untrusted(str(path))
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror}; name a file that ttcrawl topic train wrote") from error
    if len(data) > LARGEST:
        raise UsageError(f"{name} is larger than {LARGEST >> 20} MB: that is not a model")
    return data


def load_model(path: Path) -> Model:
    """Read a file. Raises UsageError."""
    name, data = escape_untrusted(str(path)), model_bytes(path)
    try:
        header = msgspec.json.decode(data, type=_Header)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise UsageError(f"{name} is not a model: name a file that ttcrawl topic train wrote") from error
    if header.format != FORMAT:
        raise UsageError(f"{name} is not a model: name a file that ttcrawl topic train wrote")
    if header.version != VERSION:
        raise UsageError(
            f"{name} is a model of version {header.version}; this ttcrawl reads version {VERSION}: train it again"
        )
    try:
        return msgspec.json.decode(data, type=Model)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise UsageError(escape_untrusted(f"{path} is a damaged model: {error}; train it again")) from error
