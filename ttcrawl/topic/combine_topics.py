"""The rows that Combine writes about an accepted page into its table `topic`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import re2

from ttcrawl.topic.score import TopicScore
from ttcrawl.topic.scorer import Hit

ALL = "ALL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One row. `relative`: points for each word, in thousandths."""

    notation: str
    absolute: float
    relative: int
    terms: tuple[str, ...]
    algorithm: str


def topics(score: TopicScore, hits: Iterable[Hit], algorithm: str) -> list[Topic]:
    """Return the rows of a page, first that of the page, then one of each class that is kept and can be written."""
    if not score.accepted:
        return []
    name = "Std" if algorithm == "plain" else "Pos"
    terms: dict[str, str] = {}
    for hit in sorted(hits, key=lambda hit: hit.term.line):
        for each in hit.term.classes:
            for _ in range(hit.count):
                listed = terms.get(each, "")
                if re2.search(f"{hit.term.text}, ", listed) is None:  # so some regular expressions are listed again
                    terms[each] = f"{listed}{hit.term.text}, "
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
                    terms=tuple(terms.get(of_class.name, "").removesuffix(", ").split(", ")),
                    algorithm=name,
                )
            )
    return rows


def _thousandths(value: float) -> int:
    return int(value * 1000 + 0.5)


def _is_plain(value: float) -> bool:
    """Whether Perl prints a number as digits: not negative, without an exponent."""
    return value >= 0 and "e" not in f"{value:.15g}"
