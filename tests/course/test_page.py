"""The commands of docs/from-course-crawlers.md give what stands there, and that is what the server's log says."""

import re
import shlex
import subprocess

import pytest

from tests.course import figures, government
from tests.course.manual import sections
from tests.support.crawls.crawling import query
from tests.support.crawls.postgresql import postgresql
from tests.support.crawls.preforked import run
from tests.support.web.site import Web

SECTIONS = {each.title: each for each in sections()}

#: What the page leaves out: the test has no time for delays, and its hosts are on this machine.
FAST = {
    "politeness.delay": figures.DELAY,
    "politeness.address_delay": 0,
    "politeness.backoff": 0.1,
    "politeness.give_up": 1,
    "fetch.retries": 0,
    "fetch.read_timeout": 2,
}


def lines_of(text):
    """Without ports, and with one blank between words."""
    return {
        " ".join(re.sub(rf"\.{government.DOMAIN}:\d+", f".{government.DOMAIN}", line).split())
        for line in text.splitlines()
    }


class Desk:
    """A directory in which the commands of a section are run."""

    def __init__(self, section, folder, web, server):
        self.folder, self.web, self.server, self.printed = folder, web, server, {}
        for name, text in section.files.items():
            (folder / name).write_text(self.local(text))
        self.crawls = []
        for command in section.commands:
            before = len(web.log())
            if command.startswith("ttcrawl "):
                self.answer(command)
            if hits := web.log()[before:]:
                self.crawls.append(hits)

    def local(self, text):
        """With the addresses of this machine."""
        text = re.sub(rf"(http://\w+\.{government.DOMAIN})/", rf"\1:{self.web.port}/", text)
        return text.replace("postgresql:///crawls", self.server.url)

    def answer(self, command):
        """The lines that a command or a query prints."""
        if command not in self.printed:
            does = {"SELECT": self.query, "sqlite3": self.query_crawl, "ttcrawl": self.run, "grep": self.count}
            self.printed[command] = lines_of(does[command.split()[0]](command)) if command else set()
        return self.printed[command]

    def query(self, command):
        return "\n".join(" ".join(map(str, row)) for row in self.server.query(command))

    def query_crawl(self, command):
        _, file, sql = shlex.split(command)
        return "\n".join(" ".join(map(str, row)) for row in query((self.folder / file).parent, sql))

    def count(self, command):
        return subprocess.run(shlex.split(command), cwd=self.folder, check=True, capture_output=True, text=True).stdout

    def run(self, command):
        _, *words = shlex.split(self.local(command))
        if "crawl" in words[:2]:
            fast = [part for key, value in FAST.items() for part in ("--set", f"{key}={value}")]
            words += [*fast, *(part for each in self.web.resolve for part in ("--resolve", each)), "--progress", "none"]
        done = run(*words, cwd=self.folder)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout + done.stderr  # which has the files that were written


@pytest.fixture(scope="module")
def server():
    with postgresql() as started:
        yield started


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("title", SECTIONS)
def test_every_row_is_printed_and_true(title, server, tmp_path):
    with Web(government.web()) as web:
        desk = Desk(SECTIONS[title], tmp_path, web, server)
    rows, expected = SECTIONS[title].rows, figures.OF_SECTION[title](*desk.crawls)
    assert {row.name: row.lines for row in rows if row.name in expected} == expected
    for row in rows:
        printed = desk.answer(row.command)
        assert set(row.lines) <= printed, (row.name, sorted(printed))
        for label in row.labels:
            assert any(line.startswith(label) for line in printed), (row.name, label)
