"""The tables of a ring are as consistent as those of a crawl on one machine."""

import pytest

from tests.cluster.rings import Carrier, Cluster, problems, random_web, seeded


@pytest.mark.slow
@pytest.mark.parametrize("kills", [0, 4])
def test_nothing_is_wrong_in_the_tables_of_a_ring(tmp_path, kills):
    web = random_web(seeded(7))
    seeds = [f"http://{name}/0" for name in list(web.sites)[:2]]
    carrier = Carrier(lost=0.2, doubled=0.2)
    one = Cluster(tmp_path / "one", web, seeded(7), rings=1, seeds=seeds, max_depth=4)
    three = Cluster(tmp_path / "three", web, seeded(7), rings=3, seeds=seeds, carrier=carrier, max_depth=4)
    one.run()
    three.run(kills=kills)
    model = problems(one.rings[1].directory).keys()
    for member in three.rings.values():
        found = problems(member.directory)
        assert found.keys() <= model, found


@pytest.mark.slow
def test_nothing_is_wrong_in_the_tables_of_rings_whose_hosts_moved(tmp_path):
    web = random_web(seeded(7))
    seeds = [f"http://{name}/0" for name in list(web.sites)[:2]]
    one = Cluster(tmp_path / "one", web, seeded(7), rings=1, seeds=seeds, max_depth=4)
    many = Cluster(tmp_path / "many", web, seeded(7), rings=2, seeds=seeds, max_depth=4)
    one.run()
    for change in (many.join, lambda: many.leave(1)):
        many.run(until=lambda: len(many.log()) > 40)
        change()
        many.run(until=lambda: many.settled)
    many.run()
    model = problems(one.rings[1].directory).keys()
    for member in many.rings.values():
        found = problems(member.directory)
        assert found.keys() <= model, found
