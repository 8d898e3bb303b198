"""Whatever the web says, a message holds nothing that a database, JSON or UTF-8 cannot take."""

import json
import math
import sqlite3
from contextlib import closing
from typing import get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields

from tests.support.crawls.any_messages import CLASSES, any_made, plain, sample
from ttcrawl.ring.messages import Moved, Page
from ttcrawl.store import pages
from ttcrawl.store.schema import TABLES
from ttcrawl.web.storable import Storable, integer, real, replace, text

quickly = settings(max_examples=60, derandomize=True, deadline=None, database=None)


def values(made):
    """All that is in a message, at any depth."""
    if isinstance(made, Storable):
        made = msgspec.structs.astuple(made)
    if not isinstance(made, tuple):
        return [made]
    return [value for part in made for value in values(part)]


def check(value):
    """It comes out of a database as it went in."""
    with closing(sqlite3.connect(":memory:")) as db:
        ((back, kind),) = db.execute("SELECT ?1, typeof(?1)", (value,)).fetchall()
    if value is None:
        return
    assert back == value
    assert kind == {str: "text", int: "integer", bool: "integer", float: "real", bytes: "blob"}[type(value)]
    if isinstance(value, str):
        assert "\0" not in value and value.encode().decode() == value
    if not isinstance(value, bytes):
        assert json.loads(json.dumps(value, allow_nan=False)) == value


@pytest.mark.slow
@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@quickly
@given(data=st.data())
def test_every_field_of_every_message(cls, data):
    made = data.draw(any_made(cls))
    for each in (made, msgspec.msgpack.decode(msgspec.msgpack.encode(made), type=cls), replace(made)):
        assert each == made
        for value in values(each):
            check(value)


@pytest.mark.slow
@pytest.mark.parametrize("cls", [Page, Moved], ids=lambda cls: cls.__name__)
@quickly
@given(data=st.data())
def test_the_tables_take_whatever_answer_there_is(cls, data):
    made = data.draw(any_made(cls))
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        for statement, row in pages.rows(7, 1.0, 200, made, None):
            db.execute(statement, row)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_a_value_of_another_type_does_not_get_in(cls):
    """A text where a number should be, or bytes where a text should be, would be stored and break who reads it."""
    kinds = get_type_hints(cls)
    sound = sample(cls)
    for field in fields(cls):
        for wrong in {str: (b"bytes", 7), int: ("7", 7.0, None), float: ("7",)}.get(plain(kinds[field.name]), ()):
            with pytest.raises(TypeError):
                replace(sound, **{field.name: wrong})


def test_a_type_that_nobody_knows_how_to_store():
    class Odd(Storable, frozen=True, kw_only=True):
        things: list[str]

    with pytest.raises(TypeError, match="nobody knows how to store"):
        Odd(things=[])


@pytest.mark.slow
@given(st.text(st.characters(categories=["Cs", "Cc", "Ll", "So"]), max_size=8))
def test_texts(value):
    assert text(value) == text(text(value))
    try:
        value.encode()
    except UnicodeEncodeError:
        joined = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        assert text(value) == joined.replace("\0", "\ufffd")
    else:
        assert text(value) == value.replace("\0", "\ufffd")


@given(st.integers() | st.just(1 << 63))
def test_integers(value):
    assert integer(value) == value if -(1 << 63) <= value < 1 << 63 else abs(integer(value)) >= (1 << 63) - 1


@given(st.floats())
def test_reals(value):
    assert math.isfinite(real(value)) and (real(value) == value or not math.isfinite(value))
