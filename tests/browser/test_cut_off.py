"""What a browser sends by itself, seen on the wire: nothing."""

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.cut_off import OUTSIDE, PUBLIC, REBOUND, crawled
from tests.cluster.machines.inside import inside, missing

pytestmark = [
    needs_chromium,
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing()), reason=missing() or "there are machines"),
]

#: The proxy that does not exist: port 9 of the machine itself.
PROXY = ("lo", "127.0.0.1", 9, "")


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    return inside(crawled, str(tmp_path_factory.mktemp("cut_off")), seconds=400)


def test_no_name_of_the_machine_itself_and_no_rebound_name_is_contacted(outcome):
    asked = [tuple(each) for each in outcome["asked"]]
    public = [f"::ffff:{each}" for each in PUBLIC]
    assert {address for _, address, _ in asked} == set(public)
    # a name with a private address too is contacted at the other one, and a rebound name no more
    assert {(host, path) for host, address, path in asked if address == public[1]} == {
        ("both.test", "/both"),
        (REBOUND, "/one"),
    }
    assert ("seed.test", public[0], "/end") in asked  # the scripts have come to their end


def test_no_packet_of_the_browser_leaves_the_machine(outcome):
    sent = {tuple(each) for each in outcome["sent"]}
    # the crawl looks up the hosts of its own requests; "localhost." is not in the file of names
    assert {each[1:] for each in sent if each[0] != "lo"} <= {(OUTSIDE, 53, "localhost")}
    assert {each for each in sent if each[0] == "lo"} - {PROXY} == {("lo", each, 80, "") for each in PUBLIC}
    assert "away.test" in {name for *_, name in outcome["control"]}
