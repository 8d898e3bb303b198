"""The copy of a crawl that was continued: brought up to date after more visits, it has every row again."""

import pytest

from tests.export.postgresql.copies import differences
from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import DAY, Scripted, Server
from ttcrawl.cli import main


@pytest.mark.slow
def test_after_more_visits(server, tmp_path):
    directory, clock = tmp_path / "c", Clock()
    pages = {"a.test": Server(changes=(1.5, 4.5)), "b.test": Server(changes=(4.5,))}
    pages["gone.test"] = Scripted(script=((0, 200, "page"), (3.5, 404, "not found")))
    pages["moves.test"] = Scripted(script=((0, 200, "page"), (1.5, 301, "/there"), (4.5, 200, "back")))
    with served(pages, clock) as port:
        for days in (3.1, 4.1):
            recrawl(directory, pages, port, clock, days * DAY)
            assert main(["mirror", str(directory), server.url]) == 0
            assert differences(server, directory) == []
    ((count,),) = server.query("SELECT count(*) FROM ttcrawl.earlier_page")
    assert count > 5
    assert server.query("SELECT sum(not_modified) > 3 FROM ttcrawl.revisit") == [(True,)]
