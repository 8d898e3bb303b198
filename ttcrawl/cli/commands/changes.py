"""`ttcrawl diff`: its arguments, its output and its exit status."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from ttcrawl.errors import DONE, UsageError
from ttcrawl.inspect.changes.diff import Change, Diff, changes
from ttcrawl.inspect.changes.render import change_lines, summary_lines, unlinked_lines
from ttcrawl.output.display import ReadProgress, tell
from ttcrawl.output.json_form import json_form
from ttcrawl.output.moments import EXAMPLES, end_of
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.snapshot.conditions import compile_conditions
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.snapshot.spool import spooled


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """`others`: a directory, or up to two moments. `text`, `links`: list what changed of them."""

    directory: Path
    others: Sequence[str]
    form: str
    conditions: Sequence[str]
    text: bool
    links: bool


def diff(options: Options) -> int:
    """Print the changes. Returns the exit status. Raises UsageError, NotACrawl."""
    holds = compile_conditions(options.conditions, Change)
    other, moments = _split(options.others)
    with ExitStack() as printed:
        with ExitStack() as opened:
            first = opened.enter_context(view(options.directory))
            second = opened.enter_context(view(other)) if other is not None else None
            progress = opened.enter_context(ReadProgress())
            compared = changes(first, second, *moments, progress, text=options.text)
            for crawl in filter(None, (first, second) if second is not None else ()):
                _warn(crawl)
            rows = (row for row in compared.rows() if holds(row))
            if options.form == "jsonl":
                lines = _json_lines(compared, rows, links=options.links)
            else:
                lines = map(escape_untrusted, _text_lines(compared, rows, options))
            listed = printed.enter_context(spooled(lines, str))
        for line in listed:  # no snapshot is open while somebody reads
            print(line)
    return DONE


def _split(texts: Sequence[str]) -> tuple[Path | None, tuple[str | None, str | None]]:
    """The other crawl, and the moments. A directory that exists is one, whatever its name."""
    if not texts:
        return None, (None, None)
    if Path(texts[0]).is_dir():
        if len(texts) > 1:
            raise UsageError(f"{texts[1]!r} is one too many: two crawls are compared as they are now")
        return Path(texts[0]), (None, None)
    if len(texts) > 2:
        raise UsageError(f"{texts[2]!r} is one too many: name two moments")
    for text in texts:
        try:
            end_of(text)
        except UsageError as error:
            raise UsageError(f"{text!r} is neither the directory of a crawl nor {EXAMPLES}") from error
    return None, (texts[0], texts[1] if len(texts) > 1 else None)


def _warn(crawl: View) -> None:
    finished = crawl.settings.get("finished", "")
    if finished != "done":
        tell(
            f"{crawl.directory} has not ended{f' ({finished})' if finished else ''}: pages that it has not discovered"
            " yet look gone or new"
        )


def _text_lines(compared: Diff, rows: Iterator[Change], options: Options) -> Iterator[str]:
    yield from summary_lines(compared.counts)
    heading, only_bytes = "", 0
    for row in rows:
        if row.only_bytes:
            only_bytes += 1
            continue
        if row.change != heading:
            heading = row.change
            yield from ("", heading)
        yield from change_lines(row, links=options.links)
    if only_bytes:
        yield from (
            "",
            f"of the changed pages not listed, as only bytes differ: {only_bytes:,}",
        )
    if options.links:
        yield from unlinked_lines(compared.unlinked())


def _json_lines(compared: Diff, rows: Iterator[Change], *, links: bool) -> Iterator[str]:
    """An object for each change, for each page without links, and at the end one with the numbers."""
    for row in rows:
        yield json_form(asdict(row), indent=None)
    if links:
        for url in compared.unlinked():
            yield json_form({"change": "unlinked", "url": url}, indent=None)
    yield json_form({"change": "summary", **compared.counts}, indent=None)
