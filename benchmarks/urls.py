"""The cost of a link: resolve it, make it canonical, decide scope under 100 rules; beside what Scrapy's libraries take.

python -m benchmarks.urls [--links N] [--rules N] [--rounds N]

The links are from the documentation of Python 3.11 (Debian's python3.11-doc), in the order of its pages, each with
the URL of its page. Nothing is remembered from one link to the next, as the parse processes would. The other libraries
(urllib.parse.urljoin and w3lib's canonicalize_url, as Scrapy's link extractor uses them) run in the virtual environment
of the benchmarks, in alternating rounds.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

if __name__ == "__main__" and "--w3lib" in sys.argv:  # in the other environment, where ttcrawl is not
    from urllib.parse import urljoin

    from w3lib.url import canonicalize_url

    pairs = json.loads(Path(sys.argv[-1]).read_text())
    since = time.process_time()
    for base, href in pairs:
        canonicalize_url(urljoin(base, href))
    print(time.process_time() - since)
    sys.exit()

from benchmarks.docs import BENCH_VENV
from benchmarks.docsites import document_root
from ttcrawl.config import Line, Lines, Scope, Url
from ttcrawl.config.compiled import compile_canon, compile_scope
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.resolver import Resolver
from ttcrawl.web.url import resolve

SITE = "http://python.docs.test/"

#: One after the other they stand for what people exclude; the numbers make them differ.
KINDS = (
    "exclude http*://*cgi-bin/{}/*",
    "exclude *.x{}",
    r"exclude regex:[?&]session{}=\w+",
    "allow host:mirror{}.docs.test",
    "exclude host:*.ads{}.example",
    "exclude domain:tracker{}.com",
    r"exclude host-regex:^ad{}\.",
    "exclude surt:(com,example{},",
    "exclude path:/private{}/",
    "allow path:/library/{}",
)


def links(count: int) -> list[tuple[str, str]]:
    """(URL of the page, href) of the first `count` links."""
    root = document_root("python3.11-doc")
    result: list[tuple[str, str]] = []
    for path in sorted(root.rglob("*.html")):
        url = SITE + path.relative_to(root).as_posix()
        page = extract(path.read_bytes(), url)
        result += [(page.base, href) for href in page.hrefs]
        if len(result) >= count:
            return result[:count]
    raise SystemExit(f"there are only {len(result):,} links")


def seconds(each: Callable[[str, str], object], pairs: list[tuple[str, str]]) -> float:
    since = time.process_time()
    for base, href in pairs:
        each(base, href)
    return time.process_time() - since


def variants(rules: int) -> dict[str, Callable[[str, str], object]]:
    lines = Lines(Line(text=KINDS[number % len(KINDS)].format(number), file="bench") for number in range(rules))
    plain = compile_scope(Scope(), [SITE])
    ruled = compile_scope(Scope(rules=lines), [SITE])
    ruled.refusal(SITE)
    remembering = Resolver(compile_canon(Url()), ruled.ruling, Scope().max_url)
    return {
        "resolve and canonical": resolve,
        "and scope without rules": lambda base, href: plain.refusal(resolve(base, href) or SITE),
        f"and scope with {rules} rules": lambda base, href: ruled.refusal(resolve(base, href) or SITE),
        "and key and host, remembered as in a crawl": lambda base, href: remembering.page(base).targets([href]),
    }


def w3lib(file: Path) -> float:
    python = BENCH_VENV / "bin" / "python"
    process = subprocess.run([str(python), __file__, "--w3lib", str(file)], capture_output=True, text=True, check=True)
    return float(process.stdout)


def has_w3lib() -> bool:
    python = BENCH_VENV / "bin" / "python"
    return python.exists() and not subprocess.run([str(python), "-c", "import w3lib"], capture_output=True).returncode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--links", type=int, default=100_000)
    parser.add_argument("--rules", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    pairs, functions = links(arguments.links), variants(arguments.rules)
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        file = Path(folder) / "links.json"
        file.write_text(json.dumps(pairs))
        compared = has_w3lib()
        for _ in range(arguments.rounds):
            for name, function in functions.items():
                times.setdefault(name, []).append(seconds(function, pairs))
            if compared:
                times.setdefault("urljoin and canonicalize_url", []).append(w3lib(file))
    print(
        f"{len(pairs):,} links, {len(set(pairs)):,} of them different;"
        f" µs of CPU a link, median of {arguments.rounds} rounds"
    )
    for name, rounds in times.items():
        each = [1e6 * round_ / len(pairs) for round_ in rounds]
        print(f"{statistics.median(each):8.2f}   {name}   ({min(each):.2f} to {max(each):.2f})")
    if not compared:
        print(f"no w3lib in {BENCH_VENV.name}: `python -m benchmarks.docs` makes it")


if __name__ == "__main__":
    main()
