"""Classes of `frozen` do what dataclasses do."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace

import pytest

from ttcrawl.frozen import frozen, frozen_base


@frozen
class Ours:
    number: int
    text: str = "a"
    names: list[str] = field(default_factory=list)
    secret: str = field(default="s", repr=False)
    note: str = field(default="", compare=False)
    unhashed: str = field(default="", hash=False)

    @property
    def double(self) -> int:
        return 2 * self.number


@dataclass(frozen=True, slots=True, kw_only=True)
class Theirs:
    number: int
    text: str = "a"
    names: list[str] = field(default_factory=list)
    secret: str = field(default="s", repr=False)
    note: str = field(default="", compare=False)
    unhashed: str = field(default="", hash=False)

    @property
    def double(self) -> int:
        return 2 * self.number


VALUES = [
    {"number": 1},
    {"number": 1, "text": "b"},
    {"number": 1, "names": ["x"]},
    {"number": 1, "note": "n"},
    {"number": 1, "secret": "t", "unhashed": "u"},
]


@pytest.mark.parametrize("values", VALUES)
def test_an_instance(values):
    ours, theirs = Ours(**values), Theirs(**values)
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert asdict(ours) == asdict(theirs) and ours.double == theirs.double
    assert asdict(replace(ours, number=7)) == asdict(replace(theirs, number=7))
    assert pickle.loads(pickle.dumps(ours)) == copy.deepcopy(ours) == copy.copy(ours) == ours
    assert [ours == Ours(**each) for each in VALUES] == [theirs == Theirs(**each) for each in VALUES]
    assert ours != theirs
    assert not hasattr(ours, "__dict__")


def test_a_hash():
    ours, theirs = (
        {each: made(number=1, names=(), **{each: "x"}) for each in ("text", "note", "unhashed")}
        for made in (Ours, Theirs)
    )
    for one in ours:
        for other in ours:
            assert (hash(ours[one]) == hash(ours[other])) is (hash(theirs[one]) == hash(theirs[other]))


@pytest.mark.parametrize("made", [Ours, Theirs])
def test_what_is_refused(made):
    with pytest.raises(TypeError, match="'number'"):
        made()
    with pytest.raises(TypeError, match="'other'"):
        made(number=1, other=2)
    with pytest.raises(TypeError):
        made(1)
    instance = made(number=1)
    with pytest.raises(FrozenInstanceError):
        instance.number = 2
    with pytest.raises(FrozenInstanceError):
        del instance.number
    assert instance.number == 1


def test_the_fields_are_the_same():
    assert [(each.name, each.default) for each in fields(Ours)] == [
        (each.name, each.default) for each in fields(Theirs)
    ]
    assert Ours.__match_args__ == Theirs.__match_args__ and Ours.__slots__ == Theirs.__slots__


@frozen_base
class Left:
    left: int


@frozen_base
class Right:
    right: int = 2


@frozen
class Both(Left, Right):
    own: int = 3

    def __repr__(self) -> str:
        return "mine"


def test_a_class_may_have_several_bases_and_methods_of_its_own():
    both = Both(left=1)
    assert asdict(both) == {"right": 2, "left": 1, "own": 3}
    assert repr(both) == "mine" and both == Both(left=1, right=2) != Both(left=2)
    assert pickle.loads(pickle.dumps(both)) == both
    with pytest.raises(FrozenInstanceError):
        both.left = 2
