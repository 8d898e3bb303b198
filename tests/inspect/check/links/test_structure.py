"""How many pages link to a URL: links over redirects count."""

import pytest

from ttcrawl.inspect.check.links.structure import Graph, linking_of

#: Ids from 10 on are redirects.
MOVED = {10, 11, 12, 13}


@pytest.mark.parametrize(
    ("targets", "linking"),
    [
        ({1: [3], 2: [3]}, 2),
        ({1: [10], 10: [3]}, 1),
        ({1: [10], 2: [3], 10: [3]}, 2),
        ({1: [10], 2: [11], 10: [11], 11: [3]}, 2),
        ({1: [10], 10: [11], 11: [12], 12: [3]}, 1),
        ({1: [10], 2: [3], 10: [11], 11: [10]}, 1),  # a loop
        ({1: [10], 10: []}, 0),  # to another host
        ({10: [3]}, 0),  # nothing links to the redirect
    ],
)
def test_links_to_a_page(targets, linking):
    assert linking_of(Graph(moved=MOVED, targets=targets, linked={}))[3] == linking
