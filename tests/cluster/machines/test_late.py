"""A request ends with its deadline, also where only the kernel still has it."""

from itertools import product

import pytest

from tests.cluster.machines import late
from tests.cluster.machines.inside import inside, missing
from tests.fetch.transports import TRANSPORTS
from tests.support.long_tables import MACHINES, few

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

TIMEOUTS = ["total_timeout", "read_timeout"]


@pytest.mark.parametrize(("transport", "key"), few(1, product(TRANSPORTS, TIMEOUTS), MACHINES))
def test_a_request_that_is_given_up_does_not_arrive_when_the_network_is_back(tmp_path, transport, key):
    found = inside(late.given_up, str(tmp_path), transport, key)
    first, late_one, last = found["outcomes"]
    assert (first, last) == ("200", "200") and late_one.startswith("timeout")
    assert found["requests"] == ["/", "/p/2"]
