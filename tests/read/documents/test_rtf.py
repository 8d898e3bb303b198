"""Title and author of RTF, whatever characters they have."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.read.documents.chosen import converters
from ttcrawl.read.documents.extract import Extract
from ttcrawl.read.documents.rtf import charset, describe

TITLES = [
    # the words before the information group, the title in it, what it is
    (r"\ansi", "Plain", "Plain"),
    # code pages; characters of several bytes, also where the second byte is that of a letter or of a backslash
    (r"\ansi", r"caf\'e9", "café"),
    (r"\ansi\ansicpg1250", r"\'8e\'9aluva", "Žšluva"),
    (r"\ansi\ansicpg1251\deff0", r"\'cf\'f0\'e8\'e2\'e5\'f2", "Привет"),
    (r"\ansi\ansicpg1253", r"\'c1\'e8\'de\'ed\'e1", "Αθήνα"),
    (r"\ansi\ansicpg1255", r"\'f9\'ec\'e5\'ed", "שלום"),
    (r"\ansi\ansicpg932", r"\'93\'fa\'96{\'7b}", "日\ufffd{"),
    (r"\ansi\ansicpg932", r"\'93\'fa\'96\'7b", "日本"),
    (r"\ansi\ansicpg932", r"\'83A\'95\'5c", "ア表"),
    (r"\ansi\ansicpg936", r"\'d6\'d0\'ce\'c4", "中文"),
    (r"\ansi\ansicpg949", r"\'c7\'d1\'b1\'db", "한글"),
    (r"\ansi\ansicpg65001", r"\'d0\'9f\'d1\'80", "Пр"),
    (r"\mac", r"caf\'8e", "café"),
    (r"\pc", r"caf\'82", "café"),
    (r"\ansi\ansicpg99999", r"caf\'e9", "café"),
    # Unicode with its fallback
    (r"\ansi", r"\u1055?\u1088?", "Пр"),
    (r"\ansi", r"\u1055\'3f\u1088\'3f", "Пр"),
    (r"\ansi\uc0", r"\u1055 \u1088 !", "Пр!"),
    (r"\ansi\uc1", r"\u1055 x\u1088 y!", "Пр!"),
    (r"\ansi\ansicpg932\uc2", r"\u26085\'93\'fa\u26412\'96\'7b!", "日本!"),
    (r"\ansi", r"{\uc0\u1055}{\uc2\u1088 xy}z", "Прz"),
    (r"\ansi", r"\u1055\u1088", "Пр"),
    (r"\ansi", r"{\u1055}xyz", "Пxyz"),
    (r"\ansi", r"\u-3913?", "\uf0b7"),
    (r"\ansi", r"\u-10179?\u-8704?", "\U0001f600"),
    (r"\ansi", r"\u55357\'3f\u56832\'3f", "\U0001f600"),
    (r"\ansi", r"\u-10179?x", "\ufffdx"),
    # the same in the code page and in Unicode
    (r"\ansi", r"{\upr{??}{\*\ud{\u1055?\u1088?}}}", "Пр"),
    (r"\ansi", r"a {\upr{??}{\*\ud{\u1055?}}} b", "a П b"),
    # the rest of the syntax
    (r"\ansi", r"a\{b\}\\c", r"a{b}\c"),
    (r"\ansi", r"a\~b\_c\-d\emdash e\line f", "a b-cd—e f"),
    (r"\ansi", "two\r\nlines", "twolines"),
    (r"\ansi", r"{\b bold} {\*\unknown hidden}words", "bold words"),
    (r"\ansi", r"\f1\fs24 sized", "sized"),
]


def document(head: str, info: str) -> bytes:
    fonts = r"{\fonttbl{\f0\fnil\fcharset204 Arial;}}"
    return rf"{{\rtf1{head}{fonts}{{\info{info}{{\creatim\yr2020}}}}\f0 words\par}}".encode("latin-1")


@pytest.mark.parametrize(("head", "title", "expected"), TITLES)
@pytest.mark.parametrize("name", ["title", "author"])
def test_titles(tmp_path: Path, head: str, title: str, expected: str, name: str) -> None:
    path = tmp_path / "a.rtf"
    path.write_bytes(document(head, rf"{{\subject no}}{{\{name} {title}}}{{\operator no}}"))
    extract = Extract()
    describe(path, extract)
    assert (extract.title, extract.author) == ((expected, "") if name == "title" else ("", expected))


def test_a_title_of_both_kinds(tmp_path: Path) -> None:
    path = tmp_path / "a.rtf"
    path.write_bytes(document(r"\ansi", r"{\upr{\title ??}{\*\ud{\title \u1055?\u1088?}}}{\author A}"))
    extract = Extract()
    describe(path, extract)
    assert (extract.title, extract.author) == ("Пр", "A")


BROKEN = [
    b"",
    b"no RTF",
    rb"{\rtf1 no information}",
    rb"{\rtf1{\info",
    rb"{\rtf1{\info}}}}}",
    rb"{\rtf1{\info}{\title x}}",
    rb"{\rtf1 \{\info{\title x}}",
    rb"{\rtf1{\information{\title x}}}",
    rb"{\rtf1{\info{\title",
    rb"{\rtf1{\info\ud}}",
    rb"{\rtf1{\info" + b"{" * 1_000_000,
    rb"{\rtf1{\info{\title " + rb"\u-1?" * 200_000,
    rb"{\rtf1\uc99999999999999999999{\info{\title }}}",
    rb"{\rtf1" + b" " * 1_000_000 + rb"{\info{\title x}}}",
]


@pytest.mark.parametrize("data", BROKEN, ids=range(len(BROKEN)))
def test_what_is_broken_is_bounded_and_changes_nothing(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.rtf"
    path.write_bytes(data)
    extract = Extract(title="before")
    describe(path, extract)
    assert extract.title == "before" or len(extract.title) < 1 << 15


@pytest.mark.parametrize(
    ("head", "name"), [("", "cp1252"), (r"\ansicpg0", "cp1252"), (r"\ansicpg10000", "mac-roman"), (r"\pca", "cp850")]
)
def test_code_pages(head: str, name: str) -> None:
    assert charset(head.encode()) == name


@pytest.mark.slow
@pytest.mark.parametrize("media_type", ["application/rtf", "text/rtf"])
def test_by_the_converter(tmp_path: Path, media_type: str) -> None:
    data = document(r"\ansi\ansicpg1251", r"{\title \'cf\'f0}{\author \u26085?}")
    done = converters(tmp_path, media_type, "python:kreuzberg").convert(data, media_type)
    assert (done.title, done.author, done.text.strip()) == ("Пр", "日", "words")
