"""Plain values of pickles, beside what Python reads."""

import os
import pickle
from collections import OrderedDict

import pytest

from ttcrawl.archives.plain_pickle import Call, plain

VALUES = [
    None,
    True,
    [1, -7, 300, 70_000, 1 << 40, 1 << 70, 1.5],
    {"a": b"x" * 300, "b": ["é" * 300, b"", ""], "c": {b"k": [b"v", b"v"]}},
    {"same": (shared := [b"x"]), "again": shared, "tuples": [(), (1,), (1, 2), (1, 2, 3)]},
]


@pytest.mark.parametrize("protocol", [4, 5])
@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_plain_values(value, protocol):
    assert plain(pickle.dumps(value, protocol)) == value


class Harm:
    def __reduce__(self):
        return os.mkdir, ("harm",)


def test_nothing_is_called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert plain(pickle.dumps([Harm()], 4)) == [Call("posix", "mkdir", ("harm",))]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("data", [b"", b"no pickle", b"\x80\x04.", b"\x80\x04e.", b"\x80\x04}u.", b"\x80"])
def test_no_pickles(data):
    with pytest.raises(ValueError):
        plain(data)


def test_other_objects():
    with pytest.raises(ValueError, match="no plain value"):
        plain(pickle.dumps({1, 2}, 4))
    assert plain(pickle.dumps(OrderedDict(), 4)) == Call("collections", "OrderedDict")
