"""`--quiet`: no progress, and of a crawl no report."""

import subprocess

from tests.support.crawls.crawling import command, options_for
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.cli import commands, main
from ttcrawl.output.display import ReadProgress


def test_a_crawl_prints_nothing(tmp_path):
    with Web(mesh(["a.test"], 5, seed=1)) as web:
        options = ["-d", tmp_path / "c", *options_for(web), "--no-obey-delay", "--max-pages", "3", "--quiet"]
        line = command("crawl", web.url("a.test", "/"), *options, "--set", "agent.contact=http://a.test/")
        done = subprocess.run(line, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "")
    assert (tmp_path / "c" / "report.txt").exists()


def test_reading_shows_no_progress_meanwhile_only(monkeypatch, capsys):
    def run(args):
        with ReadProgress(iter(range(0, 1000, 10)).__next__) as progress:
            progress("words", 1, 9)
        return 0

    monkeypatch.setattr(commands.load("verify"), "run", run)
    for option, lines in ((["-q"], 0), ([], 1)):
        assert main(["verify", "site", *option]) == 0
        assert capsys.readouterr().err.count("reading: words") == lines
