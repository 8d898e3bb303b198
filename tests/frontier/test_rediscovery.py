"""What another path changes in a URL that was discovered before: every combination of a row, a path and a refusal."""

import pytest

from ttcrawl.frontier.bounds import Bounds
from ttcrawl.frontier.priority import WORST
from ttcrawl.frontier.rediscovery import UNCHANGED, Decision, rediscovered
from ttcrawl.store.rows import Row, UrlPath
from ttcrawl.vocabulary.state import FAILED, FETCHED, MOVED, QUEUED, REFUSED

URL = "http://a.test/x"

#: Paths as a page: at the depths 0 to 3, by a redirect, in a sitemap, of the worst rank, behind irrelevant pages.
P0, P1, P2, P3 = (UrlPath(depth, 0, 0, 0, 0) for depth in range(4))
MOVED_TO, LISTED, LAST, OFF_TOPIC = (
    UrlPath(1, 1, 0, 0, 0),
    UrlPath(1, 0, 0, 0, 1),
    UrlPath(1, 0, 0, WORST, 0),
    UrlPath(1, 0, 0, 0, 0, 0, 2),
)

PROMISING = P1._replace(score=9)

#: Paths without a link that is followed, and as a page requisite.
OUTSIDE, SHOWN, SHOWN_FAR, TOO_FAR = (UrlPath(None, 0, 0, 0, 0, steps) for steps in (0, 1, 4, 11))


def scope_at(url, depth, off_domain):
    return ("scope: hops", "hops") if depth > 2 else ("", "")


ANY, NEAR, RECORD, TOPIC, SCOPED = (
    Bounds(),
    Bounds(max_depth=2),
    Bounds(record=True),
    Bounds(topical=True, tunnel=1),
    Bounds(scope_at=scope_at),
)


def queue(path, **changes):
    return Decision(queue=path._replace(**changes))


def path(path, *, spread=False, **changes):
    return Decision(path=path._replace(**changes), spread=spread)


def refuse(reason, path=None, rule=""):
    return Decision(refused=reason, rule=rule, path=path)


