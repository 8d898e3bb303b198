"""Who owns what while hosts move."""

from ttcrawl.cluster.members import founding, joined, left, losers, routes
from ttcrawl.cluster.messages import AdoptedUrl, Adoption, HostState, packed, unpacked
from ttcrawl.cluster.route import table
from ttcrawl.store.rows import UrlPath

FIRST = founding(table([1, 2], buckets=256))
SECOND = joined(FIRST, 3)
NOBODY = frozenset()


def test_a_ring_that_joins_takes_from_all_others():
    assert (SECOND.epoch, SECOND.processes, SECOND.rings, SECOND.before) == (1, (1, 2, 3), (1, 2, 3), (1, 2))
    assert [losers(SECOND, ring) for ring in (1, 2, 3)] == [NOBODY, NOBODY, {1, 2}]
    assert losers(FIRST, 1) == NOBODY


def test_a_ring_that_leaves_stays_as_a_process():
    third = left(SECOND, 1)
    assert (third.epoch, third.processes, third.rings, third.before) == (2, (1, 2, 3), (2, 3), (1, 2, 3))
    assert [losers(third, ring) for ring in (1, 2, 3)] == [NOBODY, {1}, {1}]


def test_what_is_awaited_is_not_owned_yet():
    old, new = table([1, 2], buckets=256).owner_of, table([1, 2, 3], buckets=256).owner_of
    assert 3 not in routes(SECOND, 3, frozenset((1, 2))).owner_of
    assert routes(SECOND, 3, NOBODY).owner_of == routes(SECOND, 1, NOBODY).owner_of == new
    partly = routes(SECOND, 3, frozenset((2,))).owner_of
    assert partly == tuple(2 if (a, b) == (2, 3) else b for a, b in zip(old, new, strict=True))


def test_an_adoption_arrives_as_it_was():
    host = HostState(host="www.a.test", columns={"robots": None, "next_at": 1.5, "failures": 2, "address": "192.0.2.1"})
    url = AdoptedUrl(url="http://www.a.test/", path=UrlPath(None, 1, 0, -3, 2, 1, 0, 7), holder=2)
    adoption = Adoption(epoch=3, number=2, hosts=[host], urls=[url])
    assert unpacked(packed(adoption)) == adoption
