"""What an export of a large crawl costs: python -m benchmarks.exports DIR [--pages N] [FORMAT...]

Crawls three documentations into DIR/original, multiplies this crawl to N pages (a million) in DIR/crawl unless both are
there, and exports it, format by format: CPU and wall seconds, the size of what is written, and the most memory that all
processes of the command have at a time (PSS; the page cache is not in it). A million pages take 35 GB in DIR, and the
largest export 50 GB more; it is deleted when it is measured.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.copies import multiply
from benchmarks.docsites import docsites
from benchmarks.measure import finished

TIMEOUT = 6 * 3600.0

#: Name -> the format, what is written, and further options.
EXPORTS: Mapping[str, tuple[str, ...]] = {
    "jsonl": ("jsonl", "out.jsonl"),
    "jsonl, texts": ("jsonl", "out.jsonl", "--text"),
    "csv": ("csv", "out.csv"),
    "csv, texts": ("csv", "out.csv", "--text"),
    "parquet": ("parquet", "out.parquet"),
    "parquet, texts": ("parquet", "out.parquet", "--text"),
    "parquet, usual tables": ("parquet", "."),
    "bulk": ("bulk", "out.ndjson"),
    "cc-index": ("cc-index", "out.parquet"),
    "site-search": ("site-search", "."),
    "wat": ("wat", "out.wat.gz"),
    "alvis": ("alvis", "out.xml"),
    "cdxj": ("cdxj", "out.cdxj"),
    "crawl-log": ("crawl-log", "out.log"),
    "crawl-table, JSON": ("crawl-table", "out.jsonl"),
    "crawl-table, Parquet": ("crawl-table", "out.parquet"),
    "crawl-table, store": ("crawl-table", "."),
    "dc": ("dc", "out.xml"),
    "sitemap": ("sitemap", "."),
    "sqlite": ("sqlite", "out.sqlite"),
    "wacz": ("wacz", "out.wacz"),
    "wet": ("wet", "out.wet.gz"),
}


def crawl(directory: Path) -> None:
    with docsites() as sites:
        command = [sys.executable, "-m", "ttcrawl", "crawl", *sites.seeds, *sites.at_once, "-d", str(directory)]
        finished([*command, "--set", "scope.extensions="], directory.with_name("output"), TIMEOUT)


def export(directory: Path, name: str) -> str:
    """A line of figures."""
    form, file, *more = EXPORTS[name]
    with tempfile.TemporaryDirectory(dir=directory, prefix="export-") as folder:
        out = Path(folder) / file
        command = [sys.executable, "-m", "ttcrawl", "export", str(directory / "crawl"), "--format", form]
        command += ["-o", str(out), *more]
        done = finished(command, directory / "output", TIMEOUT)
        memory = max(size for _, size in done.memory)
        size = sum(each.stat().st_size for each in Path(folder).rglob("*") if each.is_file())
    return f"| {name} | {done.cpu:,.0f} | {done.wall:,.0f} | {memory / 1e6:,.0f} | {size / 1e9:,.2f} |"


def copied(directory: Path, pages: int) -> Path:
    """Return a crawl of so many pages in this directory; one that is there stays."""
    directory.mkdir(exist_ok=True)
    original, copies = directory / "original", directory / "crawl"
    if not original.exists():
        crawl(original)
    if not copies.exists():
        print(f"{multiply(original, copies, pages):,} pages", flush=True)
    return copies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, metavar="DIR")
    parser.add_argument("names", nargs="*", metavar="FORMAT", help="all of them if none is named")
    parser.add_argument("--pages", type=int, default=1_000_000)
    options = parser.parse_intermixed_args()  # names may follow --pages
    copied(options.directory, options.pages)
    print("| format | CPU, s | wall, s | memory, MB | size, GB |\n|---|--:|--:|--:|--:|", flush=True)
    for name, (form, *_) in EXPORTS.items():
        if not options.names or form in options.names or name in options.names:
            print(export(options.directory, name), flush=True)


if __name__ == "__main__":
    main()
