"""What is stored of links is the same by the compiled core and by Python."""

import random

import pytest

from ttcrawl import core
from ttcrawl.core.number_table import new_number_table
from ttcrawl.parse.links.extract import no_page
from ttcrawl.parse.links.linked import DistanceByLetter, linked
from ttcrawl.parse.links.references import look
from ttcrawl.parse.links.resolver import Target
from ttcrawl.vocabulary.reason import NONE

pytestmark = pytest.mark.skipif(core.native is None, reason="no compiled core")

OWN = 7
BY_LETTER = DistanceByLetter({ord("c"): 3, ord("e"): 3, ord("n"): 1 << 30, ord("o"): 1 << 30, ord("r"): 1 + (1 << 30)})
HREFS = ("", "#", "#top", "a", "a#b", "\u00e9", "mailto:x", "\ud83d", "x #y")
TEXTS = ("", "a", '"\\/', "\n\r\t\b\f\x01\x1f\x7f", "\u00e9\u65e5\U0001f600\u2028", "\0", "\ud83d", "\ud83d\ude00")


def target(chance):
    key = chance.choice([OWN, 0, -1, 1, 2**63 - 1, -(2**63), chance.randrange(-(2**63), 2**63)])
    return chance.choice([None, Target("http://a.test/", key, "a.test", NONE, "", "")])


def test_links_as_python_has_them(monkeypatch):
    chance = random.Random(40)
    for _ in range(300):
        size = chance.choice([0, 1, 2, 9])
        anchors = tuple(chance.choices(TEXTS, k=size)) if chance.random() < 0.7 else ()
        page = no_page("http://a.test/", chance.choices(HREFS, k=size), ord("a"), anchors)
        targets, letters = [target(chance) for _ in range(size)], bytes(chance.choices(b"cerno", k=size))
        sent = new_number_table()
        for each in filter(None, targets[::2]):
            sent[each.key] = chance.choice([2, 3, 4, 1 << 30, 1 + (1 << 30)])
        compiled = linked(targets, OWN, page, letters, sent, BY_LETTER)
        with monkeypatch.context() as patch:
            patch.setattr(core, "native", None)
            assert linked(targets, OWN, page, letters, sent, BY_LETTER) == compiled


def test_links_that_were_sent_are_left_out():
    targets = [Target(f"http://a.test/{key}", key, "a.test", NONE, "", "") for key in range(4)]
    page = no_page("http://a.test/", ["x"] * 4, ord("a"))
    sent = new_number_table()
    for key, distance in ((0, 3), (1, 4), (2, 2)):
        sent[key] = distance
    found = linked(targets, OWN, page, b"cccc", sent, BY_LETTER)
    assert [(index, each.key) for index, each in found.unsent] == [(1, 1), (3, 3)]
    assert len(found.targets) == 4


def test_a_link_that_is_only_recorded_has_another_distance():
    targets = [Target("http://a.test/1", 1, "a.test", NONE, "", "")] * 2
    page = no_page("http://a.test/", ["x"] * 2, ord("a"))
    for before, unsent in ((3, []), (4, [0]), (1 << 30, [0]), (1 + (1 << 30), [0]), (2 + (1 << 30), [0, 1])):
        sent = new_number_table()
        sent[1] = before
        found = linked(targets, OWN, page, b"cr", sent, BY_LETTER)
        assert [index for index, _ in found.unsent] == unsent


@pytest.mark.parametrize("texts", [(), ("",), ("a", "", "\u00e9\U0001f600", "\ud83d", "\0")])
def test_lists_of_texts(texts):
    made = core.native.TextList(texts)
    assert (len(made), tuple(made), bool(made)) == (len(texts), texts, bool(texts))
    assert not texts or made[-1] == texts[-1]
    with pytest.raises(IndexError):
        made[len(texts)]


@pytest.mark.parametrize(
    "hrefs", [(), ("",), ("a?b", "", "a", "?", "c?d?e", "\u00e9"), ("\ud83d?x", "\ud83d", "\ud7a3")]
)
def test_references_without_queries(hrefs):
    assert look(core.native.TextList(hrefs), b"") == look(hrefs, b"")


def test_other_arguments_are_refused():
    texts, sent = core.native.TextList(["a", "b"]), core.native.NumberTable()
    with pytest.raises(ValueError, match="columns of different sizes"):
        core.native.outlinks([None, None], OWN, texts, b"a", b"cc", b"", texts, sent, BY_LETTER.packed)
    with pytest.raises(TypeError, match="list is not expected here"):
        core.native.outlinks([None, None], OWN, ["a", "b"], b"aa", b"cc", b"", texts, sent, BY_LETTER.packed)
    with pytest.raises(TypeError, match="dict is not expected here"):
        core.native.outlinks([None, None], OWN, texts, b"aa", b"cc", b"", texts, {}, BY_LETTER.packed)
    with pytest.raises(ValueError, match="a distance for each letter"):
        core.native.outlinks([], OWN, core.native.TextList([]), b"", b"", b"", texts, sent, b"")
