"""`ttcrawl verify` compares revisit records with their responses; `--repair` leaves those without one out."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

import ttcrawl
from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import DAY, Scripted, Server
from tests.support.crawls.crawling import query, verified
from ttcrawl.cli import main
from ttcrawl.inspect.verify.archive import member
from ttcrawl.inspect.verify.revisits import OTHER_ANSWER, UNKNOWN_ANSWER, UNKNOWN_ORIGINAL
from ttcrawl.store.raw_records import RawRecord, new_id, raw_record
from ttcrawl.store.warc_records import NOT_MODIFIED

HOSTS = ("a.test", "b.test", "other.test")


class Other(Server):
    """Its bytes are those of no other."""

    def body(self, now: float) -> bytes:
        return b"other %d" % self.version(now)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first two hosts have the same page; each page changes once, and was confirmed before and after."""
    clock, directory = Clock(), tmp_path_factory.mktemp("unmodified") / "c"
    with served({name: (Other if name == HOSTS[2] else Server)(changes=(2.5,)) for name in HOSTS}, clock) as port:
        recrawl(directory, HOSTS, port, clock, 6.1 * DAY)
    return directory


@pytest.fixture
def directory(crawled: Path, tmp_path: Path) -> Path:
    return shutil.copytree(crawled, tmp_path / "c")


def members(path: Path) -> Iterator[tuple[int, int, RawRecord]]:
    """(Start, end, record) of each record of a file."""
    position, size = 0, path.stat().st_size
    with open(path, "rb") as file:
        while position < size:
            data, end = member(file, position, size)
            assert data is not None
            record = raw_record(data)
            assert record is not None
            yield position, end, record
            position = end


def warc(directory: Path) -> Path:
    ((name,),) = query(directory, "SELECT file FROM archive")
    return directory / "warc" / name


def records(directory: Path, profile: str = NOT_MODIFIED) -> list[RawRecord]:
    return [each for _, _, each in members(warc(directory)) if each.get("warc-profile").endswith(profile)]


def append(directory: Path, record: RawRecord) -> None:
    """Add a record behind all others."""
    with open(warc(directory), "ab") as file:
        file.write(record.with_fields(warc_record_id=new_id()).packed())
        size = file.tell()
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("UPDATE archive SET size = ?", (size,))


def of(directory: Path, host: str) -> RawRecord:
    return next(each for each in records(directory) if f"//{host}" in each.get("warc-target-uri"))


@pytest.mark.slow
def test_records_of_both_kinds_are_compared(crawled: Path) -> None:
    """Those of the second host refer to the response of the first one, as its record of an identical body does."""
    other = [each for each in records(crawled) if each.get("warc-target-uri") != each.get("warc-refers-to-target-uri")]
    assert len(records(crawled)) > len(other) > 2 and records(crawled, "identical-payload-digest")
    assert verified(crawled) == ""


def another_date(directory: Path) -> None:
    append(directory, of(directory, "a.test").with_fields(warc_refers_to_date="2023-11-14T22:13:21.000000Z"))


def another_url(directory: Path) -> None:
    record = of(directory, "a.test")
    url = record.get("warc-target-uri")
    append(directory, record.with_fields(warc_refers_to_target_uri=f"{url}nowhere"))


def date_of_another_response(directory: Path) -> None:
    date = of(directory, "other.test").get("warc-refers-to-date")
    append(directory, of(directory, "a.test").with_fields(warc_refers_to_date=date))


def response_of_another(directory: Path) -> None:
    record = of(directory, "other.test")
    refers = {name: record.get(name.replace("_", "-")) for name in ("warc_refers_to_target_uri", "warc_refers_to_date")}
    append(directory, of(directory, "a.test").with_fields(**refers))


def copy_of_no_response(directory: Path) -> None:
    """No row names it, as that of a page that was fetched again after a repair."""
    record = records(directory, "identical-payload-digest")[0]
    append(directory, record.with_fields(warc_refers_to_date="2023-11-14T22:13:21.000000Z"))


def damaged_response(directory: Path) -> None:
    """Of a page that has other bytes now, and of its copy."""
    where = "WHERE payload IS NULL AND digest IN (SELECT digest FROM earlier_page WHERE payload NOT NULL)"
    ((position,),) = query(directory, f"SELECT offset + size / 2 FROM earlier_page {where}")
    data = bytearray(warc(directory).read_bytes())
    data[position] ^= 0xFF
    warc(directory).write_bytes(data)


