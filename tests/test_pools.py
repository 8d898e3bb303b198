"""Parse processes are started while all have work waiting, up to the processors; what the user sets is obeyed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.support.crawls.any_messages import sample
from tests.support.crawls.crawling import options_for, query
from tests.support.faults.killing import start
from tests.support.web.site import Answer, Web, page
from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_scope
from ttcrawl.engine.run import directory
from ttcrawl.engine.run.archive import run_of
from ttcrawl.ring import fork_server
from ttcrawl.ring.clock import SteadyClock
from ttcrawl.ring.messages import Read, Request, Trouble
from ttcrawl.ring.pools import Ring, WorkerArguments
from ttcrawl.ring.sizes import IDLE, SPARE, most_parsers
from ttcrawl.ring.slots import Slots
from ttcrawl.ring.stuck import STRIKES

PAGES = 250
SITE = ("a.test", "/")


def parsers(session: int) -> int:
    """The parse processes of a crawl that leads its session, by their names; those for slow pages have a lower priority
    and do not count."""
    found, usual = 0, os.getpriority(os.PRIO_PROCESS, 0)
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parses = (each / "comm").read_text() == "ttcrawl-parse\n" and os.getsid(int(each.name)) == session
            found += parses and os.getpriority(os.PRIO_PROCESS, int(each.name)) == usual
    return found


def heavy(number: int) -> Answer:
    """A page of some 800 KB: parsing it takes far longer than serving it, on a busy machine too."""
    links = [f"/{(number * step) % PAGES}" for step in range(1, 200)]
    return Answer(body=page(*links, content=f"<p>word{number} and more words " * 20_000))


@pytest.mark.slow
@pytest.mark.parametrize(("options", "most"), [((), len(os.sched_getaffinity(0))), (("--parsers", "1"), 1)])
def test_the_number_of_parse_processes(tmp_path: Path, options: tuple[str, ...], most: int) -> None:
    pages = {("a.test", f"/{number}"): heavy(number) for number in range(PAGES)}
    pages |= {SITE: Answer(body=page(*(f"/{number}" for number in range(PAGES)))), ("a.test", "/robots.txt"): Answer()}
    with Web(pages) as web:
        begin = (web.url(*SITE), "-d", tmp_path / "c", *options_for(web), "--no-obey-delay", *options)
        process = start(tmp_path, "crawl", *begin, "--set", "traps.same_content=0")
        seen = 0
        while process.poll() is None:
            seen = max(seen, parsers(process.pid))
            time.sleep(0.02)
    assert process.returncode == 0, process.stderr
    assert seen == most
    assert query(tmp_path / "c", "SELECT count(*) FROM page WHERE status = 200") == [(PAGES + 1,)]


def test_another_file_ends_the_wait_for_messages(tmp_path: Path) -> None:
    config, steady, (ours, theirs) = Config(), SteadyClock.start(), socket.socketpair()
    turns = 0

    def clock() -> float:
        nonlocal turns
        turns += 1
        return steady()

    fork_server.prepare()
    (tmp_path / "warc").mkdir()
    archive = directory.positions([], SPARE + most_parsers(config.crawl), run_of(tmp_path, "urn:x", config, [], 0.0))
    scope = compile_scope(config.scope, ("http://a.test/",), config.hosts)
    with ours, theirs, closing(Slots(1, 1)) as slots:
        arguments = WorkerArguments(config=config, scope=scope, archive=tmp_path / "warc", clock=clock, slots=slots)
        with closing(Ring[None](arguments, archive, fetch=False, alarms=[ours.fileno()])) as ring:
            theirs.send(b"x")
            begun = time.monotonic()
            ring.ready()  # until then it counts for nothing, because it is not read
            assert turns <= 20 + 100 * (time.monotonic() - begun)
            begun = time.monotonic()
            assert ring.receive(100.0) == []
            assert time.monotonic() - begun < 100


def test_a_page_does_not_fail_with_processes_that_had_not_begun_it(tmp_path: Path) -> None:
    """Killed before it was ready, a process cannot have died of its first page, however often that happens."""
    (tmp_path / "asleep.py").write_text("import time\ntime.sleep(1000)\n\n\ndef page(page): ...\n")
    config = Config().changed({"crawl.parsers": 1, "hooks.page": "asleep:page", "hooks.path": str(tmp_path)})
    (tmp_path / "warc").mkdir()
    archive = directory.positions([], SPARE + 1, run_of(tmp_path, "urn:x", config, [], 0.0))
    scope = compile_scope(config.scope, ("http://a.test/",), config.hosts)
    troubles = 0
    with closing(Slots(1, 1)) as slots:
        clock = SteadyClock.start()
        arguments = WorkerArguments(config=config, scope=scope, archive=tmp_path / "warc", clock=clock, slots=slots)
        with closing(Ring[None](arguments, archive, fetch=False)) as ring:
            ring.read_archived(sample(Read, request=sample(Request, url="http://a.test/")), None)
            while troubles < STRIKES + 1:  # one more with hooks: without them, a page may be read at last
                if not ring.in_flight():
                    assert ring.receive(0.1) == []
                for _, process, _ in ring.in_flight():
                    os.kill(int(process.rsplit(maxsplit=1)[-1]), signal.SIGKILL)
                    messages = ring.receive(60.0)
                    assert [type(message) for message, _ in messages] == [Trouble]
                    troubles += 1


def test_a_process_for_slow_pages_ends_when_there_are_none(tmp_path: Path) -> None:
    """A moment in which all pages are slow, as when the disk is busy, costs no memory for the rest of the crawl."""
    config, now = Config().changed({"crawl.parsers": 1}), 0.0
    (tmp_path / "warc").mkdir()
    archive = directory.positions([], SPARE + 1, run_of(tmp_path, "urn:x", config, [], 0.0))
    scope = compile_scope(config.scope, ("http://a.test/",), config.hosts)

    def process_of(url: str) -> int:
        return next((int(process.split()[-1]) for each, process, _ in ring.in_flight() if each == url), 0)

    with closing(Slots(1, 1)) as slots:
        arguments = WorkerArguments(
            config=config, scope=scope, archive=tmp_path / "warc", clock=lambda: now, slots=slots
        )
        with closing(Ring[None](arguments, archive, fetch=False)) as ring:
            (regular,) = (each.pid for each in multiprocessing.active_children() if each.name == "ttcrawl-parse-0")
            assert regular is not None
            os.kill(regular, signal.SIGSTOP)  # it begins with the page later
            ring.read_archived(sample(Read, request=sample(Request, token=1, url="http://a.test/1")), None)
            ring.receive(0)
            assert process_of("http://a.test/1") == regular
            now += 1
            ring.read_archived(sample(Read, request=sample(Request, token=2, url="http://a.test/2")), None)
            while not (additional := process_of("http://a.test/2")):
                ring.receive(0.1)
            os.kill(regular, signal.SIGCONT)
            while ring.in_flight():
                ring.receive(0.1)
            now += IDLE
            ring.receive(0)
            assert Path(f"/proc/{additional}").exists()
            now += 1
            ring.receive(0)
            assert not Path(f"/proc/{additional}").exists() and Path(f"/proc/{regular}").exists()
