"""The groups of a page's message are its rows: a column that one of them lacks is found here."""

from dataclasses import fields

import pytest

from ttcrawl.snapshot import rows
from ttcrawl.store.columns import columns
from ttcrawl.store.pages import BESIDE, EQUAL, OWN


def test_every_column_of_page_is_written_once():
    assert sorted((*OWN, *EQUAL)) == sorted(columns("page"))


@pytest.mark.parametrize("table", BESIDE)
def test_the_groups_are_the_tables_beside_it(table):
    assert BESIDE[table] == (*columns(table),)[1:]


def test_the_library_has_every_column_of_page():
    of_others = {"id", "url", "host", "state", "depth", "soft_404", "fields", "score"}
    names = [field.name for field in fields(rows.Page) if field.name not in of_others]
    assert names == [name for name in columns("page") if name != "url"]
