"""A crawl in a directory with files from anywhere: none of them is executed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cases import some_fast
from tests.support.crawls.crawling import options_for, query
from tests.support.web.site import Answer, Web, page
from ttcrawl.ring.modules import OURS, SAFE_PATH, safe_path

#: Modules of Python, of libraries and our own, which the processes of a crawl import.
NAMES = ("random", "struct", "json", "msgspec", "xxhash", "selectolax", "numpy", "ttcrawl")


HOOK = ("--set", "hooks.outcome=ours:outcome", "--set", "hooks.path=hooks")


@pytest.mark.parametrize(
    "what",
    some_fast([("crawl",), ("crawl", *HOOK), ("cluster", "crawl", "--rings", "2")], ("crawl", *HOOK)),
    ids=" ".join,
)
def test_modules_of_the_working_directory(tmp_path: Path, what: tuple[str, ...]) -> None:
    here = tmp_path / "here"
    (here / "hooks").mkdir(parents=True)
    for name in NAMES:
        (here / f"{name}.py").write_text(f"open({str(tmp_path / name)!r}, 'w').close()\n")
    (here / "hooks" / "ours.py").write_text("def outcome(each):\n    pass\n")
    with Web({("a.test", "/"): Answer(body=page("/b")), ("a.test", "/b"): Answer(body=page())}) as web:
        program = Path(sys.executable).with_name("ttcrawl")
        options = ("-d", tmp_path / "c", *options_for(web), "--no-obey-delay")
        command = [str(each) for each in (program, *what, web.url("a.test", "/"), *options)]
        done = subprocess.run(command, cwd=here, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert [name for name in NAMES if (tmp_path / name).exists()] == []
    if "cluster" not in what:
        assert query(tmp_path / "c", "SELECT count(*) FROM page") == [(2,)]


def test_what_the_user_has_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SAFE_PATH, raising=False)
    with safe_path():
        assert os.environ[SAFE_PATH] == OURS
    assert SAFE_PATH not in os.environ
    monkeypatch.setenv(SAFE_PATH, "1")
    with safe_path():
        assert os.environ[SAFE_PATH] == "1"
    assert os.environ[SAFE_PATH] == "1"
