"""`ttcrawl man`: pages that man and groff read without a warning, with every option."""

import re
import shutil
import subprocess
from argparse import SUPPRESS

import pytest

from ttcrawl.cli import main, parser
from ttcrawl.cli.commands import names
from ttcrawl.cli.man_page import man_page

#: Lines as wide as this are not broken.
SHOWN = ("groff", "-man", "-Tutf8", "-rLL=2000n", "-P-c", "-P-b", "-P-u", "-ww")


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
@pytest.mark.parametrize("name", ["", *names()])
def test_groff_shows_it_without_a_warning(name):
    done = subprocess.run(SHOWN, input=man_page(name), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    shown = done.stdout.replace("−", "-").replace("‐", "-")
    assert re.search(r"^EXIT STATUS$", shown, re.MULTILINE)
    if not name:
        assert all(f"ttcrawl-{each}(1)" in shown for each in names())
        return
    declared = parser(name).commands[name]
    listed = [each for each in declared.actions if each.help != SUPPRESS]
    assert all(flag in shown for action in listed for flag in action.option_strings)
    assert f"ttcrawl-{name} - {declared.description}" in " ".join(shown.split())


def test_all_are_written(tmp_path):
    assert main(["man", "-d", str(tmp_path / "man1")]) == 0
    assert {path.name for path in (tmp_path / "man1").iterdir()} == {"ttcrawl.1", *(f"ttcrawl-{n}.1" for n in names())}


def test_an_unknown_command(capsys):
    assert main(["man", "reprot"]) == 2
    assert capsys.readouterr().err == "ttcrawl: there is no command reprot (did you mean report?)\n"
