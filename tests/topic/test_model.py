"""Models in files: read as they were written, and errors in one line for all others."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.errors import UsageError
from ttcrawl.topic.classifier import Classifier
from ttcrawl.topic.model import FORMAT, MOST_TERMS, VERSION, Figures, Model, Spread, load_model, packed
from ttcrawl.topic.page import Page

ONE = Spread(1.0, 0.0)
MODEL = Model(
    format=FORMAT,
    version=VERSION,
    learner="svm",
    ngrams=2,
    criterion="f1",
    threshold=0.25,
    bias=-0.5,
    slope=2.0,
    offset=0.1,
    relevant=10,
    irrelevant=20,
    inputs="00",
    figures=Figures(folds=5, precision=ONE, recall=ONE, f1=ONE, average_precision=ONE, brier=0.0),
    terms=[("sundew", 2.0, 1.5), ("straße café", 3.0, -0.25), ("机 器", 1.1, 1 / 3)],
)


def saved(tmp_path, data):
    path = tmp_path / "model.json"
    path.write_bytes(data)
    return path


def changed(**fields):
    return json.dumps(msgspec.to_builtins(MODEL) | fields).encode()


def test_a_model_is_read_as_it_was_written(tmp_path):
    assert load_model(saved(tmp_path, packed(MODEL))) == MODEL
    assert json.loads(packed(MODEL))["terms"][1] == ["straße café", 3.0, -0.25]
    empty = msgspec.structs.replace(MODEL, terms=[])
    assert load_model(saved(tmp_path, packed(empty))) == empty


@pytest.mark.parametrize(
    ("data", "message"),
    [
        *((b"", "is not a model"), (b"\x80\x04pickle", "is not a model"), (b"[" * 100_000, "is not a model")),
        *((b"{}", "is not a model"), (b"[1]", "is not a model"), (b'{"format": "x", "version": 1}', "is not a model")),
        (changed(version=2), "is a model of version 2; this ttcrawl reads version 1: train it again"),
        (packed(MODEL)[:-20], "is not a model"),
        (changed(more=1), "damaged model"),
        (changed(figures={}), "damaged model"),
        (changed(ngrams=4), "damaged model"),
        (changed(ngrams=0), "damaged model"),
        (changed(bias="x"), "damaged model"),
        (changed().replace(b'"bias": -0.5', b'"bias": NaN'), "is not a model"),
        (changed().replace(b'"bias": -0.5', b'"bias": 1e999'), "model"),
        (changed(bias=1e300), "too large"),
        (changed(terms=[["a", 1, 1e300]]), "too large"),
        (changed(terms=[["a", 0, 1]]), "not positive"),
        (changed(terms=[["a", 1, 1], ["a", 1, 1]]), "there twice"),
        (changed(terms=[["a b c", 1, 1]]), "or too many"),
        (changed(terms=[["", 1, 1]]), "no words"),
        (changed(terms=[["x" * 101, 1, 1]]), "no words"),
        (changed(terms=[["a", 1]]), "damaged model"),
        (changed(terms=[["\x1b[2J" * 40, 1, 1]]), "no words"),
    ],
)
def test_other_files_are_errors_of_one_line(tmp_path, data, message):
    with pytest.raises(UsageError, match=message) as raised:
        load_model(saved(tmp_path, data))
    assert "\n" not in str(raised.value) and "\x1b" not in str(raised.value) and len(str(raised.value)) < 500


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(UsageError, match="No such file"):
        load_model(tmp_path / "missing")
    with pytest.raises(UsageError, match="directory"):
        load_model(tmp_path)
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate((64 << 20) + 1)
    with pytest.raises(UsageError, match="larger than 64 MB"):
        load_model(large)


@given(st.binary(max_size=60), st.integers(0, 600))
def test_damage_is_found_or_harmless(tmp_path_factory, piece, at):
    data = packed(MODEL)
    try:
        model = load_model(saved(tmp_path_factory.getbasetemp(), data[:at] + piece + data[at + len(piece) :]))
    except UsageError:
        return
    assert 0 <= Classifier(model).score(Page(text="sundew straße café")).probability <= 1


def test_points_and_probability():
    rating, points = Classifier(MODEL).explain(Page(title="Sundew", text="a sundew. STRASSE Cafe\u0301 Straße"))
    assert [(each.term, each.count) for each in points] == [("sundew", 2)]  # ß is folded: the model's term never is
    assert rating.margin == pytest.approx(1.0) and rating.accepted
    assert rating.probability == pytest.approx(0.8909, abs=1e-4)
    assert not Classifier(MODEL).score(Page()).accepted and Classifier(MODEL).score(Page()).margin == -0.5


@pytest.mark.slow
def test_too_many_ngrams_are_refused(tmp_path):
    terms = [(str(number), 1.0, 0.0) for number in range(MOST_TERMS + 1)]
    with pytest.raises(UsageError, match="more than 699,049 n-grams"):
        load_model(
            saved(
                tmp_path,
                packed(msgspec.structs.replace(MODEL, terms=terms[:1])).replace(
                    b'["0",1.0,0.0]', msgspec.json.encode(terms)[1:-1]
                ),
            )
        )
