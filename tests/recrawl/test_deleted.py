"""`ttcrawl delete` in a crawl that was continued: the responses to visits go with their URL."""

import pytest

from tests.maintain.delete.unpacked import unpacked
from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import DAY, Scripted, Server
from tests.support.cases import some_fast
from tests.support.crawls.crawling import verified
from tests.support.crawls.other_readers import foreign_check
from ttcrawl.cli import main


class Other(Server):
    def body(self, now):
        return b"other %d" % self.version(now)


@pytest.fixture
def directory(tmp_path):
    """Three pages are confirmed by 304s, two of them have the same bytes; the last has answers that no row names."""
    secret = ((0, 200, "page"), (1.5, 500, "sorry"), (3.5, 404, "not found"), (3.7, 200, "page"))
    pages = {"a.test": Server(changes=(2.5,)), "b.test": Server(changes=(2.5,)), "c.test": Other()}
    pages["secret.test"] = Scripted(script=secret)
    clock = Clock()
    with served(pages, clock) as port:
        recrawl(tmp_path / "c", pages, port, clock, 6.1 * DAY)
    return tmp_path / "c"


def archive(directory):
    return b"".join(unpacked(path) for path in sorted((directory / "warc").iterdir()))


@pytest.mark.parametrize("host", some_fast(["a.test", "b.test", "secret.test"], "secret.test"))
@pytest.mark.parametrize("at_once", some_fast([True, False], True))
def test_no_record_of_a_purged_url_stays(directory, host, at_once):
    assert archive(directory).count(f"Target-URI: http://{host}".encode()) > 12
    assert main(["delete", str(directory), "--host", host, "--yes", *["--purge"] * at_once]) == 0
    assert verified(directory) == ""
    if not at_once:
        assert main(["delete", str(directory), "--purge", "--yes"]) == 0
    assert verified(directory) == ""
    foreign_check(directory / "warc")
    names = [line for line in archive(directory).split(b"\r\n") if b"Target-URI" in line and host.encode() in line]
    assert not [line for line in names if not line.endswith(b"/robots.txt") and b"dns:" not in line]
    assert b"not-modified" in archive(directory)
