"""The recipes of docs/guides/recipes.md: their commands are run against a small site, their files read by programs."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.support.crawls.crawling import verified
from tests.support.web.site import Answer, Web, page
from ttcrawl.cli import parser

DOCS = Path(__file__).parent.parent / "docs"
MANUAL = (DOCS / "guides" / "recipes.md").read_text()
UNIT = DOCS / "deploy" / "one-crawl" / "ttcrawl@.service"
COMPOSE = DOCS / "deploy" / "one-crawl" / "compose.yaml"

SITE = "https://example.org/"
#: What is there already.
INSTALL = "pip install ttcrawl"
#: The exposure that a unit may have, of `systemd-analyze security`.
EXPOSURE = 3.0


def block(language):
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", MANUAL, re.MULTILINE | re.DOTALL)
    return text


@pytest.fixture(scope="module")
def web():
    with Web({("a.test", "/"): Answer(body=page("/b", title="A")), ("a.test", "/b"): Answer(body=page())}) as web:
        yield web


@pytest.fixture
def place(web, tmp_path):
    """A directory whose config.ini finds the site."""
    keys = f"[fetch]\nresolve = {' '.join(web.resolve)}\n[politeness]\ndelay = 0\n[crawl]\nfetchers = 1\nparsers = 1\n"
    (tmp_path / "config.ini").write_text(keys)
    return tmp_path


def shell(web, place, commands):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "GITHUB_STEP_SUMMARY": str(place / "summary.md")}
    commands = (
        commands.replace(SITE, web.url("a.test", "/")).replace(INSTALL, "true").replace("/srv/crawls", str(place))
    )
    command = ["bash", "-e", "-c", commands]
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (done.stdout, done.stderr)


@pytest.mark.slow
def test_a_workflow_keeps_a_weekly_crawl(web, place):
    steps = yaml.safe_load(block("yaml"))["jobs"]["crawl"]["steps"]
    runs = [step["run"] for step in steps if "run" in step]
    assert runs[0] == INSTALL
    shell(web, place, "\n".join(runs))
    (kept,) = [step["with"]["path"] for step in steps if "upload-artifact" in step.get("uses", "")]
    assert (place / kept).stat().st_size > 0 and "|" in (place / "summary.md").read_text()


@pytest.mark.slow
def test_lines_of_a_crontab(web, place):
    lines = [line.split(maxsplit=5) for line in block("crontab").splitlines()]
    assert all(re.fullmatch(r"[\d*]+", field) for line in lines for field in line[:5])
    visit, new = (re.sub(r"\\%", "%", line[5]) for line in lines)
    shell(web, place, f"ttcrawl crawl {SITE} -d news --progress none\n{visit}\n{new}")
    (made,) = place.glob("example-2*")
    assert verified(made) == "" and verified(place / "news") == ""


@pytest.mark.slow
def test_a_cell_of_a_notebook(web, place, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(place)
    names = {}
    exec(block("python").replace(SITE, web.url("a.test", "/")), names)
    assert names["crawl"].finished == "done" and len(names["pages"]) == 2


def started(text):
    """The two commands of ttcrawl in a start: one continues the crawl, the other begins it."""
    joined = re.sub(r"\\?\n *", " ", text).replace("%i", "news")
    commands = [shlex.split(each) for each in re.findall(r"exec (?:/opt/ttcrawl/bin/)?ttcrawl ([^;]*);", joined)]
    assert [words[0] for words in commands] == ["resume", "crawl"]
    resume, crawl = map(parser().parse_args, commands)
    assert str(resume.directory) == str(crawl.directory) == "news" and crawl.config and crawl.seed_files


@pytest.mark.parametrize("text", [UNIT.read_text(), COMPOSE.read_text()], ids=["systemd", "compose"])
def test_a_crawl_is_begun_or_continued(text):
    started(text)


@pytest.mark.slow
def test_the_start_of_the_unit_begins_and_continues(web, place):
    (start,) = re.findall(r"^ExecStart=/bin/sh -ec '(.*?)'$", re.sub(r"\\\n *", " ", UNIT.read_text()), re.MULTILINE)
    (place / "news.seeds").write_text(web.url("a.test", "/") + "\n")
    shutil.copy(place / "config.ini", place / "news.ini")
    start = start.replace("%i", "news").replace("/etc/ttcrawl/", "").replace("/opt/ttcrawl/bin/", "")
    for _ in range(2):
        shell(web, place, f"sh -ec {shlex.quote(start)}")
    assert verified(place / "news") == ""


def test_the_unit_permits_little():
    program = shutil.which("systemd-analyze") or pytest.skip("systemd-analyze is not installed")
    command = [program, "security", "--offline=true", str(UNIT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    level = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    if level is None:
        pytest.skip(f"this systemd-analyze reads no files: {done.stderr.strip()}")
    assert float(level[1]) < EXPOSURE and f"gives it {level[1]}" in MANUAL


def test_the_container_crawls_where_its_image_lets_it_write():
    (service,) = yaml.safe_load(COMPOSE.read_text())["services"].values()
    (volume,) = re.findall(r"^VOLUME (.+)$", (DOCS / "deploy" / "Containerfile").read_text(), re.MULTILINE)
    assert service["working_dir"] == volume and f"crawls:{volume}" in service["volumes"]


def test_the_containers_may_do_little():
    (service,) = yaml.safe_load(COMPOSE.read_text())["services"].values()
    assert service["read_only"] and service["cap_drop"] == ["ALL"] and service["init"]
    assert service["security_opt"] == ["no-new-privileges=true"] and service["stop_signal"] == "SIGINT"
