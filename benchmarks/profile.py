"""Where the processes of a crawl spend their time, by library: python -m benchmarks.profile [--save]

Linux's perf samples the crawl of the documentation sites of `benchmarks.docs`, native code and the kernel included.
A share is that of the samples of all processes with this name. `--save` writes the table into docs/speed.md.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from benchmarks import manual
from benchmarks.crawlers import CRAWLERS, TIMEOUT
from benchmarks.docs import MANUAL
from benchmarks.docsites import docsites
from benchmarks.measure import finished

BEGIN, END = "<!-- profile -->\n", "<!-- profile end -->\n"

MODES = ("ttcrawl", "ttcrawl, links only")
ROLES = ("ttcrawl", "ttcrawl-fetch", "ttcrawl-parse")

#: Samples a second: no multiple of what else happens regularly.
FREQUENCY = 997

#: What a library is to a reader, by a part of its file name; the first that fits.
LIBRARIES = {
    "core: links, text, fingerprints": "native.cpython",
    "Python": "libpython|python3",
    "kernel: sockets, files, memory": "[kernel",
    "compression of the archive": "isal",
    "SQLite": "sqlite",
    "libcurl": "curl",
    "messages (msgspec)": "_core.cpython",
    "language, near duplicates, hashes": "resiliparse|rensa|xxhash",
    "C library": "libc.so|libstdc++|libm.so|ld-linux|[vdso]",
}
OTHER = "others"

#: A line of perf report: share of all samples, name of the process, file.
LINE = re.compile(r"^\s+([\d.]+)%\s+(\S+)\s+(\S+)", re.MULTILINE)


def library(file: str) -> str:
    return next((name for name, parts in LIBRARIES.items() if any(part in file for part in parts.split("|"))), OTHER)


def shares(report: str) -> dict[tuple[str, str], float]:
    """By process name and library, the share of the samples of that process; `report` is that of perf, sorted by comm
    and dso."""
    samples, of_role = defaultdict[tuple[str, str], float](float), defaultdict[str, float](float)
    for share, role, file in LINE.findall(report):
        samples[role, library(file)] += float(share)
        of_role[role] += float(share)
    return {(role, name): share / (of_role[role] or 1.0) for (role, name), share in samples.items()}


def profiled(mode: str) -> dict[tuple[str, str], float]:
    """Crawl once under perf. Ends the program if that fails."""
    with docsites() as sites, tempfile.TemporaryDirectory(prefix="profile-") as name:
        folder = Path(name)
        command, environment, _ = CRAWLERS[mode](sites, folder)
        samples = str(folder / "perf.data")
        record = ["perf", "record", "--quiet", "--freq", str(FREQUENCY), "--output", samples, "--", *command]
        finished(record, folder / "output", TIMEOUT, environment)
        report = ["perf", "report", "--stdio", "--input", samples, "--sort", "comm,dso"]
        return shares(subprocess.run(report, check=True, capture_output=True, text=True).stdout)


def table(modes: Mapping[str, Mapping[tuple[str, str], float]]) -> str:
    """Columns by mode and process, rows by library, as per cent."""
    columns = [(mode, role) for mode in modes for role in ROLES]
    lines = ["| |" + "".join(f" {role}{mode.removeprefix('ttcrawl')} |" for mode, role in columns)]
    lines.append("|---|" + "--:|" * len(columns))
    for name in (*LIBRARIES, OTHER):
        cells = (f" {100 * modes[mode].get((role, name), 0.0):.0f} % |" for mode, role in columns)
        lines.append(f"| {name} |" + "".join(cells))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--save", action="store_true", help="write the table into docs/speed.md")
    arguments = parser.parse_args()
    if not shutil.which("perf"):
        raise SystemExit("perf is not installed; on Debian: apt-get install linux-perf")
    text = table({mode: profiled(mode) for mode in MODES})
    print(text)
    if arguments.save:
        manual.write(MANUAL, BEGIN, END, text)


if __name__ == "__main__":
    main()
