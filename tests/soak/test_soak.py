"""A soak of less than a minute, and what its judge sees."""

from __future__ import annotations

import socket
from dataclasses import asdict
from types import SimpleNamespace

import pytest

from tests.soak.hosts import Hosts
from tests.soak.judge import check_gaps, check_intervals
from tests.soak.kept import Settings, WrongClock, settings_in
from tests.soak.matched import Judgement, Visit, match
from tests.soak.operate import Run
from tests.soak.play import Soak
from tests.soak.record import Log, Record, growth, kept, line, read, table
from tests.soak.shares import shares
from tests.support.faults.killing import until
from tests.support.web.site import Answer, Hit, Web

SETTINGS = Settings(hosts=25, hostile=4, delay=10.0, interval=100.0, port=8000, begun=0.0)
HOST = "h0.test"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_soak_that_is_ended_goes_on_and_all_holds(tmp_path) -> None:
    """Without PostgreSQL, whose copies have tests of their own."""
    settings = settings_in(tmp_path, hosts=25, hostile=4, delay=0.3, interval=5.0)
    for number in range(2):
        soak = Soak(tmp_path, settings_in(tmp_path, 0, 0, 0, 0), None)
        try:
            soak.piece("crawl", 20.0)
        finally:
            soak.disk.close()
        assert soak.log.records[number].wrong == []
    first, last = read(tmp_path / "log.jsonl")
    assert settings.begun < first.begun < last.begun and last.requests and last.gaps
    assert sum((*first.killed.values(), *last.killed.values())) > 2


# -- hosts --------------------------------------------------------------------------------------------------------


def test_a_page_shows_the_edition_of_the_moment() -> None:
    hosts = Hosts(SETTINGS)
    assert hosts.changing and len(hosts.addresses) == 25 + 4
    for key in hosts.changing:
        moment = hosts.next_change(key, 1000.0)
        assert hosts.edition(key, moment + 0.01) == hosts.edition(key, moment - 0.01) + 1
        assert b"edition 7<" in hosts.shown(key, 7).body
        assert moment <= 1000.0 + 12 * SETTINGS.interval


def test_the_truth_has_the_pages_of_honest_hosts_alone() -> None:
    hosts = Hosts(SETTINGS)
    assert (
        {host for host, _ in hosts.truth}
        == hosts.honest.keys()
        == {f"h{n}.test" for n in range(25)} - {f"h{n}.test" for n in (3, 7, 11, 15, 19)}
    )


def test_a_wrong_clock_is_that_of_commands(tmp_path) -> None:
    clock = WrongClock(tmp_path / "clock")
    clock.ahead += 5000.0
    assert clock.ahead == 5000.0 and clock.environment["SOAK_CLOCK"] == str(tmp_path / "clock")


# -- the judge ----------------------------------------------------------------------------------------------------


def hit(
    arrived: float,
    path: str = "/1",
    answered: float | None = None,
    status: int = 200,
    host: str = HOST,
    *,
    gone: bool = False,
) -> Hit:
    ended = arrived if answered is None and status else answered
    return Hit(host=host, path=path, arrived=arrived, answered=ended, status=status, agent="", gone=gone)


def visit(moment: float, path: str = "/1", requests: int = 1, status: int | None = 200) -> Visit:
    about = {"host": HOST, "path": path, "kind": "page", "started": moment - 0.1, "ended": moment + 0.1}
    return Visit(**about, status=status, requests=requests)


def operator(*runs: Run, disturbances: tuple[tuple[float, str], ...] = ()) -> SimpleNamespace:
    whole = runs or (Run(begun=0.0, first_visit=1, ahead=0.0, ended=1000.0),)
    return SimpleNamespace(hosts=Hosts(SETTINGS), runs=whole, disturbances=disturbances)


KILLED = Run(begun=0.0, first_visit=1, ahead=0.0, ended=200.0, killed=True, committed=199.0)

