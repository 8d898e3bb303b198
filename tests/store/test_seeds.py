"""The seeds, stored seldom, and their redirects, stored in parts."""

import json

import pytest

from ttcrawl.store.seeds import REDIRECTS, StoredRedirects, StoredSeeds, redirects_of, seeds_of


def test_what_is_written_of_seeds_grows_as_they_do():
    """Not by the square of their number: each commit brings some."""
    about, written = {}, 0
    seeds = StoredSeeds(about)
    for number in range(5_000):
        seeds.add(f"http://a.test/{number}")
        if number % 10 == 9:
            row = seeds.row(last=False)
            written += sum(map(len, row.values()))
            about |= row
            assert number < 1.3 * len(seeds_of(about)) + 10
    about |= seeds.row(last=True)
    assert len(seeds_of(about)) == 5_000 and written < 6 * len(about["seeds"])
    assert seeds.row(last=True) == StoredSeeds(about).row(last=True) == {}


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
