"""The problems that are known already: a text file with one problem per line, sorted, for a version control system."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ttcrawl.errors import UsageError
from ttcrawl.inspect.check.kinds import NAMES, Problem
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.store.replaced import replaced

HEADER = "# Known problems, written by ttcrawl check --write-baseline: kind, URL, page (separated by tabs)"


def line_of(problem: Problem) -> str:
    """URLs are escaped: an image may have any src."""
    return "\t".join(map(escape_untrusted, problem.identity))


def read_baseline(path: Path) -> frozenset[str]:
    """The lines of a baseline. Raises UsageError if it cannot be read, or if a line is not a problem."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise UsageError(
            f"{path}: {error.strerror}; name the baseline that --write-baseline wrote with --baseline"
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}") from error
    problems = set[str]()
    for number, line in enumerate(lines, 1):
        line = line.removesuffix("\r")
        if not line.strip() or line.startswith("#"):
            continue
        if line.count("\t") != 2 or line.partition("\t")[0] not in NAMES:
            raise UsageError(f"{path}, line {number}: write a kind, a URL and a page, separated by tabs")
        problems.add(line)
    return frozenset(problems)


def write_baseline(path: Path, problems: Iterable[Problem]) -> None:
    """Raises OSError, UsageError for a part of a crawl."""
    lines = sorted(set(map(line_of, problems)))
    with replaced(path) as fresh:
        fresh.write_text("".join(f"{line}\n" for line in (HEADER, *lines)), encoding="utf-8")
