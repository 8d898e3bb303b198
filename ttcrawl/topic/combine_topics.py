"""The rows that Combine writes about an accepted page into its table `topic`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import re2

from ttcrawl.topic.page import HEADINGS, METADATA, TEXT, TITLE
from ttcrawl.topic.score import TopicScore
from ttcrawl.topic.scorer import JOINED, Hit
from ttcrawl.topic.terms import AND

ALL = "ALL"

#: The parts of a page in the order in which Combine matches them.
_PARTS = (TEXT, HEADINGS, METADATA, TITLE, JOINED)

#: Characters of regular expressions that Combine deletes from a term that it exports.
_OF_PATTERNS = str.maketrans("", "", "?*^[]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One row. `relative`: points for each word, in thousandths."""

    notation: str
    absolute: float
    relative: int
    terms: tuple[str, ...]
    algorithm: str


def topics(score: TopicScore, terms: Mapping[str, Sequence[str]], algorithm: str) -> list[Topic]:
    """Return the rows of a page, first of the page itself, then of each class that is kept and can be written.

    `terms`: by the name of the class.
    """
    if not score.accepted:
        return []
    name = "Std" if algorithm == "plain" else "Pos"
    rows = [
        Topic(notation=ALL, absolute=score.total, relative=_thousandths(score.normalised), terms=(), algorithm=name)
    ]
    for of_class in score.classes:
        if of_class.kept and "(" not in of_class.name and _is_plain(of_class.score) and _is_plain(of_class.normalised):
            rows.append(
                Topic(
                    notation=of_class.name,
                    absolute=of_class.score,
                    relative=_thousandths(of_class.normalised),
                    terms=tuple(terms.get(of_class.name, ())),
                    algorithm=name,
                )
            )
    return rows


def listed(hits: Iterable[Hit]) -> dict[str, list[str]]:
    """Return the terms by class as Combine lists them: part after part, in the order of the list.

    A term is listed for each time it occurs, one with @and once for each part, unless it matches what is listed
    already: so some regular expressions are there again, and a term that ends an earlier one is missing.
    """
    terms: dict[str, str] = {}
    for hit in sorted(hits, key=lambda hit: (_PARTS.index(hit.location), hit.term.line)):
        times = 1 if len(hit.term.needles) > 1 else hit.count
        for each in hit.term.classes:
            for _ in range(times):
                before = terms.get(each, "")
                if re2.search(f"{hit.term.text}, ", before) is None:
                    terms[each] = f"{before}{hit.term.text}, "
    return {name: text.removesuffix(", ").split(", ") for name, text in terms.items()}


def shown(terms: Iterable[str]) -> list[str]:
    """Return terms as Combine exports them: without the characters of regular expressions and a last s, each once.

    >>> shown([r"drosera[^\\s]*", r"dr?\\.?\\s*capensis", "pitchers @and baseball", "drosera"])
    ['drosera', 'drcapensi', 'pitcher, baseball']
    """
    plain = (re.sub(r"\\.", "", term, flags=re.DOTALL).translate(_OF_PATTERNS) for term in terms)
    return list(dict.fromkeys(", ".join(each.removesuffix("s") for each in term.split(f" {AND} ")) for term in plain))


def _thousandths(value: float) -> int:
    return int(value * 1000 + 0.5)


def _is_plain(value: float) -> bool:
    """Whether Perl prints a number as digits: not negative, without an exponent."""
    return value >= 0 and "e" not in f"{value:.15g}"
