"""What a page is known by: of the text alone, and through the reader of pages."""

import struct
from dataclasses import replace

import pytest
from msgspec import structs

from ttcrawl import config
from ttcrawl.read.fingerprints import keys
from ttcrawl.read.fingerprints.fingerprint import LEAST, fingerprint, fingerprint_input
from ttcrawl.read.fingerprints.similarity import SKETCH_SIZE, estimated, exact
from ttcrawl.web import storable

pytestmark = pytest.mark.usefixtures("reader")

ON = config.Duplicates(min_words=10)
TEXT = "\n".join(f"Line {n} of Straße and ÉCOLE {n * 7} with enough words" for n in range(30))


def of(text: str, settings: config.Duplicates = ON, **more):
    return fingerprint(structs.replace(fingerprint_input(text, text, settings), **more), settings)


@pytest.mark.parametrize(
    "other",
    [TEXT.upper(), TEXT.casefold(), TEXT.replace(" ", " \t\xa0"), f"\n\n{TEXT}\n \n", TEXT.replace("\n", "\r\n\r\n")],
    ids=["upper", "casefold", "spaces", "around", "lines"],
)
def test_case_and_white_space_make_no_difference(other):
    assert of(other) == of(TEXT)


def test_other_words_are_another_text():
    assert of(TEXT).text != of(TEXT.replace("Line 3 ", "Line 4 ")).text


def test_the_order_of_lines_counts_for_the_same_text_only():
    turned = of("\n".join(reversed(TEXT.split("\n"))))
    assert turned.text != of(TEXT).text and turned == storable.replace(of(TEXT), text=turned.text)


@pytest.mark.parametrize(("words", "known"), [(0, False), (1, False), (LEAST - 1, False), (LEAST, True), (20, True)])
def test_too_little_text_is_no_proof(words, known):
    assert bool(of("word " * words).text) == known


def test_images_and_title_are_part_of_what_it_says():
    plain, shown = of(TEXT), of(TEXT, images=("a/1.jpg", "b/2.jpg"))
    assert len({plain.text, shown.text, of(TEXT, images=("1.jpg",)).text, of(TEXT, title="T").text}) == 4
    same = of(TEXT, images=("/elsewhere/2.jpg?sid=5", "http://b.test/1.jpg#x", "1.jpg"))
    assert same.text == shown.text
    assert plain.shingles == shown.shingles and plain.bands == shown.bands


@pytest.mark.parametrize(("words", "compared"), [(9, False), (10, True)])
def test_too_little_main_text_is_left_alone(words, compared):
    found = of(" ".join(f"w{n}" for n in range(words)))
    assert [bool(found.bands), bool(found.signature), bool(found.shingles)] == [compared] * 3


@pytest.mark.parametrize("exact_too", [True, False])
@pytest.mark.parametrize("near_too", [True, False])
def test_only_what_is_asked_for(exact_too, near_too):
    found = of(TEXT, replace(ON, exact=exact_too, near=near_too))
    assert bool(found.text) == exact_too
    assert bool(found.bands) == bool(found.signature) == bool(found.shingles) == near_too


@pytest.mark.parametrize(("permutations", "bands"), [(128, 16), (100, 7), (8, 8), (1024, 256)])
def test_sizes(permutations, bands):
    found = of(TEXT, replace(ON, permutations=permutations, bands=bands))
    assert len(found.signature) == 4 * permutations and len(found.bands) == 8 * bands
    assert len(set(keys.unpacked(found.bands))) == bands


def test_shingles_are_distinct_and_in_order():
    packed = of(TEXT).shingles
    hashes = struct.unpack(f"<{len(packed) // 4}I", packed)
    assert list(hashes) == sorted(set(hashes))


def test_of_long_texts_the_smallest_are_kept():
    words = [f"word{n}" for n in range(3 * SKETCH_SIZE)]
    one, other = of(" ".join(words)), of(" ".join(words[: 5 * SKETCH_SIZE // 2]))
    assert len(one.shingles) == len(other.shingles) == 4 * SKETCH_SIZE
    true = (5 * SKETCH_SIZE / 2 - 2) / (3 * SKETCH_SIZE - 2)
    assert exact(one.shingles, other.shingles) == pytest.approx(true, abs=0.03)
    # of all shingles, not of those that are kept: sketches of sets of two sizes have other similarities
    assert estimated(one.signature, other.signature) == pytest.approx(true, abs=0.17)


def test_pages_that_agree_in_a_band_are_in_one_bucket():
    one = struct.pack("<8I", 1, 2, 3, 4, 1, 2, 9, 9)
    other = struct.pack("<8I", 7, 7, 3, 4, 1, 2, 3, 4)
    first, second = (keys.unpacked(keys.bands(each, 4)) for each in (one, other))
    assert [a == b for a, b in zip(first, second, strict=True)] == [False, True, True, False]
    assert len({*first, *second}) == 6  # the same numbers in another band are another bucket
