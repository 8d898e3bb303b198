"""Messages come out of a pickle as they went in."""

import pickle
from dataclasses import FrozenInstanceError, dataclass, fields, replace

import pytest

from tests.made import CLASSES, sample
from ttcrawl.ring.pickled import pickled


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_every_field_comes_through_and_stays_frozen(cls):
    # a value of its own for each field, so that none can be taken for another
    sent = sample(cls)
    for number, field in enumerate(fields(cls)):
        object.__setattr__(sent, field.name, (field.name, number))
    came = pickle.loads(pickle.dumps(sent, pickle.HIGHEST_PROTOCOL))
    assert came == sent and came is not sent and hash(came) == hash(sent)
    for field in fields(cls):
        with pytest.raises(FrozenInstanceError):
            setattr(came, field.name, 0)


def test_another_number_of_fields_is_refused():
    """A pickle of an earlier version of the class is not half taken over."""

    @pickled
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Pair:
        one: int
        other: int = 0

    pair = replace(Pair(one=1), other=2)
    for state in ((1,), (1, 2, 3)):
        with pytest.raises(ValueError):
            pair.__setstate__(state)
