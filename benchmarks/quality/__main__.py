"""How well pages are read, beside trafilatura and readability: python -m benchmarks.quality [PART...] [--save]

The pages are those of generators, of a translated book and of manuals out of packages, which no test and no other
benchmark reads: they judge, and nothing is tuned on them. Parts: main (main text of documentation and of 150 articles),
duplicates, language; all if none is named. The packages are unpacked into a cache, and not installed; it needs apt-get,
dpkg and npm, and `pip install trafilatura readability-lxml lxml_html_clean` for the comparison. Results go to
bench-results; `--save` writes them into docs/quality.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.articles import extractors
from benchmarks.crawlers import ROOT
from benchmarks.quality import articles, documentation, duplicates, language, page
from benchmarks.quality.compared import without_comments
from benchmarks.quality.packages import CACHE, Packages

RESULTS = ROOT / "bench-results"
PARTS = ("main", "duplicates", "language")


def measure(part: str, packages: Packages, options: argparse.Namespace) -> dict[str, Any]:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    result: dict[str, Any] = {"date": time.strftime("%Y-%m-%d", time.gmtime()), "commit": commit.strip()}
    if part == "main":
        result["documentation"] = documentation.measure(packages, extractors(), options.pages)
        result["articles"] = articles.measure(packages, without_comments(extractors()))
    elif part == "duplicates":
        result["generators"] = duplicates.measure(packages, options.compared)
    else:
        result["kinds"] = language.measure(packages, options.each)
    return result


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    arguments.add_argument("--pages", type=int, default=50, help="of a generator, for the main text")
    arguments.add_argument("--compared", type=int, default=1500, help="pages of a generator, for near duplicates")
    arguments.add_argument("--each", type=int, default=12, help="pages of a language and kind")
    arguments.add_argument("--cache", type=Path, default=CACHE, help="directory in which the packages are kept")
    arguments.add_argument("--save", action="store_true", help="write the results into docs/")
    options = arguments.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        arguments.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    packages = Packages(options.cache)
    results = {part: measure(part, packages, options) for part in options.parts or PARTS}
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / time.strftime("quality-%Y%m%d-%H%M%S.json", time.gmtime())
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if options.save:
        page.save(results)
    print(page.tables(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
