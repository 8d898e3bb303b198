"""The steps of an operator while a crawl of many hosts runs: stops, kills, other rules, more seeds, another try."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tests.soak.weeks.watch import Sample, line, sample, stored
from tests.soak.weeks.web import LIMIT, Hosts, generated
from tests.support.crawls.crawling import command
from tests.support.faults.killing import kill, kill_all, processes, until
from tests.support.web.site import Hit, Web

CONFIG = """
[agent]
contact = mailto:operator@example.org
[crawl]
max_depth = {limit}
metrics = {metrics}
[politeness]
delay = {delay:g}
backoff = {backoff:g}
robots_patience = {patience:g}
[fetch]
resolve = {resolve}
"""

#: Share of the usual delay after it was lowered.
LOWER = 0.8


@dataclass(slots=True)
class Play:
    """One long crawl; `seconds` is how long it takes, more or less."""

    directory: Path  # of everything
    number: int
    seconds: float
    say: Callable[[str], None] = print
    samples: list[Sample] = field(default_factory=list)
    moments: dict[str, float] = field(default_factory=dict)  # step -> when it was done, seconds since the epoch
    killed: int = 0
    runs: int = 0
    _begun: float = 0.0  # the present run
    hits: list[Hit] = field(default_factory=list)
    web: Hosts = field(init=False)
    _process: subprocess.Popen[str] = field(init=False)
    _output: IO[str] = field(init=False)
    _later: list[str] = field(default_factory=list)  # --resolve options of the seeds that are added

    @property
    def crawl(self) -> Path:
        return self.directory / "crawl"

    @property
    def unit(self) -> float:
        """The delay of most hosts, in seconds."""
        return self.seconds / 40

    @property
    def log(self) -> Path:
        return self.directory / "output.txt"

    def play(self) -> None:
        """Crawl to the end; `hits` are the requests that the servers saw."""
        self.web = generated(self.number, self.unit)
        addresses = {each.name: each.address for each in self.web.hosts}
        rng = random.Random(self.number)
        with ExitStack() as opened:
            first = self.web.at_first()
            served = {name: addresses[name] for name in dict.fromkeys(host for host, _ in first)}
            site = opened.enter_context(Web(first, addresses=served))
            servers = [site]
            output = opened.enter_context(open(self.log, "w"))
            self._begin(site.port, output)
            opened.callback(lambda: kill_all(self._process.pid))
            begun = time.time()
            for share, step in self._steps(opened, servers, output, rng):
                self._watch_until(begun + share * self.seconds)
                self.say(f"{time.strftime('%H:%M:%S')}  {step.__name__}")
                step()
                self.moments[step.__name__] = time.time()
            self._watch_until(begun + 4 * self.seconds)
            assert self._process.poll() == 0, self.log.read_text()[-2000:]
            self.moments["end"] = time.time()
            for each in servers:
                self.hits += each.log()
        self.hits.sort(key=lambda hit: hit.arrived)

    # -- the crawl ----------------------------------------------------------------------------------------------------

    def _begin(self, port: int, output: IO[str]) -> None:
        seeds = [f"http://{each.name}:{port}/" for each in self.web.hosts]
        earlier = [url for url, each in zip(seeds, self.web.hosts, strict=True) if not each.added]
        wrong = ["# seeds of a study", "", "mailto:somebody@example.org", "no URL at all", "http://"]
        (self.directory / "seeds.txt").write_text("\n".join([*wrong, *earlier, earlier[0]]) + "\n")
        later = [url for url, each in zip(seeds, self.web.hosts, strict=True) if each.added]
        (self.directory / "more.txt").write_text("\n".join(["ftp://not.http.example/", *later]) + "\n")
        config = CONFIG.format(
            limit=LIMIT,
            metrics=self.directory / "crawl.prom",
            delay=self.unit,
            backoff=self.seconds / 200,
            patience=self.seconds / 20,
            resolve=" ".join(f"{each.name}:{port}:{each.address}" for each in self.web.hosts if not each.added),
        )
        (self.directory / "config.ini").write_text(config)
        later_at = [f"{each.name}:{port}:{each.address}" for each in self.web.hosts if each.added]
        self._later = [part for each in later_at for part in ("--resolve", each)]
        self._output = output
        self._start("crawl", "--seeds", "seeds.txt", "-c", "config.ini", "-d", self.crawl)

    def _start(self, *options: object) -> None:
        self.runs, self._begun = self.runs + 1, time.time()
        self._process = subprocess.Popen(
            command(*options, "--progress", "none"),
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            text=True,
            cwd=self.directory,
            start_new_session=True,
        )
        until(lambda: self._process.poll() is not None or (self.crawl / "crawl.db").exists())

    def _resume(self, *options: object) -> None:
        self._start("resume", self.crawl, *options)

    def _running(self) -> bool:
        return self._process.poll() is None

    def _command(self, *options: object) -> str:
        done = subprocess.run(command(*options), capture_output=True, text=True, cwd=self.directory, timeout=600)
        self._output.write(f"$ ttcrawl {' '.join(map(str, options))}\n{done.stdout}{done.stderr}")
        self._output.flush()
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def _watch_until(self, moment: float) -> None:
        """Read status now and then until the moment, or until the crawl has ended."""
        every = min(60.0, self.seconds / 30)
        due = time.time() + every / 2
        while time.time() < moment and self._running():
            if time.time() >= due:
                due = time.time() + every
                prom = self.directory / "crawl.prom"
                self.samples.append(sample(self.crawl, prom, self._process.pid, self.runs, self._begun))
                with open(self.directory / "samples.jsonl", "a") as file:
                    file.write(stored(self.samples[-1]) + "\n")
                self.say(line(self.samples[-1]))
            time.sleep(0.2)

    # -- steps --------------------------------------------------------------------------------------------------------

    def _steps(
        self, opened: ExitStack, servers: list[Web], output: IO[str], rng: random.Random
    ) -> list[tuple[float, Callable[[], None]]]:
        """(Share of the time, what is done then)."""
        all_of_them = self.web

        def kill_a_fetch_process() -> None:
            self._kill_one("fetch", rng)

        def kill_a_parse_process() -> None:
            self._kill_one("parse", rng)

        def stop_and_resume() -> None:
            self._stop()
            self._resume()

        def kill_the_crawl_process() -> None:
            self._kill("crawl")
            self._resume()

        def add_a_rule() -> None:
            self._stop()
            self._resume("--exclude", "*/calendar/*")

        def copy_while_it_runs() -> None:
            self._copy()

        def add_seeds() -> None:
            self._stop()
            self._resume("--seeds", "more.txt", *self._later)

        def kill_all_processes() -> None:
            self._kill("all")
            self._resume("--set", f"politeness.delay={self.unit * LOWER:g}")

        def mend_and_try_again() -> None:
            servers[0].change(all_of_them.mended())
            addresses = {each.name: each.address for each in all_of_them.of_health("down")}
            servers.append(opened.enter_context(Web(all_of_them.back(), port=servers[0].port, addresses=addresses)))
            self._stop()
            self._command("verify", self.crawl)
            for reason in ("http 5*", "connection refused", "robots.txt: *", "scope: host"):
                self._command("requeue", self.crawl, "--reason", reason)
            rules = ("--as-if", "crawl.max_depth=-1", "--as-if", "exclude=path:/late/")
            self._command("why", self.crawl, *rules, "--apply")
            self._resume("--fetchers", 2, "--set", f"frontier.hosts={max(10, self.number // 4)}")

        def kill_twice() -> None:
            for _ in range(2):
                self._kill("all")
                self._resume()
                time.sleep(min(5.0, self.unit))

        def stop_at_once() -> None:
            self._stop(twice=True)
            self._resume("--set", "frontier.hosts=10000")

        return [
            (0.04, kill_a_fetch_process),
            (0.08, kill_a_parse_process),
            (0.12, stop_and_resume),
            (0.16, kill_the_crawl_process),
            (0.20, add_a_rule),
            (0.25, copy_while_it_runs),
            (0.30, add_seeds),
            (0.38, kill_all_processes),
            (0.46, mend_and_try_again),
            (0.60, kill_twice),
            (0.70, stop_at_once),
            (0.78, kill_a_fetch_process),
        ]

    def _kill_one(self, role: str, rng: random.Random) -> None:
        victims = processes(self._process.pid)[role]
        self.killed += bool(victims)
        kill(victims and rng.sample(victims, 1))

    def _kill(self, what: str) -> None:
        """kill -9 of the crawl process alone, after which no process may stay, or of all."""
        if self._running():
            leader = self._process.pid
            kill_all(leader) if what == "all" else kill([leader])
            assert self._process.wait() == -signal.SIGKILL
            self.killed += 1
            until(lambda: not any(processes(leader).values()), 30)

    def _stop(self, *, twice: bool = False) -> None:
        """Ctrl-C, which is sent to all processes of the terminal."""
        for _ in range(1 + twice):
            if self._running():
                for pid in {pid for pids in processes(self._process.pid).values() for pid in pids}:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGINT)
                time.sleep(0.5 if twice else 0)
        status = self._process.wait(180)
        assert status in (0, 3, 130), (status, self.log.read_text()[-2000:])

    def _copy(self) -> None:
        """As the manual says (docs/guides/operations.md), and a check of the copy."""
        copy = self.directory / "copy"
        copy.mkdir()
        with (
            closing(sqlite3.connect(self.crawl / "crawl.db")) as source,
            closing(sqlite3.connect(copy / "crawl.db")) as target,
        ):
            source.backup(target)
        shutil.copy(self.crawl / "config.ini", copy)
        shutil.copytree(self.crawl / "warc", copy / "warc")
        repair = command("verify", copy, "--repair")
        done = subprocess.run(repair, capture_output=True, text=True, timeout=600)
        self._output.write(f"$ ttcrawl verify copy --repair\n{done.stdout}{done.stderr}")
        self._command("verify", copy)
