"""Which processes count as stuck."""

import pytest

from ttcrawl.ring.stuck import START, STOPPED, STRIKES, strikes


@pytest.mark.parametrize(
    ("ready", "passed", "processor", "expected"),
    [
        (True, 0.9, 0.9, 0),
        (True, 1.1, 1.1, STRIKES),  # it works, and is too long over the page
        (True, 1.1, 0.9, 0),  # it waited for a processor
        (True, STOPPED + 1.9, 0.0, 0),  # a converter works for it
        (True, STOPPED + 2.1, 0.0, 1),  # it hangs, perhaps not because of the page
        (False, 1.1, 1.1, 0),  # it imports and reads term lists
        (False, START - 1, START - 1, 0),
        (False, START + 1, 0.0, 1),
    ],
)
def test_strikes(ready, passed, processor, expected):
    assert strikes(ready=ready, passed=passed, processor=processor, limit=1.0, longer=2.0) == expected
