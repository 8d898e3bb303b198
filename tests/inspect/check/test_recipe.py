"""The recipe for continuous integration in docs/check.md: its commands are run, with what CI would have."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import yaml

MANUAL = Path(__file__).parents[3] / "docs" / "check.md"

#: What is there already.
INSTALL = "pip install ttcrawl"

PAGE = "<!DOCTYPE html><html lang=en><title>A page that is fine</title><h1>Page</h1>{}"


@pytest.fixture
def project(tmp_path):
    """A project whose pages a Makefile builds; one link of them is broken."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "index.html").write_text(PAGE.format('<a href="other.html">other</a> <a href="gone.html">gone</a>'))
    (source / "other.html").write_text(PAGE.format('<a href="index.html">start</a>'))
    (tmp_path / "Makefile").write_text("html:\n\tmkdir -p build && rm -rf build/html && cp -r source build/html\n")
    return tmp_path


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", MANUAL.read_text(), re.MULTILINE | re.DOTALL)


def shell(project, commands):
    """As the shell of a step: the first command that fails ends it."""
    place = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": place, "GITHUB_STEP_SUMMARY": str(project / "summary.md")}
    commands = commands.replace(INSTALL, "true")
    return subprocess.run(
        ["bash", "-e", "-c", commands], cwd=project, env=environment, capture_output=True, text=True, timeout=300
    )


@pytest.mark.slow
def test_only_new_problems_fail(project):
    once, anywhere = blocks("sh")
    (workflow,) = map(yaml.safe_load, blocks("yaml"))
    steps = workflow["jobs"]["check"]["steps"]
    runs = [step["run"] for step in steps if "run" in step]
    assert runs[0] == INSTALL and [step["uses"].partition("@")[0] for step in steps if "uses" in step][-2:] == [
        "github/codeql-action/upload-sarif",
        "actions/upload-artifact",
    ]
    done = shell(project, "make html\n" + once)
    assert done.returncode == 0, done.stderr
    assert "gone.html" in (project / "known.txt").read_text()
    for commands in ("\n".join(runs), anywhere):
        done = shell(project, commands)
        assert done.returncode == 0, (done.stdout, done.stderr)
    (project / "source" / "other.html").write_text(PAGE.format('<a href="lost.html">lost</a>'))
    done = shell(project, "\n".join(runs))
    assert done.returncode == 1 and "lost.html" in done.stdout
    assert "::error file=build/html/other.html,line=1," in done.stdout and "title=Broken links::" in done.stdout
    assert "gone.html" not in done.stdout
    assert "lost.html" in (project / "summary.md").read_text()
    uploaded = [value for step in steps for value in step.get("with", {}).values() if "." in value and "/" not in value]
    names = {name for value in uploaded for name in value.split("\n")} - {"3.12"}
    assert names == {"check.sarif", "health.html", "badge.svg"} and all((project / name).exists() for name in names)
    assert len(json.loads((project / "check.sarif").read_text())["runs"][0]["results"]) >= 1
    assert ET.parse(project / "badge.svg").getroot().tag.endswith("svg")
    assert shell(project, anywhere).returncode == 1 and ET.parse(project / "check.xml").findall(".//failure")