#: Requests, visits, the run -> lost, doubled, undone.
MATCHES = {
    "each is there once": ([hit(10), hit(30, "/2")], [visit(10), visit(30, "/2")], operator(), (0, 0, 0)),
    "an answer is no visit": ([hit(10), hit(30)], [visit(10)], operator(), (1, 0, 0)),
    "a visit was never requested": ([hit(10)], [visit(10), visit(30)], operator(), (0, 1, 0)),
    "two visits of one answer": ([hit(10)], [visit(10), visit(10)], operator(), (0, 1, 0)),
    "another path": ([hit(10, "/2")], [visit(10)], operator(), (1, 1, 0)),
    "sent again at once": ([hit(10, status=0), hit(10.05)], [visit(10, requests=2)], operator(), (0, 0, 0)),
    "no answer": ([], [visit(10, status=None)], operator(), (0, 0, 0)),
    "read by the server after it was given up": ([hit(90)], [visit(10, status=None)], operator(), (0, 0, 0)),
    "another page was given up": ([hit(90, "/2")], [visit(10, status=None)], operator(), (1, 0, 0)),
    "given up long before": ([hit(300)], [visit(10, status=None)], operator(), (1, 0, 0)),
    "given up later": ([hit(10)], [visit(90, status=None)], operator(), (1, 0, 0)),
    "undone by a kill": ([hit(199.5)], [], operator(KILLED), (0, 0, 1)),
    "under way at the last commit": ([hit(198), hit(300)], [visit(300)], operator(KILLED), (0, 0, 1)),
    "the same, never again": ([hit(198)], [], operator(KILLED), (1, 0, 0)),
    "committed before the kill, and again": ([hit(150), hit(300)], [visit(300)], operator(KILLED), (1, 0, 0)),
    "committed before the kill": ([hit(60)], [], operator(KILLED), (1, 0, 0)),
    "in flight at a kill": ([hit(50, answered=70)], [], operator(disturbances=((60, "kill fetch"),)), (0, 0, 1)),
    "sent before a kill, read after it": (
        [hit(52), hit(90)],
        [visit(90)],
        operator(disturbances=((50, "kill fetch"),)),
        (0, 0, 1),
    ),
    "read after a kill, never again": ([hit(52)], [], operator(disturbances=((50, "kill fetch"),)), (1, 0, 0)),
    "read minutes after all were killed": (
        [hit(900, gone=True), hit(950)],
        [visit(950)],
        operator(KILLED, Run(begun=201.0, first_visit=1, ahead=0.0, ended=1000.0)),
        (0, 0, 1),
    ),
    "the same, its sender is there": (
        [hit(900), hit(950)],
        [visit(950)],
        operator(KILLED, Run(begun=201.0, first_visit=1, ahead=0.0, ended=1000.0)),
        (1, 0, 0),
    ),
    "read minutes after a kill, never again": ([hit(900, gone=True)], [], operator(KILLED), (1, 0, 0)),
    "its sender has gone, and none was killed": ([hit(90, gone=True), hit(95)], [visit(95)], operator(), (1, 0, 0)),
    "read minutes after it was given up": (
        [hit(900, gone=True)],
        [visit(10, status=None)],
        operator(),
        (0, 0, 0),
    ),
    "long before": ([hit(50)], [], operator(disturbances=((60, "kill fetch"),)), (1, 0, 0)),
    "committed before all were killed": (
        [hit(150)],
        [],
        operator(KILLED, disturbances=((200, "kill all"),)),
        (1, 0, 0),
    ),
    "a stop undoes nothing": ([hit(50)], [], operator(disturbances=((50.1, "stop"),)), (1, 0, 0)),
}


@pytest.mark.parametrize(("hits", "visits", "by", "counts"), MATCHES.values(), ids=MATCHES)
def test_the_judge_sees_what_is_lost_or_doubled(hits, visits, by, counts) -> None:
    found = Judgement()
    match({HOST: hits}, {HOST: visits}, by, found)
    assert (found.lost, found.doubled, found.undone) == counts
    assert len(found.wrong) == counts[0] + counts[1]


