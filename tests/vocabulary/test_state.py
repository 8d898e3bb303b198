"""States: the table is what the types and the database have."""

import sqlite3
from typing import get_args

import pytest

from ttcrawl.store.schema import TABLES
from ttcrawl.vocabulary.state import ANSWERED, REQUESTED, STATES, State


def test_the_type_has_the_states_of_the_table():
    assert set(get_args(State)) == set(STATES)
    assert {"fetched", "moved"} == set(ANSWERED) and set(STATES) - {"refused"} == REQUESTED


@pytest.mark.parametrize("state", [*STATES, "made up"])
def test_the_database_takes_the_states_of_the_table(state):
    db = sqlite3.connect(":memory:")
    db.executescript(TABLES)
    row = "INSERT INTO url (key, url, site, state, reason, priority, discovered) VALUES (1, 'x', 1, ?, '', 0, 0)"
    if state in STATES:
        db.execute(row, (state,))
    else:
        with pytest.raises(sqlite3.IntegrityError, match="state"):
            db.execute(row, (state,))
