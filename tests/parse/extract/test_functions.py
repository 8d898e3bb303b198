"""What a function may return, and what of it are items."""

import asyncio
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import msgspec
import pytest

from ttcrawl import HookResult
from ttcrawl.config import Hooks
from ttcrawl.config.extractors import extractors
from ttcrawl.parse.extract.extractor import MOST, Extractors
from ttcrawl.parse.extract.functions import fields_of, items_of
from ttcrawl.parse.extract.version import version_of
from ttcrawl.parse.hooks.call import CalledHooks, HookFailedError
from ttcrawl.parse.hooks.load import HookError, function_of_file
from ttcrawl.parse.hooks.packed import packed


@dataclass
class Book:
    title: str
    pages: int | None = None


class Shop(msgspec.Struct):
    name: str


async def coroutine(page):
    await asyncio.sleep(0)
    return [{"a": page}]


async def asynchronous_generator(page):
    for n in (1, 2):
        await asyncio.sleep(0)
        yield {"a": n}


def generator(page):
    yield {"a": 1}
    yield None
    yield HookResult(fields={"a": 2})
    yield {}


RETURNED = (
    (None, []),
    (True, []),
    (3.5, []),
    ({}, []),
    ([], []),
    ({"a": 1}, [{"a": 1}]),
    ([{"a": 1}, {"a": 2}], [{"a": 1}, {"a": 2}]),
    (({"a": n} for n in (1, 2)), [{"a": 1}, {"a": 2}]),
    (HookResult(fields={"a": 1}, score=2), [{"a": 1}]),
    (HookResult(fields={"a": 1}, drop="no"), []),
    (Book("x"), [{"title": "x", "pages": None}]),
    ([Shop("y")], [{"name": "y"}]),
)


@pytest.mark.parametrize("returned,expected", RETURNED)
def test_what_a_function_returns(returned, expected):
    assert [fields_of(each) for each in items_of(lambda page: returned, None)] == expected


def test_asynchronous_functions_and_generators():
    assert [*items_of(coroutine, 7)] == [{"a": 7}]
    assert [*items_of(asynchronous_generator, None)] == [{"a": 1}, {"a": 2}]
    assert [fields_of(each) for each in items_of(generator, None)] == [{"a": 1}, {"a": 2}, {}]


@pytest.mark.parametrize("returned", ["text", b"bytes", ["a"], [[{"a": 1}]], Book, [3]])
def test_what_is_no_item(returned):
    with pytest.raises(HookFailedError, match=r"an item must be a dict or a dataclass, not \w+"):
        [fields_of(each) for each in items_of(lambda page: returned, None)]


def function(tmp_path, code, name="shop.py"):
    (tmp_path / name).write_text(code)
    return function_of_file(f"{tmp_path / name}:page")


def test_values_that_json_has_no_word_for(tmp_path):
    values = {"day": date(2026, 1, 31), "price": Decimal("9.99"), "tags": {"a"}, "in": Book("x"), "nul": "a\0b"}
    text = packed(values, "the fields", 1000)
    assert msgspec.json.decode(text) == {
        "day": "2026-01-31",
        "price": "9.99",
        "tags": ["a"],
        "in": {"title": "x", "pages": None},
        "nul": "a�b",
    }


def test_a_version_is_the_code_of_a_file_and_of_its_neighbours(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "neighbour_of_v.py").write_text("X = 1\n")
    code = "import neighbour_of_v\ndef page(page):\n    return {'x': 1}\n"
    first = version_of(function(tmp_path, code, "v.py"))
    (tmp_path / "v.py").write_text("# a comment\n" + code.replace("{'x': 1}", "{  'x': 1 }"))
    loaded = function_of_file(f"{tmp_path / 'v.py'}:page")
    assert version_of(loaded) == first
    (tmp_path / "neighbour_of_v.py").write_text("X = 2\n")
    assert version_of(loaded) != first


WRONG = (
    ("nowhere.py:page", "there is no file"),
    ("broken.py:page", r"its import fails: SyntaxError: .*broken\.py, line 1"),
    ("raises.py:page", r"its import fails: ZeroDivisionError: .*\(raises\.py, line 1\)"),
    ("fine.py:other", "fine .* has no function other"),
)


@pytest.mark.parametrize("name,message", WRONG)
def test_a_function_that_cannot_be_imported(tmp_path, name, message):
    for file, code in (("broken", "def page(:"), ("raises", "1 / 0"), ("fine", "def page(page): pass")):
        (tmp_path / f"{file}.py").write_text(code)
    with pytest.raises(HookError, match=message):
        function_of_file(f"{tmp_path}/{name}")


def test_a_file_may_have_the_name_of_a_known_module(tmp_path):
    import json

    loaded = function(tmp_path, "def page(page):\n    return {'mine': True}\n", "json.py")
    assert loaded(None) == {"mine": True} and json.loads("1") == 1


def test_a_page_has_not_too_many_items(tmp_path):
    (tmp_path / "many.py").write_text(
        f"def page(page):\n    for n in range({MOST} + page):\n        yield {{'n': n}}\n"
        "def long(page):\n    yield {'a': 'x' * (1 << 20)}\n"
        "def all(page):\n    for n in range(20):\n        yield {'a': 'x' * 1_000_000}\n"
    )
    hooks = CalledHooks(Hooks(), limited=False)
    lines = [f"{tmp_path}/many.py:{name}" for name in ("page", "long", "all")]
    loaded = Extractors(hooks, extractors(lines))
    (most,) = loaded.extract(0, [0])
    assert len(most.items) == MOST and most.error == ""
    errors = [each.error for each in loaded.extract(1, [0, 1, 2])]
    assert errors == [
        "the page has more than 10,000 items",
        "the fields of an item have 1,048,584 characters, more than 1,048,576",
        "its items have more than 16,777,216 characters",
    ]
