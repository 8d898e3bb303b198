"""The crawlers that are compared: how each is installed, and its command line for what it is asked to do."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.crawlers import BENCH_PYTHON, ROOT
from ttcrawl import __version__

MODULES = ROOT / ".venv-bench" / "node_modules"
TTCRAWL = str(Path(sys.executable).with_name("ttcrawl"))

#: Requests at once, where a crawler can be told.
CONNECTIONS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a crawler is asked to do: to crawl the hosts of the seeds completely, and nothing else."""

    seeds: tuple[str, ...]
    folder: Path  # for all that it keeps
    delay: float = 0.0  # seconds between two requests to a host
    timeout: float = 0.0  # seconds that a server may be silent, with one retry; 0: the crawler's defaults
    archive: bool = False  # write WARC files, if it can
    state: bool = False  # keep what a resume needs
    resume: bool = False  # go on after a kill, in the same folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """`version` is "" where the crawler is not installed."""

    name: str
    installed_by: str
    keeps: str
    version: Callable[[], str]
    command: Callable[[Order], list[str]]
    environment: Callable[[Order], Mapping[str, str]] = field(default=lambda order: {})
    keeps_pages: bool = False
    archives: bool = False  # as WARC
    delay: str  # what it is told to wait between requests, in words
    resumes: str = ""  # how, in words; "": it cannot


# ---- command lines ----


def _ttcrawl(order: Order) -> list[str]:
    directory = str(order.folder / "crawl")
    if order.resume:
        return [TTCRAWL, "resume", directory, "--progress", "none"]
    settings = {"scope.extensions": ""}
    if order.delay:
        settings["politeness.delay"] = f"{order.delay:g}"
    if order.timeout:
        settings |= {"fetch.connect_timeout": f"{order.timeout:g}", "fetch.read_timeout": f"{order.timeout:g}"}
        settings |= {"fetch.total_timeout": f"{2 * order.timeout:g}", "fetch.retries": "1", "fetch.retry_wait": "0.1"}
        settings |= {"politeness.backoff": "0.1", "politeness.robots_patience": "1"}
    options = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    hurry = [] if order.delay else ["--no-obey-delay"]
    return [TTCRAWL, "crawl", *order.seeds, "-d", directory, "--progress", "none", *hurry, *options]


def _scrapy(order: Order) -> list[str]:
    hosts = [f"{parts.hostname}:{parts.port}:{parts.hostname}" for parts in map(urlsplit, order.seeds)]
    settings = []
    if order.delay:
        settings += [f"DOWNLOAD_DELAY={order.delay:g}", "RANDOMIZE_DOWNLOAD_DELAY=False"]
    if order.timeout:
        settings += [f"DOWNLOAD_TIMEOUT={2 * order.timeout:g}", "RETRY_TIMES=1"]
    if order.state:
        settings.append(f"JOBDIR={order.folder / 'job'}")
    spider = ROOT / "benchmarks" / "scrapy_spider.py"
    return [str(BENCH_PYTHON), str(spider), str(order.folder / "log"), *hosts, *settings]


def _crawlee(order: Order) -> list[str]:
    return [str(BENCH_PYTHON), str(ROOT / "benchmarks" / "crawlee_crawler.py"), *_crawlee_options(order)]


def _crawlee_npm(order: Order) -> list[str]:
    return ["node", str(ROOT / "benchmarks" / "crawlee_cheerio.mjs"), *_crawlee_options(order)]


def _crawlee_options(order: Order) -> list[str]:
    options = [f"--delay={order.delay:g}"] if order.delay else []
    options += [f"--timeout={order.timeout:g}"] if order.timeout else []
    options += ["--state"] if order.state else []
    options += ["--resume"] if order.resume else []
    return [*options, *order.seeds]


def _crawlee_environment(order: Order) -> dict[str, str]:
    return {"CRAWLEE_STORAGE_DIR": str(order.folder / "storage"), "BENCH_MODULES": str(MODULES.parent)}


def _wget(order: Order) -> list[str]:
    options = ["--recursive", "--level=inf", "--quiet", f"--directory-prefix={order.folder / 'files'}"]
    options += _wget_options(order)
    if order.archive:
        options += [f"--warc-file={order.folder / 'site'}", f"--warc-tempdir={order.folder}", "--no-warc-keep-log"]
    return ["wget", *options, *order.seeds]


def _wget2(order: Order) -> list[str]:
    options = ["--recursive", "--level=inf", "--quiet", f"--directory-prefix={order.folder / 'files'}"]
    options += [*_wget_options(order), f"--max-threads={1 if order.delay else CONNECTIONS}"]
    return ["wget2", *options, *order.seeds]


def _wget_options(order: Order) -> list[str]:
    options = [f"--wait={order.delay:g}"] if order.delay else []
    options += [f"--timeout={order.timeout:g}", "--tries=2", "--waitretry=1"] if order.timeout else []
    return [*options, "--no-clobber"] if order.resume else options