TABLE = {
    # a URL that may be requested: its path shrinks
    "queued, nearer": (QUEUED, "", P3, P1, ANY, "", path(P1)),
    "queued, as near": (QUEUED, "", P1, P1, ANY, "", UNCHANGED),
    "queued, farther": (QUEUED, "", P1, P3, ANY, "", UNCHANGED),
    "queued, as near, by a redirect": (QUEUED, "", P1, MOVED_TO, ANY, "", UNCHANGED),
    "queued, by a link instead of a redirect": (QUEUED, "", MOVED_TO, P1, ANY, "", path(P1)),
    "queued, of a better rank": (QUEUED, "", LAST, P1, ANY, "", path(P1)),
    "queued, now in a sitemap": (QUEUED, "", P1, LISTED, ANY, "", path(LISTED)),
    "queued, by a link that is not followed": (QUEUED, "", P3, OUTSIDE, ANY, "content region", UNCHANGED),
    "queued, by a refused link that is nearer": (QUEUED, "", P3, P1, ANY, "scope: rule", path(P1)),
    "queued, nearer behind irrelevant pages": (QUEUED, "", P3, OFF_TOPIC, TOPIC, "", UNCHANGED),
    "fetched, nearer": (FETCHED, "http 200", P3, P1, ANY, "", path(P1, spread=True)),
    "fetched, as near": (FETCHED, "http 200", P1, P3, ANY, "", UNCHANGED),
    "fetched, of a better rank alone": (FETCHED, "http 200", LAST, P1, ANY, "", path(P1)),
    "fetched, with a better score alone": (FETCHED, "http 200", P1, PROMISING, ANY, "", path(PROMISING)),
    "moved, with a better score": (
        MOVED,
        "http 301",
        P1,
        P1._replace(score=9),
        ANY,
        "",
        path(P1, score=9, spread=True),
    ),
    "moved, nearer": (MOVED, "http 301", P3, P1, ANY, "", path(P1, spread=True)),
    "failed, nearer": (FAILED, "timeout", P3, P1, ANY, "", path(P1)),
    "robots.txt forbids it, nearer": (REFUSED, "robots.txt", P3, P1, ANY, "", path(P1)),
    # a refused URL: the reason depends on the path, or not
    "too deep, near enough": (REFUSED, "depth", P3, P1, NEAR, "", queue(P1)),
    "too deep, nearer and still too deep": (REFUSED, "depth", UrlPath(9, 0, 0, 0, 0), P3, NEAR, "", path(P3)),
    "too deep, by a refused link": (REFUSED, "depth", P3, P1, NEAR, "scope: rule", path(P1)),
    "too deep, near enough behind irrelevant pages": (
        *(REFUSED, "depth", P3, OFF_TOPIC, TOPIC, ""),
        refuse("topic", P1),
    ),
    "too deep, near enough and only recorded": (REFUSED, "depth", P3, P1, RECORD, "", refuse("until recycle", P1)),
    "off topic, by a relevant page": (REFUSED, "topic", OFF_TOPIC, P1, TOPIC, "", queue(P1)),
    "out of scope, nearer": (REFUSED, "scope: host", P3, P1, ANY, "", path(P1)),
    "out of a scope that depends on the path": (REFUSED, "scope: hops", P3, P1, SCOPED, "", queue(P1)),
    "out of scope, in a sitemap": (REFUSED, "scope: host", P3, LISTED, ANY, "", queue(LISTED)),
    "in a trap, nearer": (REFUSED, "trap: path", P3, P1, ANY, "", path(P1)),
    "recorded, by another link": (REFUSED, "until recycle", P1, P1, RECORD, "", UNCHANGED),
    "recorded, by a nearer link": (REFUSED, "until recycle", P3, P1, RECORD, "", path(P1)),
    "recorded, by a redirect": (REFUSED, "until recycle", P3, MOVED_TO, RECORD, "", queue(MOVED_TO)),
    "recorded, as a seed": (REFUSED, "until recycle", P3, P0, RECORD, "", queue(P0)),
    "of another ring, whose host is ours since": (REFUSED, "foreign", P1, P3, ANY, "", queue(P1)),
    # a URL without a link that is followed
    "an image, by a link": (REFUSED, "kind", OUTSIDE, P1, ANY, "", queue(P1)),
    "an image, by one more": (REFUSED, "kind", OUTSIDE, OUTSIDE, ANY, "kind", UNCHANGED),
    "an image, by a refused link": (REFUSED, "kind", OUTSIDE, P1, ANY, "scope: rule", refuse("scope: rule", P1, "r")),
    "an image, by a link that is too deep": (REFUSED, "kind", OUTSIDE, P3, NEAR, "", refuse("depth", P3)),
    "an image, by a recorded link": (
        REFUSED,
        "kind",
        OUTSIDE,
        P1,
        RECORD,
        "",
        refuse("until recycle", P1),
    ),
    "an image, as a requisite that is too far": (
        *(REFUSED, "kind", OUTSIDE, TOO_FAR, ANY, ""),
        refuse("page requisite: steps", path(UrlPath(None, 0, 0, 0, 0, 11)).path),
    ),
    # page requisites
    "a page, shown by another": (QUEUED, "", P1, SHOWN, ANY, "", path(P1, requisite=1)),
    "a fetched page, shown by another": (FETCHED, "http 200", P1, SHOWN, ANY, "", path(P1, requisite=1, spread=True)),
    "a requisite, by fewer steps": (QUEUED, "", SHOWN_FAR, SHOWN, ANY, "", path(SHOWN)),
    "a requisite, by more steps": (QUEUED, "", SHOWN, SHOWN_FAR, ANY, "", UNCHANGED),
    "a requisite, by a link": (FETCHED, "http 200", SHOWN, P1, ANY, "", path(P1, requisite=1, spread=True)),
    "a requisite, by a refused link": (QUEUED, "", SHOWN, P1, ANY, "scope: rule", UNCHANGED),
    "a requisite, by a link that is too deep": (QUEUED, "", SHOWN, P3, NEAR, "", UNCHANGED),
    "too deep, as a requisite": (REFUSED, "depth", P3, SHOWN, NEAR, "", queue(SHOWN)),
    "too deep, as a requisite that is too far": (REFUSED, "depth", P3, TOO_FAR, NEAR, "", path(P3, requisite=11)),
    "out of scope, as a requisite": (REFUSED, "scope: host", P3, SHOWN, ANY, "", queue(SHOWN)),
    "excluded by a rule, as a requisite": (REFUSED, "scope: rule", P3, SHOWN, ANY, "", path(P3, requisite=1)),
    "recorded, as a requisite": (REFUSED, "until recycle", P1, SHOWN, RECORD, "", queue(P1, requisite=1)),
}


def row(state, reason, path):
    others = {"id": 1, "url": URL, "site": 1, "demoted": 0, "priority": 0, "attempts": 0, "due": 0.0}
    return Row(state=state, reason=reason, **path._asdict(), **others)


@pytest.mark.parametrize(
    ("state", "reason", "before", "path", "bounds", "refused", "decision"), TABLE.values(), ids=TABLE
)
def test_another_path(state, reason, before, path, bounds, refused, decision):
    rule = "r" if refused else ""
    assert rediscovered(row(state, reason, before), path, bounds, refused, rule) == decision


@pytest.mark.parametrize("reason", ["scope: host", "scope: rule", "trap: path"])
@pytest.mark.parametrize("seed", [False, True])
def test_a_seed_is_queued_whatever_was_against_it(reason, seed):
    expected = queue(P0) if seed else path(P0)
    assert rediscovered(row(REFUSED, reason, P3), P0, ANY, seed=seed) == expected
