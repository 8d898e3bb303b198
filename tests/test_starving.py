"""60 hostile hosts beside 60 honest ones: each honest host is asked as often as its delay allows."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from tests.fetch.resolver import RESOLVER
from tests.support.crawls.crawling import command
from tests.support.faults.killing import until
from tests.support.web.greedy_hosts import greedy
from tests.support.web.site import Answer, Hit, Web, page

HONEST, HOSTILE, DEAD = 60, 60, 60
DELAY, WINDOW = 4.0, 120.0
PAGES = round(WINDOW / DELAY) + 20

#: Of the requests that the delay of a host allows.
SHARE = 0.9


def honest(n: int) -> dict[tuple[str, str], Answer]:
    host = f"honest-{n}.test"
    paths = [f"/{place}" for place in range(PAGES)]
    pages = {(host, path): Answer(body=page("/", title=f"{host}{path}", content="<p>word " * 200)) for path in paths}
    return pages | {(host, "/"): Answer(body=page(*paths)), (host, "/robots.txt"): Answer(status=404)}


@contextlib.contextmanager
def unanswered() -> Iterator[int]:
    """A port at which nobody is let in: its queue is full."""
    with contextlib.ExitStack() as kept:
        server = kept.enter_context(socket.socket())
        server.bind(("127.0.0.1", 0))
        server.listen(0)
        for _ in range(3):
            client = kept.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(server.getsockname())
        yield server.getsockname()[1]


def one_crawl(directory, environment) -> dict[str, float]:
    """The share of the requests that its delay allows, of each honest host."""
    pages: dict[tuple[str, str], Answer] = {}
    for n in range(HONEST):
        pages |= honest(n)
    for n in range(HOSTILE - 2):
        pages |= greedy(n)
    with Web(pages) as web, unanswered() as port:
        seeds = sorted((web.url(host, "/") for host in web.hosts), key=lambda url: url[::-1])
        dead = [f"http://www.name-{n}.dead/" for n in range(DEAD)]
        shut = [f"http://shut-{n}.test:{port}/" for n in range(2)]
        file = directory / "seeds.txt"
        file.write_text("\n".join([*dead, *shut, *seeds]))
        resolve = [*web.resolve, *(f"shut-{n}.test:{port}:127.0.0.1" for n in range(2))]
        options = [part for each in resolve for part in ("--resolve", each)]
        log, err = watched(
            directory, web, ["--seeds", str(file), *options, "--set", f"politeness.delay={DELAY}"], environment
        )
    print(Counter(line.split(" over ")[0].split(" ", 4)[-1][:40] for line in err.splitlines() if "process" in line))
    return shares(log, min(hit.arrived for hit in log))


def watched(directory, web: Web, options: list[str], environment) -> tuple[list[Hit], str]:
    """A crawl that is killed when the time is over: its exchanges under way would take minutes."""
    with open(directory / "err", "w+") as err:
        process = subprocess.Popen(
            command("crawl", "-d", directory / "c", "--progress", "none", *options),
            stdout=subprocess.DEVNULL,
            stderr=err,
            env=environment,
            start_new_session=True,
        )
        try:
            until(lambda: bool(web.log()) or process.poll() is not None)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(WINDOW + 1)
            err.seek(0)
            said = err.read()
            assert process.returncode is None, said
            return web.log(), said
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def shares(log: list[Hit], begun: float) -> dict[str, float]:
    hits = defaultdict(list)
    for hit in log:
        if hit.host.startswith("honest") and hit.arrived <= begun + WINDOW:
            hits[hit.host].append(hit)
    assert len(hits) == HONEST
    return {host: len(each) / (WINDOW / DELAY) for host, each in hits.items()}


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_honest_host_gets_what_its_delay_allows(tmp_path) -> None:
    """In one of three rounds: others keep the machine busy at times, and that makes no crawl faster."""
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "sitecustomize.py").write_text(RESOLVER)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "python")}
    rounds: list[float] = []
    while len(rounds) < 3 and max(rounds, default=0.0) < SHARE:
        place = tmp_path / str(len(rounds))
        place.mkdir()
        got = one_crawl(place, environment)
        rounds.append(min(got.values()))
        print(f"least {rounds[-1]:.2f}, mean {sum(got.values()) / len(got):.2f}")
    assert max(rounds) >= SHARE, rounds
