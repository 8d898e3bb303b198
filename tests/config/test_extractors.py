"""The lines of [hooks] extract: what each means, and what is said of a wrong one."""

import pytest

from ttcrawl.config import ConfigError, read
from ttcrawl.config.extractors import extractors

RIGHT = (
    (["shop.py:page"], [("shop.py:page", "function", ("shop.py:page",), "")]),
    (["/a b/shop.py:Shop.page"], [("shop.py:Shop.page", "function", ("/a b/shop.py:Shop.page",), "")]),
    (["shops.books:page"], [("shops.books:page", "function", ("shops.books:page",), "")]),
    (["css a=h1", "css  b[] = li > a", "each .x"], [("css", "css", ("a=h1", "b[] = li > a"), ".x")]),
    (["jsonld Product", "jsonld"], [("jsonld", "jsonld", ("Product", "*"), "")]),
    (["microdata"], [("microdata", "microdata", ("*",), "")]),
    (["table .a", "shop.py:page"], None),
    (["shop.py:page", "shop.py:page"], [("shop.py:page", "function", ("shop.py:page",), "")]),
)


@pytest.mark.parametrize("lines,expected", RIGHT)
def test_the_words_of_a_line(lines, expected):
    found = [(each.name, each.kind, each.words, each.each) for each in extractors(lines)]
    if expected is None:  # functions are first
        assert [name for name, *_ in found] == ["shop.py:page", "table"]
    else:
        assert found == expected


WRONG = (
    (["shop.py"], "write FILE.py:FUNCTION, or css"),
    (["shop"], "write FILE.py:FUNCTION"),
    (["css h1"], "css h1: write css NAME=SELECTOR"),
    (["css =h1"], "write css NAME=SELECTOR"),
    (["css a="], "write css NAME=SELECTOR"),
    (["css"], "write css NAME=SELECTOR"),
    (["each .x"], "each needs css"),
    (["css a=b", "each"], "each: write each SELECTOR"),
    (["a/shop.py:page", "b/shop.py:page"], "there is another shop.py:page"),
)


@pytest.mark.parametrize("lines,message", WRONG)
def test_a_line_that_is_wrong(lines, message):
    with pytest.raises(ValueError, match=message):
        extractors(lines)


def test_the_key_of_config_ini(tmp_path):
    (tmp_path / "config.ini").write_text("[hooks]\nextract =\n    shop.py:page\n    jsonld Product\n")
    assert [each.name for each in read(tmp_path / "config.ini").hooks.extractors] == ["shop.py:page", "jsonld"]
    (tmp_path / "config.ini").write_text("[hooks]\nextract = css h1\n")
    with pytest.raises(ConfigError, match=r"\[hooks\] extract: css h1: write"):
        read(tmp_path / "config.ini")
