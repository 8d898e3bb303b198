"""What the scripts of `ttcrawl completion` offer, by the shells themselves."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time

import pytest

from ttcrawl.cli import parser
from ttcrawl.cli.commands import names
from ttcrawl.cli.completion import script

#: What is typed after `ttcrawl `, and all that is offered for its last word.
CASES = {
    "craw": ["crawl"],
    "rec": ["recrawl"],
    "cluster j": ["join"],
    "cluster crawl --sc": ["--scope"],
    "cluster crawl --scope a": ["any"],
    "report --form": ["--format"],
    "report --format ": ["csv", "html", "json", "latex", "markdown", "text"],
    "report --format js": ["json"],
    "report --format=js": ["json"],
    "report site --format js": ["json"],
    "topic ": ["label", "recall", "score", "train"],
    "topic --format json sc": ["score"],
    "topic score s": ["seeds.txt", "site"],
    "try sc": ["scope"],
    "crawl --seeds s": ["seeds.txt", "site"],
    "crawl -d s": ["site"],
    "crawl --max-pages s": [],
    "crawl s": [],
    "report s": ["site"],
    "report other s": ["site"],
    "index site se": ["seeds.txt"],
    "why site ": [],
    "nonsense --f": [],
}


def offered_by_bash(lines, folder):
    """Line -> what is offered. Words end at =, as readline ends them."""
    tries = [re.findall(r"=|[^ =]+|(?<= )$", line) for line in lines]
    calls = "\n".join(f"offer {' '.join(map(repr, words))}" for words in tries)
    program = f"""{script("bash")}
    offer() {{ COMP_WORDS=(ttcrawl "$@") COMP_CWORD=$#; _ttcrawl; echo "${{COMPREPLY[@]}}"; }}
    {calls}"""
    done = subprocess.run(["bash", "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return dict(zip(lines, map(str.split, done.stdout.splitlines()), strict=True))


def offered_by_fish(lines, folder):
    tries = "\n".join(f"complete -C 'ttcrawl {line}'; echo =" for line in lines)
    environment = os.environ | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / ".config")}
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"{script('fish')}\n{tries}"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [
        [line.partition("\t")[0].partition("=")[2] or line.partition("\t")[0] for line in each.splitlines()]
        for each in done.stdout.split("=\n")
    ]
    return dict(zip(lines, answers, strict=False))


@pytest.fixture(scope="module")
def offered(tmp_path_factory):
    folder = tmp_path_factory.mktemp("typed")
    (folder / "site").mkdir()
    (folder / "seeds.txt").touch()
    answers = {"bash": offered_by_bash(list(CASES), folder)}
    if shutil.which("fish"):
        answers["fish"] = offered_by_fish(list(CASES), folder)
    return answers


@pytest.mark.parametrize("line", CASES)
@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_what_is_offered(offered, shell, line):
    if shell not in offered:
        pytest.skip(f"{shell} is not installed")
    assert sorted(each.removesuffix("/") for each in offered[shell][line]) == CASES[line]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_option_is_offered(shell):
    offered = script(shell)
    options = set(re.findall(r"--[a-z][\w-]+", "".join(parser(name).format_help() for name in names())))
    words = set(re.findall(r"[\w-]+", offered))
    assert set(names()) <= words
    assert {each.removeprefix("--") for each in options} <= {each.removeprefix("--") for each in words}


class Terminal:
    """A shell in which something is typed."""

    def __init__(self, shell, folder):
        self._process, self._file = pty.fork()
        if self._process == 0:
            os.chdir(folder)
            os.environ.update(TERM="dumb", PS1="> ", HOME=str(folder), ZDOTDIR=str(folder), COLUMNS="200")
            os.execvp(shell[0], shell)
        self._text = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        os.close(self._file)

    def type(self, keys, awaited):
        """Type the keys, and wait until this is on the screen after them."""
        begin = len(self._text)
        os.write(self._file, keys.encode())
        end = time.monotonic() + 60
        while awaited not in self._text[begin:]:
            assert time.monotonic() < end, self._text[begin:]
            if select.select([self._file], [], [], 0.5)[0]:
                self._text += os.read(self._file, 1 << 16).decode()


@pytest.mark.slow
@pytest.mark.parametrize("shell", [("bash", "--norc", "-i"), ("zsh", "-f", "-i")], ids=["bash", "zsh"])
@pytest.mark.parametrize(
    ("line", "completed"),
    [("ttcrawl cra", "ttcrawl crawl "), ("ttcrawl report --format=js", "ttcrawl report --format=json ")],
    ids=["command", "choice"],
)
def test_in_a_terminal(tmp_path, shell, line, completed):
    if not shutil.which(shell[0]):
        pytest.skip(f"{shell[0]} is not installed")
    (tmp_path / "completion").write_text(script(shell[0]))
    with Terminal(shell, tmp_path) as terminal:
        terminal.type("source ./completion; echo re''ady\n", "ready\r\n")
        terminal.type(f"{line}\t", completed)
