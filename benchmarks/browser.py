"""A site of 1,000 pages of which a tenth need scripts, crawled with and without a browser for each page.

    python -m benchmarks.browser [--pages 1000] [--only "ttcrawl auto" crawlee]

The site is that of tests/scripted_web.py, on loopback. Each crawler is a command of its own, run one after the other;
CPU is that of all its processes, Chromium's included. Crawlee runs if .venv-bench has it
(`python3 -m venv .venv-bench; .venv-bench/bin/pip install 'crawlee[playwright]'`).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import sqlite3
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.crawlers import BENCH_PYTHON, ROOT
from benchmarks.measure import run
from tests.scripted_web import HOST, Page, pages_of, web_of
from tests.site import Web
from ttcrawl.browser.program import program
from ttcrawl.browser.shape import shape_of
from ttcrawl.config import Browser

TIMEOUT = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    crawler: str
    incomplete: tuple[str, ...]  # paths of the pages of which not all text was found
    rendered: int | None  # pages in the browser; None: all of them
    requests: int  # of all kinds, by the log of the server
    wall: float
    cpu: float


#: Folder of a crawl -> path of a page -> its text.
Texts = Callable[[Path], Mapping[str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--only", nargs="*", default=["ttcrawl no", "ttcrawl auto", "ttcrawl yes", "crawlee"])
    options = parser.parse_args()
    pages = pages_of(options.pages)
    print(f"{len(pages):,} pages, {sum(bool(each.shown) for each in pages):,} of them need scripts")
    _shapes(pages)
    print(f"{'':14} {'complete':>9} {'in the browser':>15} {'requests':>9} {'wall, s':>9} {'CPU, s':>9}")
    for name in options.only:
        result = _crawl(name, pages)
        rendered = "all" if result.rendered is None else f"{result.rendered:,}"
        figures = f"{result.requests:9,} {result.wall:9.1f} {result.cpu:9.1f}"
        print(f"{name:14} {len(pages) - len(result.incomplete):9,} {rendered:>15} {figures}", flush=True)
        if name != "ttcrawl no" and result.incomplete:
            print(f"  incomplete: {' '.join(result.incomplete[:5])}")


def _shapes(pages: Sequence[Page]) -> None:
    """What a fetch process pays for a page that stays static."""
    bodies = [each.body for path, each in web_of(list(pages)).items() if not path[1].startswith(("/js/", "/data/"))]
    manual = [path.read_bytes() for path in sorted(Path("/usr/share/doc").rglob("*.html"))[:200]]
    for name, some in (("this site", bodies), ("/usr/share/doc", manual)):
        if some:
            began = time.process_time()
            for body in some:
                shape_of(body)
            spent = time.process_time() - began
            size = sum(map(len, some)) / len(some)
            print(f"shape of a page of {name}: {1e6 * spent / len(some):,.0f} us ({size:,.0f} bytes)")


def _crawl(name: str, pages: Sequence[Page]) -> Result:
    with Web(web_of(list(pages))) as web, tempfile.TemporaryDirectory() as folder:
        command, texts = _crawlee(web, Path(folder)) if name == "crawlee" else _ttcrawl(name, web, Path(folder))
        before = _cpu()
        measured = run(command, Path(folder) / "output", TIMEOUT, {})
        cpu = _cpu() - before
        if measured.returncode:
            raise SystemExit(f"{name} ended with status {measured.returncode}:\n{measured.output}")
        found, requests = texts(Path(folder)), len(web.log())
        rendered = _rendered(Path(folder)) if name.startswith("ttcrawl") else None
    complete = {each.path for each in pages if each.path in found and _has(found[each.path], (each.text, each.shown))}
    return Result(
        crawler=name,
        incomplete=tuple(each.path for each in pages if each.path not in complete),
        rendered=rendered,
        requests=requests,
        wall=measured.wall,
        cpu=cpu,
    )


def _cpu() -> float:
    """CPU seconds of all processes that have ended: orphans too, in whatever session (measure.py makes them ours)."""
    time.sleep(1.0)  # the last ones are about to end
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _has(text: str, parts: Collection[str]) -> bool:
    return all(part in text for part in parts)


def _ttcrawl(name: str, web: Web, folder: Path) -> tuple[list[str], Texts]:
    command = [str(Path(sys.executable).with_name("ttcrawl")), "crawl", web.url(HOST, "/"), "-d", str(folder / "crawl")]
    options = ["--no-obey-delay", "--progress", "none", "--set", f"browser.use={name.split()[1]}"]
    options += [word for entry in web.resolve for word in ("--resolve", entry)]

    def texts(folder: Path) -> dict[str, str]:
        with closing(sqlite3.connect(folder / "crawl" / "crawl.db")) as db:
            rows = db.execute("SELECT url.url, text FROM text JOIN url ON url.id = text.url")
            return {urlsplit(url).path: zlib.decompress(text).decode() for url, text in rows}

    return [*command, *options], texts


def _rendered(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "crawl" / "crawl.db")) as db:
        count: int = db.execute("SELECT count(*) FROM browser_use WHERE way = 'browser'").fetchone()[0]
    return count


def _crawlee(web: Web, folder: Path) -> tuple[list[str], Texts]:
    (address,) = {entry.rpartition(":")[2] for entry in web.resolve}
    script = str(ROOT / "benchmarks" / "crawlee_browser.py")
    lines = folder / "texts"
    arguments = [program(Browser(use="yes")), HOST, address, str(lines), web.url(HOST, "/")]

    def texts(folder: Path) -> dict[str, str]:
        pairs = map(json.loads, lines.read_text().splitlines())
        return {urlsplit(url).path: text for url, text in pairs}

    return [str(BENCH_PYTHON), script, *arguments], texts


if __name__ == "__main__":
    main()
