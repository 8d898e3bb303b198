"""What an element is for the main text, by its names, is the same by the core and by Python."""

import random
from html import escape

import pytest

from tests.core.compiled import needs_core
from tests.parse.both_readers import EVERYTHING, native_reader
from ttcrawl.read.landmarks import NAMES, block_kind

pytestmark = needs_core

TAGS = ("div", "div", "div", "ul", "ol", "section", "table", "nav", "form", "article", "header", "aside", "p")
OTHERS = (
    "",
    "x",
    "sect",
    "Foo",
    "12",
    "comment",
    "section",
    "sitefooter",
    "\xe9",
    "\u0130",
    "\u2003",
    "\x1f",
    "z" * 60,
)
BETWEEN = ("", "-", "_", "--", "__", " ", "  ", "\n", "1", "/", ":", "A")
ATTRIBUTES = ("class", "id", "role", "itemprop")


def name(chance: random.Random) -> str:
    words = [chance.choice([chance.choice([*NAMES]), chance.choice(OTHERS)]) for _ in range(chance.randrange(5))]
    return "".join(chance.choice([str, str, str.title, str.upper])(each) + chance.choice(BETWEEN) for each in words)


def kinds(tag: str, attributes: dict[str, str]) -> tuple[str, str]:
    """By the core, and by Python."""
    written = "".join(f' {each}="{escape(value)}"' for each, value in attributes.items())
    found = native_reader(EVERYTHING).lines(f"<body><{tag}{written}>x</{tag}>".encode())
    expected = "" if tag == "p" else block_kind(tag, *(attributes.get(each, "") for each in ATTRIBUTES))
    return expected if isinstance(found, str) else "".join(kind for kind, *_ in found[1]), expected


@pytest.mark.parametrize("count", [4000, pytest.param(60_000, marks=pytest.mark.slow)])
def test_elements_as_python_has_them(count):
    chance, all_kinds = random.Random(40), set()
    for _ in range(count):
        attributes = {"class": name(chance), "id": name(chance)}
        if chance.random() < 0.1:
            attributes |= {"role": chance.choice(["main", "x banner", "note", ""]), "itemprop": "a articleBody"}
        for each in chance.sample([*attributes], chance.randrange(2)):
            del attributes[each]
        tag = chance.choice(TAGS)
        by_core, by_python = kinds(tag, attributes)
        assert by_core == by_python, (tag, attributes)
        all_kinds.add(by_core)
    assert all_kinds >= set("lhrbanxcs") | {""}


@pytest.mark.parametrize(
    ("tag", "attributes"),
    [
        ("div", {"class": "block__sidebar--x has-menu"}),
        ("div", {"class": "comment"}),
        ("div", {"class": "menu comment"}),
        ("div", {"class": "printfooter2"}),
        ("section", {"id": "cookies"}),
        ("section", {"class": "cookies", "id": "x"}),
        ("div", {"class": "section", "id": "search"}),
        ("div", {"class": "x" * 197 + " nav"}),
        ("div", {"class": "x" * 196 + " nav"}),
        ("div", {"id": "----"}),
        ("div", {"class": "\x1fnav"}),
        ("nav", {"class": "content", "itemprop": "articleBody"}),
        ("form", {"class": "content"}),
        ("article", {"class": "comment-2"}),
    ],
)
def test_elements_with_names(tag, attributes):
    by_core, by_python = kinds(tag, attributes)
    assert by_core == by_python
