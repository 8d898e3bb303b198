"""ttcrawl beside other crawlers, on the same sites in one run: what docs/comparison.md shows.

    python -m benchmarks.comparison [--only PART ...] [--crawlers NAME ...] [--rounds N] [--save]

Who finds which pages and what it costs (`documentation`), which forms of links are followed (`links`), who gets through
what a hostile server sends (`hostile`), gaps between requests (`politeness`), what is there after a kill (`kills`),
and which programs read the archives (`archives`). All of it takes 20 minutes on two cores that do nothing else. A
crawler that is not installed is left out. `--save` writes the tables into docs/comparison.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable

from benchmarks import manual
from benchmarks.comparison import archives, documentation, hostile, kills, links, politeness
from benchmarks.comparison.peers import ABSENT, MODULES, PEERS, Peer
from benchmarks.comparison.running import installed, table
from benchmarks.crawlers import BENCH_PYTHON, ROOT
from benchmarks.docs import install_crawlers

MANUAL = ROOT / "docs" / "comparison.md"
ROUNDS = 3

#: Programs of others that read the archives, in .venv-bench; pywb has an environment of its own.
READERS = ("warctools", "warcat")
NPM = ("crawlee", "warcio")
PYWB = ROOT / ".venv-pywb"

#: Part of the page -> its tables.
PARTS: dict[str, Callable[[list[Peer], int], str]] = {
    "crawlers": lambda peers, rounds: crawlers(),
    "documentation": documentation.compared,
    "links": lambda peers, rounds: links.compared([peer.name for peer in peers]),
    "hostile": lambda peers, rounds: hostile.compared([peer.name for peer in peers], list(hostile.KINDS)),
    "politeness": lambda peers, rounds: politeness.compared(peers),
    "kills": lambda peers, rounds: kills.compared(peers),
    "archives": lambda peers, rounds: archives.compared(peers),
}


def crawlers() -> str:
    """What is compared, of which version, and what is not, and why."""
    rows = [[peer.name, peer.version() or "not installed", peer.installed_by, peer.keeps] for peer in PEERS]
    rows += [[name, "not compared", why, ""] for name, why in ABSENT.items()]
    when = time.strftime("%Y-%m-%d", time.gmtime())
    machine = f"{os.cpu_count()} cores, Linux on {platform.machine()}, Python {platform.python_version()}"
    machine += f", load average before it {os.getloadavg()[0]:.1f}"
    return f"{when}, {machine}.\n\n{table(['crawler', 'version', 'installed by', 'keeps'], rows)}"


def install() -> None:
    """What pip and npm have, where it is missing; Debian's packages are left to the user."""
    install_crawlers()
    pip = [str(BENCH_PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if not BENCH_PYTHON.with_name("warcvalid").exists():
        subprocess.run([*pip, *READERS], check=True)
    if missing := [name for name in NPM if not (MODULES / name).exists()]:
        npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(MODULES.parent), *missing]
        subprocess.run(npm, check=False)
    if not (PYWB / "bin" / "wayback").exists():
        subprocess.run([sys.executable, "-m", "venv", str(PYWB)], check=True)
        of_pywb = [str(PYWB / "bin" / "python"), *pip[1:]]
        subprocess.run([*of_pywb, "pywb==2.10.0"], check=True)


def marks(part: str) -> tuple[str, str]:
    """The lines of the page between which a part stands."""
    return f"<!-- {part} -->\n", f"<!-- end of {part} -->\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    parser.add_argument("--crawlers", nargs="+", choices=[peer.name for peer in PEERS], metavar="NAME")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of the documentation")
    parser.add_argument("--save", action="store_true", help="write the tables into docs/comparison.md")
    options = parser.parse_args()
    install()
    peers = installed(options.crawlers or ())
    for part in options.only:
        print(part, file=sys.stderr, flush=True)
        began = time.monotonic()
        text = PARTS[part](peers, options.rounds)
        print(f"{part}: {time.monotonic() - began:.0f} s\n\n{text}\n", flush=True)
        if options.save:
            manual.write(MANUAL, *marks(part), f"\n{text}\n")


if __name__ == "__main__":
    main()
