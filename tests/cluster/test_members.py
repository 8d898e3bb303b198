"""Who owns what while hosts move."""

from ttcrawl.cluster.members import divided, first, founding, joined, left, losers, receivers, routes, settled, table_of
from ttcrawl.cluster.messages import AdoptedUrl, Adoption, HostState, packed, unpacked
from ttcrawl.cluster.route import table
from ttcrawl.store.rows import UrlPath

FIRST = founding(table([1, 2], buckets=256))
SECOND = joined(FIRST, 3)
NOBODY = frozenset()
SITES = [f"www.site{number}.test" for number in range(100)]


def owners(ring_of):
    return [ring_of(name) for name in SITES]


def test_a_ring_that_joins_takes_from_all_others():
    assert (SECOND.epoch, SECOND.processes, SECOND.rings, SECOND.before) == (1, (1, 2, 3), (1, 2, 3), (1, 2))
    assert [losers(SECOND, ring) for ring in (1, 2, 3)] == [NOBODY, NOBODY, {1, 2}]
    assert losers(FIRST, 1) == NOBODY


def test_a_ring_that_leaves_stays_as_a_process():
    third = left(SECOND, 1)
    assert (third.epoch, third.processes, third.rings, third.before) == (2, (1, 2, 3), (2, 3), (1, 2, 3))
    assert [losers(third, ring) for ring in (1, 2, 3)] == [NOBODY, {1}, {1}]


def test_what_is_awaited_is_not_owned_yet():
    assert 3 not in owners(routes(SECOND, 3, frozenset((1, 2))))
    old, new = owners(table_of(FIRST).ring_of), owners(table_of(SECOND).ring_of)
    assert owners(routes(SECOND, 3, NOBODY)) == owners(routes(SECOND, 1, NOBODY)) == new
    partly = owners(routes(SECOND, 3, frozenset((2,))))
    assert partly == [2 if (a, b) == (2, 3) else b for a, b in zip(old, new, strict=True)]


HOSTS = [f"h{number}.uni.test" for number in range(60)]
SPLIT = divided(SECOND, ["uni.test"])


def test_a_domain_that_is_split_moves_from_its_owner_to_all_others():
    owner = table_of(SECOND).ring_of("uni.test")
    others = frozenset(SPLIT.rings) - {owner}
    assert (SPLIT.epoch, SPLIT.rings, SPLIT.before) == (2, (1, 2, 3), (1, 2, 3))
    assert receivers(SPLIT, owner) == others and losers(SPLIT, owner) == NOBODY
    assert all(losers(SPLIT, ring) == {owner} and receivers(SPLIT, ring) == NOBODY for ring in others)
    assert {table_of(SPLIT).ring_of(name) for name in HOSTS} == set(SPLIT.rings)
    assert {table_of(SECOND).ring_of(name) for name in HOSTS} == {owner}
    for ring in others:
        assert {routes(SPLIT, ring, frozenset((owner,)))(name) for name in HOSTS} == set(SPLIT.rings) - {ring}
    assert [table_of(first(SPLIT, owner)).ring_of(name) for name in HOSTS] == [owner] * len(HOSTS)


def test_a_domain_that_is_split_stays_so():
    later = joined(settled(SPLIT), 4)
    old, new = table_of(SPLIT), table_of(later)
    assert {new.ring_of(name) for name in HOSTS} == {1, 2, 3, 4}
    assert all(new.ring_of(name) in (old.ring_of(name), 4) for name in HOSTS)
    both = divided(settled(later), ["blog.test"])
    assert both.splits == {"uni.test": 2, "blog.test": 4}
    assert receivers(both, new.ring_of("blog.test")) == set(both.rings) - {new.ring_of("blog.test")}
    assert table_of(first(both, 1)).split == {"uni.test"}


def test_an_adoption_arrives_as_it_was():
    host = HostState(host="www.a.test", columns={"robots": None, "next_at": 1.5, "failures": 2, "address": "192.0.2.1"})
    url = AdoptedUrl(url="http://www.a.test/", path=UrlPath(None, 1, 0, -3, 2, 1, 0, 7), holder=2)
    adoption = Adoption(epoch=3, number=2, hosts=[host], urls=[url])
    assert unpacked(packed(adoption)) == adoption
