"""The redirects of seeds, stored in parts."""

import json

import pytest

from ttcrawl.store.seeds import REDIRECTS, StoredRedirects, redirects_of


def pairs(first, end):
    return [(f"http://{n}.test/", f"https://www.{n}.test/") for n in range(first, end)]


@pytest.mark.parametrize("at_once", [1, 2, 3, 5, 100])
def test_only_parts_that_have_changed_are_stored_again(at_once):
    about = {}
    stored = StoredRedirects(about, most=4)
    for first in range(0, 23, at_once):
        for each in pairs(first, min(first + at_once, 23)) * 2:
            stored.add(each)
        changed = stored.take_changed()
        assert sum(len(json.loads(part)) for part in changed.values()) < at_once + 4
        about |= changed
        assert stored.take_changed() == {}
    assert redirects_of(about) == tuple(pairs(0, 23)) and len(about) == 6


def test_a_later_run_goes_on_where_the_last_one_ended():
    about = {REDIRECTS: "[]"}  # of a new crawl
    for first in range(0, 30, 3):
        stored = StoredRedirects(about, most=4)
        for each in pairs(0, first + 3):
            stored.add(each)
        about |= stored.take_changed()
    assert redirects_of(about) == tuple(pairs(0, 30)) and len(about) == 8


def test_one_row_of_an_earlier_version_is_the_first_part():
    about = {REDIRECTS: json.dumps(pairs(0, 10))}
    stored = StoredRedirects(about, most=4)
    for each in pairs(5, 12):
        stored.add(each)
    changed = stored.take_changed()
    assert list(changed) == [f"{REDIRECTS} 1"]
    assert redirects_of(about | changed) == tuple(pairs(0, 12))


def test_a_crawl_of_an_earlier_version_has_none():
    assert redirects_of({}) == ()
    assert StoredRedirects({}).take_changed() == {}
