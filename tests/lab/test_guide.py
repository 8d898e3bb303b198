"""docs/guides/policies.md: its commands run, its function is a policy, and its tables are complete."""

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import fields

from tests.lab.recorded import crawled_again, model, record
from ttcrawl.cli import main
from ttcrawl.lab.candidates import Candidate
from ttcrawl.lab.policies import POLICIES

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "policies.md").read_text()

#: Figures take seconds.
COMMANDS = [
    pytest.param(command, marks=[pytest.mark.slow] * ("--out" in command))
    for command in re.findall(r"^    ttcrawl (lab .*)$", GUIDE, re.MULTILINE)
]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    return crawled_again(record(tmp_path_factory.mktemp("record"), model(hosts=2, pages=10)))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(crawl, tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(re.search(r"```python\n(.*?)```", GUIDE, re.DOTALL)[1])
    words = shlex.split(command.replace("crawl-example.org", shlex.quote(str(crawl))))
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    named = [word for before, word in pairwise(words) if before == "--policy"]
    assert [line.split()[0] for line in lines[3 : 3 + len(named)]] == named
    curves = "recrawl.csv" if "--recrawl" in words else "curves.csv"
    assert ("--out" in words) == Path("laboratory", curves).exists()


def test_the_tables_have_all_policies_and_attributes():
    table = re.findall(r"^\| `([^|]+)` \|", GUIDE, re.MULTILINE)
    names = {name for row in table for name in row.split("`, `")}
    assert names == {*POLICIES, *(each.name for each in fields(Candidate))}
