"""Exports of a crawl that was continued."""

import re

from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import DAY, Server
from tests.support.crawls.crawling import query
from ttcrawl.cli import main


def test_the_crawl_log_has_type_and_digest_of_earlier_responses(tmp_path, capsys):
    clock, server = Clock(), Server(changes=(2.5,))
    with served({"a.test": server}, clock) as port:
        recrawl(tmp_path / "c", ["a.test"], port, clock, 4.1 * DAY)
    assert main(["export", str(tmp_path / "c"), "--format", "crawl-log"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if "robots.txt" not in line]
    assert [line[1] for line in lines] == ["200", "304", "304", "200", "200"]
    stored = [(line[6], line[9]) for line in lines if line[9] != "-"]
    assert len({*stored}) == len(stored) == query(tmp_path / "c", "SELECT count(*) FROM answer")[0][0] == 2
    assert all(kind == "text/html" and re.fullmatch("sha1:[A-Z2-7]{32}", digest) for kind, digest in stored)
    assert [line[6] for line in lines if line[9] == "-"] == ["unknown"] * 3
