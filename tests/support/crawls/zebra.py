"""An index of Zebra as the manual makes it, by the programs of Debian: made, updated, served and searched."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.support.web.site import Answer, page
from ttcrawl.cli import main

CONFIGURATION = Path(__file__).parents[3] / "docs" / "zebra"
EVERYTHING = '@attr 1=_ALLRECORDS @attr 2=103 ""'
COUNT = 24
PROGRAMS = ("zebraidx", "zebrasrv", "yaz-client")


def need_zebra() -> None:
    if missing := [program for program in PROGRAMS if not shutil.which(program)]:
        assert os.environ.get("CI") != "true", f"not installed: {missing}"
        pytest.skip(f"not installed: {missing}: apt-get install idzebra-2.0 yaz")


def index(directory: Path, *files: str) -> None:
    """Make an index in a new directory; with `files`, of these too."""
    need_zebra()
    shutil.copytree(CONFIGURATION, directory, dirs_exist_ok=True)
    for name in ("register", "shadow", "tmp", "lock"):
        (directory / name).mkdir(exist_ok=True)
    zebraidx(directory, "init")
    for file in files:
        update(directory, file)


def update(directory: Path, file: str | Path) -> None:
    zebraidx(directory, "update", str(file))
    zebraidx(directory, "commit")


def zebraidx(directory: Path, *words: str) -> str:
    done = subprocess.run(["zebraidx", *words], cwd=directory, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and "[warn]" not in done.stderr and "[fatal]" not in done.stderr, done.stderr[-3000:]
    return done.stderr


@contextmanager
def served(directory: Path, *options: str) -> Iterator[int]:
    """Serve an index on the port that is returned, 127.0.0.1. `options`: of zebrasrv."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = directory / "served.xml"
    server.write_text((directory / "server.xml").read_text().replace("127.0.0.1:9999", f"127.0.0.1:{port}"))
    with (directory / "server.log").open("wb") as log:
        process = subprocess.Popen(["zebrasrv", *options, "-f", server.name], cwd=directory, stdout=log, stderr=log)
        try:
            _wait_for(process, port)
            yield port
        finally:
            process.terminate()
            process.wait(10)


def _wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    """Wait until a server answers: a new one may have to wait for the processor, too."""
    for _ in range(600):
        assert server.poll() is None, f"zebrasrv has ended with status {server.returncode}: see server.log"
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise AssertionError(f"zebrasrv does not answer on port {port}")


def count(port: int, query: str) -> int:
    """The number of records for a query of Z39.50, in prefix notation."""
    said = yaz_client(port, f"find {query}")
    hits = re.search(r"Number of hits: (\d+)", said)
    assert hits and "Diagnostic" not in said, said
    return int(hits[1])


def urls(port: int, query: str) -> list[str]:
    """The first URL of each record, in their order."""
    hits = count(port, query)
    said = yaz_client(port, f"find {query}", "format xml", "elements alvis", f"show 1+{hits}") if hits else ""
    return re.findall(r"<urls>\s*<url>([^<]*)", said)


def yaz_client(port: int, *commands: str) -> str:
    lines = "\n".join((f"open 127.0.0.1:{port}/Default", *commands, "quit", ""))
    return subprocess.run(["yaz-client"], input=lines, capture_output=True, text=True, timeout=60).stdout


def chain(content: str = "apple", delay: float = 0.0) -> dict[tuple[str, str], Answer]:
    """A chain of pages, each with a link to the next one and one to the first."""
    bodies = [page(f"/{n + 1}", "/", content=f"<p>{content} number{n}") for n in range(COUNT - 1)]
    bodies.append(page("/", content="<p>the end"))
    return {("a.test", f"/{n}" if n else "/"): Answer(body=body, delay=delay) for n, body in enumerate(bodies)}


def is_complete(directory: Path, crawl: Path) -> bool:
    """Whether an index has the same documents, and links to them, as a new one of the same crawl."""
    fresh = directory.with_name("fresh")
    assert main(["export", str(crawl), "--format", "alvis", "-o", str(directory.with_name("all.xml"))]) == 0
    index(fresh, str(directory.with_name("all.xml")))
    queries = (EVERYTHING, "@attr 1=text apple", "@attr 1=text pear", "@attr 1=anchor 1", "@attr 1=text number7")
    counts = []
    for each in (directory, fresh):
        with served(each) as port:
            counts.append([count(port, query) for query in queries] + [sorted(urls(port, EVERYTHING))])
    assert counts[0] == counts[1]
    return True
