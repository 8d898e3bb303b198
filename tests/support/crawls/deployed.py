"""The files of docs/deploy/ as their readers see them: settings, units of systemd, and the commands in them."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

import yaml

DEPLOY = Path(__file__).parents[3] / "docs" / "deploy"

#: Where the units expect the programs.
PROGRAMS = "/srv/ttcrawl/.venv/bin/"

UNITS = sorted((DEPLOY / "systemd").iterdir())

#: Stand for `ray` and `ttcrawl`: they append their arguments to $COMMANDS, a word a line, and end as $STATUS says.
STAND_IN = """#!/bin/sh
printf '%s\\n' "${0##*/}" "$@" "" >> "$COMMANDS"
case "${0##*/}" in ttcrawl) trap 'exit 3' TERM; while [ -n "${WAIT-}" ]; do sleep 0.05; done; exit "${STATUS-0}";; esac
"""


def settings(name: str) -> dict[str, str]:
    """The variables of a file of settings."""
    lines = [line for line in (DEPLOY / name).read_text().splitlines() if line and not line.startswith("#")]
    return {name: value.strip("'") for name, _, value in (line.partition("=") for line in lines)}


def unit(path: Path) -> configparser.ConfigParser:
    """A unit; of a key that is there several times the last."""
    found = configparser.ConfigParser(interpolation=None, strict=False)
    found.optionxform = str  # type: ignore[assignment, method-assign]
    found.read_string(path.read_text())
    return found


def command(path: Path, variables: Mapping[str, str], instance: str = "news") -> list[str]:
    """The words of ExecStart by the rules of systemd.service(5): `${X}` is in a word, `$X` alone is several."""
    words = list[str]()
    for word in shlex.split(unit(path)["Service"]["ExecStart"].replace("%i", instance)):
        if word.startswith("$") and not word.startswith("${"):
            words += variables[word[1:]].split()
        else:
            words.append(re.sub(r"\$\{(\w+)\}", lambda match: variables[match[1]], word))
    return words


def kubernetes() -> dict[str, dict[str, object]]:
    """Kind -> resource."""
    return {each["kind"]: each for each in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text())}


def compose() -> dict[str, dict[str, object]]:
    """Service -> what it is."""
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]


def stand_in(directory: Path) -> dict[str, str]:
    """Put programs into a directory that note how they are called; return the environment that finds them."""
    for name in ("ray", "ttcrawl"):
        (directory / name).write_text(STAND_IN)
        (directory / name).chmod(0o755)
    path = os.pathsep.join((str(directory), os.environ["PATH"]))
    return {**os.environ, **settings("ray.env"), "PATH": path, "COMMANDS": str(directory / "commands")}


def called(directory: Path) -> list[list[str]]:
    """The commands that the stand-ins have noted so far."""
    file = directory / "commands"
    text = file.read_text() if file.exists() else ""
    return [each.split("\n") for each in text.removesuffix("\n\n").split("\n\n") if each]


def script(name: str, *arguments: str, env: Mapping[str, str]) -> subprocess.Popen[str]:
    """Start a script of a container, in the present directory."""
    return subprocess.Popen(
        ["sh", str(DEPLOY / name), *arguments],
        env=env,
        cwd=Path(env["COMMANDS"]).parent,
        stderr=subprocess.PIPE,
        text=True,
    )