WRONG = {
    another_date: UNKNOWN_ANSWER,
    another_url: UNKNOWN_ANSWER,
    date_of_another_response: UNKNOWN_ANSWER,
    response_of_another: OTHER_ANSWER,
    copy_of_no_response: UNKNOWN_ORIGINAL,
    damaged_response: UNKNOWN_ANSWER,
}


@pytest.mark.parametrize(("spoil", "kind"), WRONG.items(), ids=[each.__name__ for each in WRONG])
def test_wrong_references(directory: Path, spoil: Callable[[Path], None], kind: str) -> None:
    count = len(records(directory))
    spoil(directory)
    assert f"\n{kind}: " in f"\n{verified(directory)}"
    assert main(["verify", str(directory), "--repair"]) == 1
    assert verified(directory) == ""
    left = len(records(directory))
    assert 0 < left < count if spoil is damaged_response else left == count


@pytest.mark.slow
def test_a_repair_finds_earlier_answers_again(directory: Path) -> None:
    """Their positions move when a record before them is left out."""
    url = query(directory, "SELECT url FROM url WHERE url LIKE '%//a.test%'")[0][0]
    with ttcrawl.open(directory) as crawl:
        times = [each.time for each in crawl.history(url)]
    ((start, end),) = [
        (start, end) for start, end, record in members(warc(directory)) if record.get("warc-type") == "warcinfo"
    ]
    assert start == 0
    with open(warc(directory), "r+b") as file:
        file.seek(end // 2)
        file.write(b"\0\0")
    assert main(["verify", str(directory), "--repair"]) == 1
    assert verified(directory) == ""
    with ttcrawl.open(directory) as crawl:
        assert [crawl.body(url, at=time)[:8] for time in times] == [b"<title>0", b"<title>1"]


@pytest.mark.slow
def test_earlier_answers_without_their_bytes_name_no_place(directory: Path) -> None:
    """Nor do copies of them; so nobody looks for their records, and they can be deleted."""
    damaged_response(directory)
    assert main(["verify", str(directory), "--repair"]) == 1
    places = query(directory, "SELECT file, offset, url.url FROM earlier_page JOIN url ON url.id = earlier_page.url")
    starts = {start: record.get("warc-target-uri") for start, _, record in members(warc(directory))}
    assert all(starts[offset] == url for file, offset, url in places if file)
    lost = [url for file, _, url in places if not file]
    assert [url.split("/")[2].partition(":")[0] for url in sorted(lost)] == ["a.test", "b.test"]
    with ttcrawl.open(directory) as crawl:
        for url in lost:
            with pytest.raises(ttcrawl.NotThere, match="verify --repair removed it"):
                crawl.body(url, at=next(iter(crawl.history(url))).time)
    for url in lost:
        assert main(["delete", str(directory), "--url", url, "--purge", "--yes"]) == 0
        assert verified(directory) == ""


@pytest.mark.slow
def test_copies_may_refer_to_either_of_two_equal_responses(tmp_path: Path) -> None:
    """The page was gone between them, and its second response is stored with its bytes, too."""
    there, clock = "<title>a</title>" + "words " * 40, Clock()
    first, copy, late = (f"<a href=/{name}>{name}</a>" for name in ("page", "copy", "late"))
    scripts = {
        "": ((0, 200, first), (4.5, 200, first + copy), (15.5, 200, first + copy + late)),
        "/page": ((0, 200, there), (7.5, 404, ""), (11.5, 200, there)),
        **dict.fromkeys(("/copy", "/late"), ((0, 200, there),)),
    }
    form = "text/html; charset=utf-8"
    pages = {f"a.test{name}": Scripted(script=script, type=form) for name, script in scripts.items()}
    with served(pages, clock) as port:
        recrawl(tmp_path / "c", ["a.test"], port, clock, 18 * DAY, {"revisit.longest": 2 * DAY})
    assert query(tmp_path / "c", "SELECT count(*) FROM page WHERE payload = 2") == [(2,)]
    assert query(tmp_path / "c", "SELECT count(*) FROM answer WHERE url = 2 AND status = 200") == [(2,)]
    assert verified(tmp_path / "c") == ""
