"""`ttcrawl config`: what it prints can be used as config.ini, except for passwords."""

import json

import pytest

from ttcrawl.cli import main
from ttcrawl.config import example, read
from ttcrawl.config.profiles import BY_NAME

SOME = [
    "--set",
    "scope.rules=exclude *.pdf\nallow path:/a",
    "--set",
    "host:a.test.delay=4",
    "--set",
    "crawl.max_time=2.5",
]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "options", [[], SOME, *(["--profile", name] for name in BY_NAME)], ids=lambda given: given[-1:]
)
def test_what_is_printed_says_the_same_again(capsys, tmp_path, options):
    assert main(["config", *options, "--all"]) == 0
    complete = capsys.readouterr().out
    assert main(["config", *options]) == 0
    (tmp_path / "again.ini").write_text(capsys.readouterr().out if options else "")
    assert example(read(tmp_path / "again.ini")) == complete


def test_nothing_differs(capsys):
    assert main(["config"]) == 0
    assert capsys.readouterr().out == "every key has its default\n"


def test_no_password_is_printed(capsys):
    secrets = ["--set", "fetch.login=a.test=me:s3cret", "--set", "postgresql.url=postgresql://me:a/s3cret@db.test/c"]
    for form in ("text", "json"):
        assert main(["config", *secrets, "--format", form]) == 0
        assert "s3cret" not in (out := capsys.readouterr().out) and "(removed)" in out


def test_json_is_ascii_so_that_every_terminal_prints_it(capsys):
    assert main(["config", "--set", "archive.operator=B\u00fccherei", "--format", "json"]) == 0
    (row,) = json.loads(out := capsys.readouterr().out)
    assert out.isascii() and row["value"] == "B\u00fccherei"


def test_json_has_every_value_with_its_default_and_origin(capsys):
    assert main(["config", *SOME, "--format", "json"]) == 0
    rows = {f"{each['section']}.{each['key']}": each for each in json.loads(capsys.readouterr().out)}
    assert rows["scope.rules"]["value"] == "exclude *.pdf\nallow path:/a"
    assert rows["host:a.test.delay"] == {
        "section": "host:a.test",
        "key": "delay",
        "value": "4",
        "default": "-1",
        "origin": "--set",
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["missing"], "missing is not a crawl directory"),
        ([".", "--profile", "polite"], "DIR has its own config.ini"),
    ],
)
def test_wrong_usage(capsys, words, said):
    assert main(["config", *words]) == 2
    assert said in capsys.readouterr().err