def test_the_log_says_whether_a_client_had_gone_before_its_request_was_read() -> None:
    """The server is stopped meanwhile, as one that gets no processor."""
    with Web({(HOST, "/"): Answer()}) as web:
        for path, stays in (("/stays", True), ("/goes", False)):
            with web.halted():
                client = socket.create_connection((web.address, web.port))
                client.sendall(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
                if not stays:
                    client.close()
            until(lambda path=path: [each for each in web.log() if each.path == path])
            client.close()
        assert {each.path: each.gone for each in web.log()} == {"/stays": False, "/goes": True}


#: Requests, the last one before, the run -> lines, shortest gap as a share of the delay.
GAPS = {
    "kept": ([hit(10), hit(20), hit(31)], None, operator(), 0, 1.0),
    "too short": ([hit(10), hit(19)], None, operator(), 1, 0.9),
    "counted from the end of an answer": ([hit(10, answered=12), hit(21)], None, operator(), 1, 0.9),
    "after an earlier piece": ([hit(19)], hit(10), operator(), 1, 0.9),
    "read minutes after its sender had gone": (
        [hit(10), hit(900, gone=True), hit(901)],
        None,
        operator(KILLED),
        0,
        89.1,
    ),
    "a request of a killed process that is read late": ([hit(203, status=0), hit(211)], None, operator(KILLED), 0, 1.1),
}


@pytest.mark.parametrize(("hits", "before", "by", "lines", "shortest"), GAPS.values(), ids=GAPS)
def test_the_judge_sees_gaps_that_are_too_short(hits, before, by, lines, shortest) -> None:
    found = Judgement()
    check_gaps({HOST: hits}, {HOST: before} if before else {}, by, found)
    assert len(found.wrong) == lines and found.shortest == pytest.approx(shortest)


#: Moments of visits of a page, what happened -> lines.
INTERVALS = {
    "in time": ([100, 200, 301], (), 0),
    "too soon": ([100, 190, 300], (), 1),
    "the clock was set": ([100, 190, 300], ((150, "clock"),), 0),
    "its page was undone by a kill": ([100, 190, 300], ((150, "kill all"),), 0),
    "not by another one": ([100, 190, 300], ((250, "kill all"),), 1),
    "a stop undoes nothing": ([100, 190, 300], ((150, "stop"),), 1),
}


@pytest.mark.parametrize(("moments", "disturbances", "lines"), INTERVALS.values(), ids=INTERVALS)
def test_the_judge_sees_visits_that_come_too_soon(moments, disturbances, lines) -> None:
    found = Judgement()
    pairs = {HOST: [(visit(moment), hit(moment)) for moment in moments]}
    check_intervals(pairs, operator(disturbances=disturbances), found)
    assert len(found.wrong) == lines


#: Moments of requests in a run of 100 seconds -> share of what a delay of 10 seconds allows.
SHARES = {
    "each delay": (range(10, 101, 10), 1.0),
    "each second one": (range(10, 101, 20), 0.5),
    "then none": ([10, 20], 2 / 9),
    "none at all": ([], 0.0),
}


@pytest.mark.parametrize(("moments", "share"), SHARES.values(), ids=SHARES)
def test_the_share_is_that_of_what_the_delay_allows(moments, share) -> None:
    run = Run(begun=0.0, first_visit=1, ahead=0.0, ended=100.0)
    by = operator(run)
    by.hosts.__dict__["honest"] = {HOST: by.hosts.honest[HOST]}
    (found,) = shares({HOST: [hit(moment) for moment in moments]}, by)
    assert found == pytest.approx(share, abs=0.06)


# -- the log ------------------------------------------------------------------------------------------------------


def record(**about: object) -> Record:
    return Record(**{"kind": "crawl", "begun": 0.0, "seconds": 1200.0, "wrong": []} | about)


def test_the_log_goes_on_after_a_line_that_was_cut(tmp_path) -> None:
    log = Log(tmp_path)
    log.add(record(killed={"recrawl all": 2}))
    log.add(record(kind="kills", killed={"export": 40}))
    whole = (tmp_path / "log.jsonl").read_text()
    (tmp_path / "log.jsonl").write_text(whole[:-30])
    again = Log(tmp_path)
    assert [asdict(each) for each in again.records] == [asdict(log.records[0])]
    again.add(record(kind="kills", killed={"export": 40}))
    assert (tmp_path / "log.jsonl").read_text() == whole
    assert again.hours == pytest.approx(2 / 3) and "so far 0.67 h, 42 kills" in line(again.records)


#: Memory of earlier pieces and the present one in MB, descriptors likewise -> lines.
GROWTHS = {
    "flat": ([90, 60, 60], 61, [20, 20, 20], 20, 0),
    "caches and measurement": ([90, 60, 60], 74, [20, 20, 20], 36, 0),
    "memory grows": ([90, 60, 60], 76, [20, 20, 20], 20, 1),
    "descriptors grow": ([90, 60, 60], 60, [20, 20, 20], 42, 1),
    "too few to say": ([90, 60], 200, [20, 20], 99, 0),
}


@pytest.mark.parametrize(("sizes", "size", "files", "last", "lines"), GROWTHS.values(), ids=GROWTHS)
def test_the_judge_sees_memory_and_descriptors_that_grow(sizes, size, files, last, lines) -> None:
    about = zip(sizes, files, strict=True)
    earlier = [record(memory={"crawl": float(each)}, descriptors={"crawl": number}) for each, number in about]
    assert len(list(growth({"crawl": size * 1_000_000}, {"crawl": last}, [*earlier, record(kind="kills")]))) == lines


def test_a_hostile_page_is_not_what_a_parse_process_keeps() -> None:
    sizes = [60, 900, 61]
    assert [kept(role, sizes) for role in ("crawl", "fetch", "parse")] == [900, 900, 60]


def test_the_table_has_a_row_for_each_kind_and_each_piece_of_the_crawl() -> None:
    records = [record(share=0.95, least=0.91, room=True), record(share=0.2, least=0.1), record(kind="kills")]
    rows = table(records).splitlines()
    assert [row.split(" | ")[0] for row in rows if row.startswith("| ")] == [
        *("| pieces", "| crawl", "| kills", "| hour", "| 0.3", "| 0.7")
    ]
    assert "0.950 | 0.910" in rows[-2] and "busy | busy" in rows[-1]
