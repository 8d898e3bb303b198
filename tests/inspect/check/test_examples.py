"""docs/check.md: each option is explained, and each example runs."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.inspect.check.sick_site import fine, link
from tests.support.crawls.crawling import command, options_for
from tests.support.web.site import Answer, Web
from ttcrawl.cli import parser
from ttcrawl.errors import DONE, FAILED

MANUAL = Path(__file__).parents[3] / "docs" / "check.md"
LINES = re.findall(r"^    (ttcrawl check .+)$", MANUAL.read_text(), re.MULTILINE)

#: Options of all commands that crawl, which have pages of their own.
ELSEWHERE = {"--help", "--column", "--resolve", "--obey-delay", "--header", "--cookies", "--user-agent", "--progress"}
ELSEWHERE |= {"--color", "--quiet"}  # of all commands

SITE = "site.example"
URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{}</loc></url></urlset>'


def test_each_option_is_explained(capsys):
    with pytest.raises(SystemExit):
        parser().parse_args(["check", "--help"])
    named = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", capsys.readouterr().out, re.MULTILINE))
    assert len(named) > 30
    text = MANUAL.read_text()
    assert {
        each for each in named - ELSEWHERE if not re.search(rf"{each}(?![\w-])", text.replace("--no-", "--"))
    } == set()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A directory with all that the examples name, and the site."""
    top = tmp_path_factory.mktemp("examples")
    (top / "build" / "html").mkdir(parents=True)
    (top / "build" / "html" / "index.html").write_text(fine("docs").body.decode())
    pages = {(SITE, "/"): fine("front", link("/gone")), (SITE, "/sitemap.xml"): Answer(body=URLSET.encode())}
    with Web(pages) as web:
        sitemap = URLSET.format(web.url(SITE, "/")).encode()
        web.change(pages | {(SITE, "/sitemap.xml"): Answer(body=sitemap, headers=(("Content-Type", "text/xml"),))})
        (top / "sitemap.xml").write_bytes(sitemap)
        done = execute(f"ttcrawl check https://{SITE}/ -d crawl-{SITE}", top, web)
        assert done.returncode == FAILED, done.stderr
        yield top, web


def execute(line, directory, web):
    words = shlex.split(line.partition(" > ")[0], comments=True)[1:]
    if "--as" not in words:
        words = [word.replace(f"https://{SITE}", web.url(SITE, "")) for word in words]
    requests = (*options_for(web), "--no-obey-delay", "--progress", "none", "--set", "fetch.retries=0")
    done = subprocess.run(command(*words, *requests), cwd=directory, capture_output=True, text=True, check=False)
    return done


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_each_example_runs(place, line):
    top, web = place
    if "--baseline known.txt" in line and not (top / "known.txt").exists():
        (top / "known.txt").touch()
    done = execute(line, top, web)
    assert done.returncode in (DONE, FAILED) and "Traceback" not in done.stderr, done.stderr
    assert done.stdout, done.stderr
