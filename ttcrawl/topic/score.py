"""The decision about a page: from the points of its classes to yes or no."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

#: How scores of classes on several levels (CP.Drosera below CP) are added: not, to the class above, to the one below.
FLAT, UP, DOWN = "flat", "up", "down"


class CutOffs(Struct, frozen=True, kw_only=True):
    """What a class needs: the total of the page, its normalised total, and the share of the class in it, percent."""

    total: float
    normalised: float
    share: float


#: Combine's constants. A page is accepted if the scores of its classes above all cut-offs are more than ACCEPTED.
PLAIN, POSITION = CutOffs(total=90, normalised=0.2, share=10), CutOffs(total=1, normalised=0.002, share=1)
ACCEPTED = 1.0


def cut_offs(algorithm: str, total: float, normalised: float, share: float) -> CutOffs:
    """Return the cut-offs; a negative number stands for Combine's."""
    usual = PLAIN if algorithm == "plain" else POSITION
    return CutOffs(
        total=usual.total if total < 0 else total,
        normalised=usual.normalised if normalised < 0 else normalised,
        share=usual.share if share < 0 else share,
    )


class ClassScore(Struct, frozen=True, kw_only=True):
    """The score of one class. `kept`: it is above the cut-offs. `terms`: the terms that matched."""

    name: str
    score: float
    normalised: float
    kept: bool
    terms: tuple[str, ...]


class TopicScore(Struct, frozen=True, kw_only=True):
    """The score of a page. `total` and `normalised` are sums over all classes, `kept_score` over the kept ones."""

    accepted: bool
    total: float
    normalised: float
    kept_score: float
    site_ok: bool  # accepted whatever the score
    classes: tuple[ClassScore, ...]  # by name


class ClassPoints(Struct):
    """What the matched terms of a page give to a class: absolute, and for each word of the part a term is in."""

    absolute: float
    normalised: float
    terms: dict[str, None]


def decide(points: Mapping[str, ClassPoints], cut: CutOffs, hierarchy: str, *, site_ok: bool) -> TopicScore:
    """`points`: by the name of the class."""
    absolute = {name: each.absolute for name, each in points.items()}
    normalised = {name: each.normalised for name, each in points.items()}
    total, per_word = sum(absolute.values()), sum(normalised.values())
    if hierarchy != FLAT:
        absolute, normalised = summed(absolute, hierarchy), summed(normalised, hierarchy)
    enough = total >= cut.total and per_word >= cut.normalised and per_word > 0
    classes = [
        ClassScore(
            name=name,
            score=absolute[name],
            normalised=normalised[name],
            kept=enough and 100 * normalised[name] / per_word >= cut.share,
            terms=tuple(points[name].terms) if name in points else (),
        )
        for name in sorted(absolute)
    ]
    # what a class gets from another one counts once
    kept_score = sum([points[each.name].absolute for each in classes if each.kept and each.name in points])
    return TopicScore(
        accepted=kept_score > ACCEPTED or site_ok,
        total=total,
        normalised=per_word,
        kept_score=kept_score,
        site_ok=site_ok,
        classes=tuple(classes),
    )


def summed(scores: Mapping[str, float], hierarchy: str) -> dict[str, float]:
    """Return scores, each with the scores of the classes below (UP) or above (DOWN) it added.

    >>> summed({"CP": 1.0, "CP.Drosera": 2.0}, UP)
    {'CP': 3.0, 'CP.Drosera': 2.0}
    >>> summed({"CP": 1.0, "CP.Drosera": 2.0}, DOWN)
    {'CP': 1.0, 'CP.Drosera': 3.0}
    """
    result = dict(scores)
    for name, score in scores.items():
        for above in _above(name):
            if hierarchy == UP:
                result[above] = result.get(above, 0.0) + score
            else:
                result[name] += scores.get(above, 0.0)
    return result


def _above(name: str) -> list[str]:
    levels = name.split(".")
    return [".".join(levels[:count]) for count in range(1, len(levels))]
