"""A site of 1,000 pages, a tenth of them with scripts, crawled with and without a browser for each page.

    python -m benchmarks.browser [--pages 1000] [--only "ttcrawl auto" crawlee] [--save]

The site is made by tests/support/web/scripted_web.py, on loopback. Each crawler is a command of its own, run one
after the other; CPU counts all its processes, Chromium's included. `--save` writes the table into
docs/browser.md. The status is 1 if a page is incomplete in a browser, or if `auto` reads more of a site of 1,000
pages in the browser than it should. Crawlee is in .venv-bench (`python3 -m venv .venv-bench; .venv-bench/bin/pip
install 'crawlee[playwright]'`), that of npm too (`npm install --prefix .venv-bench crawlee playwright`).
browsertrix-crawler is not on npm: it is an image of a container."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import sqlite3
import subprocess
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
from benchmarks.docsites import at_once
from benchmarks.manual import write
from benchmarks.measure import finished
from tests.support.web.scripted_web import HOST, Page, pages_of, web_of
from tests.support.web.site import Web
from ttcrawl.browser.program import program
from ttcrawl.browser.shape import shape_of
from ttcrawl.config import Browser

TIMEOUT = 3600.0

#: Of a site of this many pages, a tenth with scripts, `auto` reads at most this share in the browser.
CLAIMED, SHARE = 1000, 0.15

STATIC, AUTO, YES, CRAWLEE, CRAWLEE_NPM = "ttcrawl no", "ttcrawl auto", "ttcrawl yes", "crawlee", "crawlee-npm"
ALL = (STATIC, AUTO, YES, CRAWLEE, CRAWLEE_NPM)

#: Where npm has put Crawlee.
MODULES = ROOT / ".venv-bench" / "node_modules"

MANUAL = ROOT / "docs" / "browser.md"
BEGIN, END = "<!-- measured -->\n", "<!-- end -->"
HEAD = """| pages | need scripts | crawler | complete pages | pages in the browser | requests | wall, s | CPU, s |
|---|---|---|---|---|---|---|---|"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    crawler: str
    incomplete: tuple[str, ...]  # paths of the pages whose text was not found completely
    rendered: int | None  # pages in the browser; None: all of them
    requests: int  # of all kinds, by the log of the server
    wall: float
    cpu: float


#: Folder of a crawl -> path of a page -> its text.
Texts = Callable[[Path], Mapping[str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--only", nargs="*", choices=ALL, default=ALL)
    parser.add_argument("--save", action="store_true", help="write the table into docs/browser.md")
    options = parser.parse_args()
    titles = {STATIC: "`no`", AUTO: "`auto`", YES: "`yes`"}
    if CRAWLEE in options.only:
        titles[CRAWLEE] = f"Crawlee {_version()} (PlaywrightCrawler, 2 pages at once)"
    if CRAWLEE_NPM in options.only:
        titles[CRAWLEE_NPM] = f"Crawlee {_npm_version()} of npm (PlaywrightCrawler, 2 pages at once)"
    pages = pages_of(options.pages)
    _shapes(pages)
    print(HEAD, flush=True)
    lines, failures = [HEAD], list[str]()
    for name in options.only:
        result = _crawl(name, pages)
        lines.append(_row(titles[name], pages, result))
        failures += _failures(pages, result)
        print(lines[-1], flush=True)
    if options.save:
        write(MANUAL, BEGIN, END, "\n".join(lines))
    if failures:
        raise SystemExit("\n".join(failures))


def _version() -> str:
    asked = [str(BENCH_PYTHON), "-c", "from importlib.metadata import version; print(version('crawlee'))"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        raise SystemExit("Crawlee is missing: see above how .venv-bench gets it, or leave it out with --only") from None


def _npm_version() -> str:
    try:
        return str(json.loads((MODULES / "crawlee" / "package.json").read_text())["version"])
    except OSError:
        raise SystemExit("Crawlee of npm is missing: see above, or leave it out with --only") from None


def _row(title: str, pages: Sequence[Page], result: Result) -> str:
    rendered = len(pages) if result.rendered is None else result.rendered
    share = f" ({rendered / len(pages):.1%})".replace("%", " %") if 0 < rendered < len(pages) else ""
    cells = (
        f"{len(pages):,}",
        f"{sum(bool(each.shown) for each in pages):,}",
        title,
        f"{len(pages) - len(result.incomplete):,}",
        f"{rendered:,}{share}",
        f"{result.requests:,}",
        f"{result.wall:,.1f}" if result.wall < 10 else f"{result.wall:,.0f}",
        f"{result.cpu:,.1f}" if result.cpu < 10 else f"{result.cpu:,.0f}",
    )
    return f"| {' | '.join(cells)} |"


def _failures(pages: Sequence[Page], result: Result) -> list[str]:
    """What is not as the manual says."""
    found = []
    if result.crawler != STATIC and result.incomplete:
        found.append(f"{result.crawler}: {len(result.incomplete):,} pages are incomplete: {result.incomplete[:5]}")
    if result.crawler == AUTO and len(pages) >= CLAIMED and (result.rendered or 0) > SHARE * len(pages):
        found.append(f"{AUTO}: {result.rendered:,} of {len(pages):,} pages in the browser, above {SHARE:.0%}")
    return found


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
        command, texts = _command(name, web, Path(folder))
        before = _cpu()
        measured = finished(command, Path(folder) / "output", TIMEOUT, {"BENCH_MODULES": str(MODULES.parent)})
        cpu = _cpu() - before
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
    command = [sys.executable, "-m", "ttcrawl", "crawl", web.url(HOST, "/"), "-d", str(folder / "crawl")]
    options = [*at_once(web.resolve), "--set", f"browser.use={name.split()[1]}"]

    def texts(folder: Path) -> dict[str, str]:
        with closing(sqlite3.connect(folder / "crawl" / "crawl.db")) as db:
            rows = db.execute("SELECT url.url, text FROM text JOIN url ON url.id = text.url")
            return {urlsplit(url).path: zlib.decompress(text).decode() for url, text in rows}

    return [*command, *options], texts


def _rendered(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "crawl" / "crawl.db")) as db:
        count: int = db.execute("SELECT count(*) FROM browser_use WHERE way = 'browser'").fetchone()[0]
    return count


def _command(name: str, web: Web, folder: Path) -> tuple[list[str], Texts]:
    if name == CRAWLEE:
        return _crawlee(web, folder, str(BENCH_PYTHON), "crawlee_browser.py")
    if name == CRAWLEE_NPM:
        return _crawlee(web, folder, "node", "crawlee_browser.mjs")
    return _ttcrawl(name, web, folder)


def _crawlee(web: Web, folder: Path, interpreter: str, file: str) -> tuple[list[str], Texts]:
    (address,) = {entry.rpartition(":")[2] for entry in web.resolve}
    script = str(ROOT / "benchmarks" / file)
    lines = folder / "texts"
    arguments = [program(Browser(use="yes")), HOST, address, str(lines), web.url(HOST, "/")]

    def texts(folder: Path) -> dict[str, str]:
        pairs = map(json.loads, lines.read_text().splitlines())
        return {urlsplit(url).path: text for url, text in pairs}

    return [interpreter, script, *arguments], texts


if __name__ == "__main__":
    main()
