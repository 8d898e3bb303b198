"""The WARC files of those crawlers that write them, read by the programs of others; and what each program says."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.comparison.peers import MODULES, TTCRAWL, Order, Peer
from benchmarks.comparison.running import crawl, scratch, table
from benchmarks.crawlers import BENCH_PYTHON
from benchmarks.docsites import ADDRESS, DocSites, document_root, serving
from tests.real.pywb import fetched, replayed

PACKAGE = "sqlite3-doc"

#: Seconds that a crawl may take, and a check.
LIMIT = 120.0

#: Pages that pywb shows and that are compared with the files that were served.
SAMPLE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    files: tuple[Path, ...]
    folder: Path  # an empty one
    pages: dict[str, Path]  # URL of a page that was served -> its file


Check = Callable[[Archive], str]


def _each_file(*command: str) -> Check:
    """Run a program for each file: "valid", or the last line that it prints where it ends with an error."""

    def check(archive: Archive) -> str:
        for file in archive.files:
            done = subprocess.run([*command, str(file)], capture_output=True, text=True, timeout=LIMIT)
            if done.returncode:
                return _last_line(done.stdout + done.stderr)
        return "valid"

    return check


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()] or ["an error without a message"]
    return lines[-1].strip()[:80].replace("|", "/")


def _imported(archive: Archive) -> str:
    """By `ttcrawl import` and `ttcrawl verify`."""
    directory = str(archive.folder / "imported")
    for command in ([TTCRAWL, "import", *map(str, archive.files), "-d", directory], [TTCRAWL, "verify", directory]):
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
        if done.returncode:
            return _last_line(done.stdout + done.stderr)
    return "valid"


def _replayed(archive: Archive) -> str:
    """By pywb: how many pages come back as they were served."""
    same = 0
    try:
        with replayed(archive.folder, *archive.files) as replay:
            for url, path in archive.pages.items():
                status, _, body = fetched(f"{replay}id_/{url}")
                same += status == 200 and body == path.read_bytes()
    except AssertionError:  # of `replayed`
        return "pywb does not start"
    return f"{same} of {len(archive.pages)} pages"


def _program(name: str) -> str:
    return str(BENCH_PYTHON.with_name(name))


#: What reads the archive -> how.
CHECKS: dict[str, Check] = {
    "`warcio check`": _each_file(sys.executable, "-m", "warcio.cli", "check"),
    "`fastwarc check`": _each_file(sys.executable, "-m", "fastwarc.cli", "check"),
    "`warcio index` (npm)": _each_file("node", str(MODULES / ".bin" / "warcio"), "index"),
    "`warcvalid` (warctools)": _each_file(_program("warcvalid")),
    "`warcat verify`": _each_file(str(BENCH_PYTHON), "-m", "warcat", "verify"),
    "pywb replays, byte for byte": _replayed,
    "`ttcrawl import`, `ttcrawl verify`": _imported,
}


def compared(peers: Sequence[Peer]) -> str:
    """The table: a row for each program, a column for each crawler that writes WARC files."""
    root = document_root(PACKAGE)
    able = [peer for peer in peers if peer.archives]
    with serving({ADDRESS: root}) as sites:
        columns = [_checked(peer, sites, root) for peer in able]
    rows = [[check, *(column[check] for column in columns)] for check in columns[0]] if columns else []
    return table(["", *(peer.name for peer in able)], rows)


def _checked(peer: Peer, sites: DocSites, root: Path) -> dict[str, str]:
    with scratch() as name:
        folder, since = Path(name), sites.mark()
        done = crawl(peer, Order(seeds=(sites.seed(ADDRESS),), folder=folder, archive=True), LIMIT)
        served = sorted({each.uri for each in sites.log(since) if each.status == 200 and each.uri.endswith(".html")})
        pages = {f"{sites.seed(ADDRESS)}{uri[1:]}": root / uri[1:] for uri in served[:SAMPLE]}
        files = tuple(sorted(folder.rglob("*.warc.gz")))
        if not done.ended or not files:
            raise SystemExit(f"{peer.name} has written no archive:\n{done.output}")
        size = sum(file.stat().st_size for file in files)
        results = {"MB": f"{size / 1e6:.1f}"}
        for check, run in CHECKS.items():
            (folder / "check").mkdir()
            results[check] = run(Archive(files=files, folder=folder / "check", pages=pages))
            shutil.rmtree(folder / "check")
            print(f"  {peer.name}: {check}: {results[check]}", file=sys.stderr, flush=True)
    return results
