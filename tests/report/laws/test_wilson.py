"""The interval against that of scipy."""

import pytest
import scipy
from pytest import approx

from ttcrawl.report.laws.wilson import wilson


@pytest.mark.parametrize("hits, of", [(0, 1), (1, 1), (0, 20), (20, 20), (7, 20), (995, 1000), (1, 100_000)])
def test_as_scipy_has_it(hits, of):
    expected = scipy.stats.binomtest(hits, of).proportion_ci(method="wilson")
    assert wilson(hits, of) == approx((expected.low, expected.high), abs=1e-12)