def _httrack(order: Order) -> list[str]:
    folder = ["-O", str(order.folder / "files"), "--quiet"]
    if order.resume:
        return ["httrack", "--continue", *folder]
    limits = ["--disable-security-limits", "--max-rate=0", "--robots=2"]
    if order.delay:
        limits += ["--sockets=1", f"--connection-per-second={1 / order.delay:g}"]
    else:
        limits += [f"--sockets={CONNECTIONS}", "--connection-per-second=0"]
    if order.timeout:
        limits += [f"--timeout={order.timeout:g}", "--retries=1"]
    return ["httrack", *order.seeds, *folder, *limits]


def _linkchecker(order: Order) -> list[str]:
    per_second = 1 / order.delay if order.delay else 1000
    lines = ["[checking]", f"threads={CONNECTIONS}", f"maxrequestspersecond={per_second:g}"]
    lines += [f"timeout={order.timeout:g}"] if order.timeout else []
    file = order.folder / "linkcheckerrc"
    file.write_text("\n".join([*lines, ""]))
    order.folder.chmod(0o755)  # it is another user if root has started it
    return ["linkchecker", "-f", str(file), "--no-status", "--no-warnings", "-o", "none", *order.seeds]


# ---- versions ----


def _of_program(name: str) -> Callable[[], str]:
    def version() -> str:
        if not shutil.which(name):
            return ""
        printed = subprocess.run([name, "--version"], capture_output=True, text=True)
        found = re.search(r"\d+\.[\d.]+(?:-\d+)?", printed.stdout)
        return found[0] if found else "of unknown version"

    return version


def _of_package(name: str) -> Callable[[], str]:
    """Of a package in .venv-bench."""

    def version() -> str:
        folders = BENCH_PYTHON.parent.parent.glob(f"lib/python*/site-packages/{name}-*.dist-info")
        return next((each.name.removesuffix(".dist-info").partition("-")[2] for each in folders), "")

    return version


def _of_module(name: str) -> Callable[[], str]:
    def version() -> str:
        file = MODULES / name / "package.json"
        return str(json.loads(file.read_text())["version"]) if file.exists() and shutil.which("node") else ""

    return version


PEERS = (
    Peer(
        name="ttcrawl",
        installed_by="pip",
        keeps="WARC, tables, text",
        version=lambda: __version__,
        delay="`politeness.delay = 1`",
        command=_ttcrawl,
        keeps_pages=True,
        archives=True,
        resumes="`ttcrawl resume`",
    ),
    Peer(
        name="Scrapy",
        installed_by="pip",
        keeps="nothing without code",
        version=_of_package("scrapy"),
        delay="`DOWNLOAD_DELAY = 1`, not random",
        command=_scrapy,
        resumes="the same command with `JOBDIR`",
    ),
    Peer(
        name="Crawlee",
        installed_by="pip",
        keeps="nothing without code",
        version=_of_package("crawlee"),
        delay="`ThrottlingRequestManager`",
        command=_crawlee,
        environment=_crawlee_environment,
        resumes="the same script, `purge_on_start=False`",
    ),
    Peer(
        name="Crawlee JS",
        installed_by="npm",
        keeps="nothing without code",
        version=_of_module("crawlee"),
        delay="`sameDomainDelaySecs: 1`, not for addresses",
        command=_crawlee_npm,
        environment=_crawlee_environment,
        resumes="the same script, `purgeOnStart: false`",
    ),
    Peer(
        name="wget",
        installed_by="apt-get",
        keeps="files, WARC",
        version=_of_program("wget"),
        delay="`--wait=1`",
        command=_wget,
        keeps_pages=True,
        archives=True,
        resumes="`--no-clobber`, without WARC",
    ),
    Peer(
        name="wget2",
        installed_by="apt-get",
        keeps="files",
        version=_of_program("wget2"),
        delay="`--wait=1 --max-threads=1`",
        command=_wget2,
        keeps_pages=True,
        resumes="`--no-clobber`",
    ),
    Peer(
        name="HTTrack",
        installed_by="apt-get",
        keeps="files with local links",
        version=_of_program("httrack"),
        delay="`--connection-per-second=1 --sockets=1`",
        command=_httrack,
        keeps_pages=True,
        resumes="`httrack --continue`",
    ),
    Peer(
        name="LinkChecker",
        installed_by="apt-get",
        keeps="a list of problems",
        version=_of_program("linkchecker"),
        delay="`maxrequestspersecond=1`",
        command=_linkchecker,
    ),
)

#: What was to be compared, and why it is not.
ABSENT = {
    "Heritrix": "Java, distributed as a release archive: not on PyPI, npm or in Debian",
    "Nutch": "Java, distributed as a release archive: not on PyPI, npm or in Debian",
    "StormCrawler": "Java, built with Maven on Apache Storm: not on PyPI, npm or in Debian",
    "Browsertrix": "a container image; npm has its behaviors alone",
    "lychee": "checks the pages that it is given and follows no links; [beside `ttcrawl check`](check.md)",
}
