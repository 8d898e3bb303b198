"""[converters]: lines that are taken, and lines that are refused with the place where they stand."""

import pytest

from ttcrawl.config import CONVERTERS, Choice, Config, ConfigError, Line, choice, example, read
from ttcrawl.read.documents.converters import NEEDS


def lines(config, media_type):
    (found,) = [each.lines for each in config.converters if each.type == media_type]
    return [line.text for line in found]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("python:office", Choice(built_in="office")),
        ("a {file}", Choice(command=("a", "{file}"))),
        ("a --in={file} --out={output}", Choice(command=("a", "--in={file}", "--out={output}"))),
        ("a 'b c' \"d 'e'\" {file} -", Choice(command=("a", "b c", "d 'e'", "{file}", "-"))),
        ("a {file} | b > c", Choice(command=("a", "{file}", "|", "b", ">", "c"))),
        ("a {file} {output} => Text/RTF", Choice(command=("a", "{file}", "{output}"), then="text/rtf")),
    ],
)
def test_what_is_taken(text, made):
    assert choice(Line(text=text)) == made


def test_a_key_stands_for_the_default_of_its_type_alone(tmp_path):
    path = tmp_path / "my.ini"
    path.write_text(
        "[converters]\nApplication/PDF = mutool draw {file}\nimage/x-a+b.c =\n  # first\n  a {file}\n\n  b {file}\n"
        "text/rtf =\n"
    )
    config = read(path, [("converters.application/vnd.ms-excel", "xls {file}"), ("documents.max_output", "2m")])
    assert lines(config, "application/pdf") == ["mutool draw {file}"]
    assert lines(config, "image/x-a+b.c") == ["a {file}", "b {file}"] and lines(config, "text/rtf") == []
    assert lines(config, "application/vnd.ms-excel") == ["xls {file}"]
    assert lines(config, "application/msword") == lines(Config(), "application/msword")
    assert config.documents.max_output == 2 << 20
    (tmp_path / "again.ini").write_text(example(config))
    assert read(tmp_path / "again.ini") == config != Config()


def test_without_pdf_there_is_no_postscript_that_becomes_one(tmp_path):
    config = read(None, [("converters.application/pdf", "")])
    assert lines(config, "application/pdf") == lines(config, "application/postscript") == []
    (tmp_path / "my.ini").write_text(example(config))
    assert read(tmp_path / "my.ini") == config


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pdf = a {file}", "line 2: [converters] pdf is not a media type"),
        ("application/* = a {file}", "application/* is not a media type"),
        ("a/b;c=d = a {file}", "a/b;c is not a media type"),
        (
            "a/b = python:tika",
            "line 2: [converters] a/b = python:tika: unknown converter python:tika; write one of python:",
        ),
        ("a/b = python:office {file}", "unknown converter python:office {file}"),
        ("a/b = python:", "unknown converter python:;"),
        ("a/b = a {input}", "unknown {input}; write {file} or {output}"),
        ("a/b =\n  a {file}\n  b {file} {}", "line 4: [converters] a/b = b {file} {}: unknown {};"),
        ("a/b = a", "with {file} for the name of the document"),
        ("a/b = {file} a", "write PROGRAM ARGUMENT"),
        ("a/b = a '{file}", "a/b = a '{file}: No closing quotation"),
        ("a/b = a {file} =>", "after => write one type"),
        ("a/b = a {file} {output} => pdf", "after => write one type"),
        ("a/b = a {file} => text/rtf x", "after => write one type"),
        ("a/b = a {file} {output} => c/d", "c/d has no converter"),
        ("a/b = a {file} {output} => text/rtf\ntext/rtf =", "text/rtf has no converter"),
        ("a/b = a {file} => text/rtf", "a program before => must write to {output}"),
        ("a/b = a {file} {output} => application/postscript", "has a => too; only one step is possible"),
        ("a/b = a {file} {output} => a/b", "has a => too; only one step is possible"),
        ("a/b = ''", "write PROGRAM"),
    ],
)
def test_what_is_refused(tmp_path, text, said):
    path = tmp_path / "my.ini"
    path.write_text(f"[converters]\n{text}\n")
    with pytest.raises(ConfigError) as refused:
        read(path)
    assert said in str(refused.value) and "\n" not in str(refused.value) and "my.ini" in str(refused.value)


def test_the_option_is_named():
    with pytest.raises(ConfigError, match=r"^--set converters.a/b: \[converters\] a/b = a \{x\}: unknown"):
        read(None, [("converters.a/b", "a {x}")])


def test_every_name_is_known():
    import importlib

    from ttcrawl.config import BUILT_IN

    assert tuple(NEEDS) == BUILT_IN
    assert all(callable(importlib.import_module(f"ttcrawl.read.documents.{name}").read) for name in BUILT_IN)
    for each in CONVERTERS:
        assert all(choice(line) for line in each.lines)
