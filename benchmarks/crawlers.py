"""Crawlers that the benchmark compares: each crawls the three documentation sites once, as its own command.

All obey robots.txt, wait for no delay and keep to the hosts of the seeds. wget2 and Crawlee take no addresses for host
names, so the documentation server is their proxy; that costs neither side anything.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from benchmarks.docsites import ADDRESS, DocSites
from benchmarks.measure import Measured, finished

ROOT = Path(__file__).resolve().parent.parent
BENCH_PYTHON = ROOT / ".venv-bench" / "bin" / "python"
SPIDER, SPIDER_DIRECTORY = "spider-rs", ROOT / ".venv-bench" / "spider"
TIMEOUT = 900.0

#: wget2 ends with this status where a page was a 404.
SERVER_ERRORS = 8

#: Everything that a crawl can do without, switched off.
LINKS_ONLY = {
    "record.metadata": "no",
    "record.text": "no",
    "record.main": "no",
    "record.language": "no",
    "links.recorded": "",
    "links.landmarks": "no",
    "links.anchors": "no",
    "duplicates.exact": "no",
    "duplicates.near": "no",
    "duplicates.repeated": "no",
    "documents.convert": "no",
    "sitemaps.use": "no",
    "traps.same_content": "0",
}


#: The words of a command, variables of its environment, and the exit statuses that are no failure.
Command: TypeAlias = tuple[list[str], dict[str, str], tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One crawl of the three sites."""

    crawler: str
    requests: int  # GETs in the server's access log, robots.txt not counted
    pages: frozenset[str]  # HTML pages that were answered with 200
    wall: float  # seconds of the whole command, start-up and all
    cpu: float  # seconds of all its processes
    roles: Mapping[str, float]  # of them: seconds by the name of the process
    memory: int  # most bytes of all its processes at once
    bytes: int  # of the bodies of all answers
    readers: Mapping[str, int]  # of ttcrawl: HTML pages by what read them: "compiled", or why Python did

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.requests / self.wall

    @property
    def kilobytes(self) -> float:
        """Of the body of an answer, on average."""
        return self.bytes / self.requests / 1000

    def cpu_ms(self, role: str = "") -> float:
        """CPU of a request, of all processes or of one role."""
        return 1000 * (self.roles.get(role, 0.0) if role else self.cpu) / self.requests


def crawl(name: str, sites: DocSites, folder: Path) -> Round:
    """One round of the crawler of this name (of CRAWLERS). Ends the program if it fails."""
    return crawl_by(name, CRAWLERS[name], sites, folder)


def crawl_by(name: str, command_of: Callable[[DocSites, Path], Command], sites: DocSites, folder: Path) -> Round:
    """One round of a command, under this name. Ends the program if it fails."""
    command, environment, accepted = command_of(sites, folder)
    since = sites.mark()
    measured = finished(command, folder / "output", TIMEOUT, environment, accepted=accepted)
    return _round(name, sites, since, measured, _readers(folder / "crawl" / "crawl.db"))


def _readers(database: Path) -> dict[str, int]:
    """Pages by what read them, in the crawl.db of ttcrawl; others have none."""
    if not database.exists():
        return {}
    with closing(sqlite3.connect(database)) as connection:
        (text,) = connection.execute("SELECT value FROM crawl WHERE name = 'readers'").fetchone() or ("{}",)
    return dict(json.loads(text))


def _round(name: str, sites: DocSites, since: int, measured: Measured, readers: Mapping[str, int]) -> Round:
    requests = [each for each in sites.log(since) if each.method == "GET" and each.uri != "/robots.txt"]
    html = (each for each in requests if each.status == 200 and each.uri.endswith((".html", ".htm", "/")))
    return Round(
        crawler=name,
        requests=len(requests),
        # Scrapy also asks for `//`, which the server takes for `/`
        pages=frozenset(f"{each.host}/{each.uri.lstrip('/')}" for each in html),
        wall=measured.wall,
        cpu=measured.cpu,
        roles=measured.roles,
        memory=max((size for _, size in measured.memory), default=0),
        bytes=sum(each.bytes for each in requests),
        readers=readers,
    )


def ttcrawl_with(settings: Mapping[str, str]) -> Callable[[DocSites, Path], Command]:
    """Return what makes the command of ttcrawl with these keys."""

    def command(sites: DocSites, folder: Path) -> Command:
        options = ["--set", "scope.extensions="]
        options += [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
        program = str(Path(sys.executable).with_name("ttcrawl"))  # whose process has this name
        return [program, "crawl", *sites.seeds, *sites.at_once, "-d", str(folder / "crawl"), *options], {}, (0,)

    return command


def _scrapy(sites: DocSites, folder: Path) -> Command:
    spider = str(ROOT / "benchmarks" / "scrapy_spider.py")
    return [str(BENCH_PYTHON), spider, str(folder / "log"), *sites.resolve], {}, (0,)


def _crawlee(sites: DocSites, folder: Path) -> Command:
    program = str(ROOT / "benchmarks" / "crawlee_crawler.py")
    return (
        [str(BENCH_PYTHON), program, f"--proxy={_proxy(sites)}", *sites.seeds],
        {"CRAWLEE_STORAGE_DIR": str(folder)},
        (0,),
    )


def _spider(sites: DocSites, folder: Path) -> Command:
    program = str(ROOT / "benchmarks" / "spider_crawler.mjs")
    return ["node", program, str(SPIDER_DIRECTORY), _proxy(sites), *sites.seeds], {}, (0,)


def _wget2(sites: DocSites, folder: Path) -> Command:
    options = ["--recursive", "--level=inf", "--max-threads=32", "--tries=1", f"--directory-prefix={folder}", "--quiet"]
    return ["wget2", *options, *sites.seeds], {"http_proxy": _proxy(sites)}, (0, SERVER_ERRORS)


def _proxy(sites: DocSites) -> str:
    return f"http://{ADDRESS}:{sites.port}"


CRAWLERS: dict[str, Callable[[DocSites, Path], Command]] = {
    "ttcrawl": ttcrawl_with({}),
    "ttcrawl, urllib3": ttcrawl_with({"fetch.transport": "urllib3"}),
    "ttcrawl, links only": ttcrawl_with(LINKS_ONLY),
    "scrapy": _scrapy,
    "crawlee": _crawlee,
    "wget2": _wget2,
    SPIDER: _spider,
}


def installed(name: str) -> bool:
    """Whether the crawler is there; Scrapy and Crawlee are, once their environment is made."""
    if name == "wget2":
        return shutil.which("wget2") is not None
    if name == SPIDER:
        return shutil.which("node") is not None and any(SPIDER_DIRECTORY.glob("node_modules/@spider-rs/*linux*"))
    return name.startswith("ttcrawl") or any(BENCH_PYTHON.parent.parent.glob(f"lib/python*/site-packages/{name}"))
