"""`ttcrawl why`: its arguments, output and exit status."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ttcrawl.errors import DONE, FAILED, UsageError
from ttcrawl.inspect.why import render
from ttcrawl.inspect.why.as_if import as_if_rules
from ttcrawl.inspect.why.facts import as_fields
from ttcrawl.inspect.why.life import life
from ttcrawl.inspect.why.open_crawl import open_crawl
from ttcrawl.inspect.why.replay import changes_text, replay
from ttcrawl.inspect.why.summary import summary, summary_text
from ttcrawl.maintain.apply_rules import apply_rules
from ttcrawl.output import terminal
from ttcrawl.output.display import ReadProgress
from ttcrawl.output.json_form import json_form


def why(directory: Path, urls: Sequence[str], as_if: Sequence[str], form: str, *, total: bool, apply: bool) -> int:
    """Print the answer. Returns the exit status: 1 if a URL is not in the crawl, else 0. Raises UsageError."""
    if bool(urls) + total + bool(as_if) != 1:
        raise UsageError("give one of these: URLs, --summary, or --as-if")
    if apply and not as_if:
        raise UsageError("--apply needs rules: --as-if RULE --apply")
    if apply:
        with ReadProgress() as progress:
            changes, applied = apply_rules(directory, as_if, progress)
        if form == "json":
            print(json_form(asdict(changes) | {"applied": asdict(applied)}))
        else:
            terminal.show(f"{changes_text(changes)}\n\n{applied.text(directory)}")
        return DONE
    with open_crawl(directory) as crawl:
        if total:
            with ReadProgress() as progress:
                reasons = summary(crawl, progress)
            _print(json_form([asdict(each) for each in reasons]) if form == "json" else summary_text(reasons), form)
            return DONE
        if as_if:
            rules = as_if_rules(crawl, as_if)
            with ReadProgress() as progress:
                changes = replay(crawl, as_if, rules, progress)
            _print(json_form(asdict(changes)) if form == "json" else changes_text(changes), form)
            return DONE
        lives = [life(crawl, url) for url in urls]
    if form == "json":
        print(json_form([as_fields(each) for each in lives]))
    else:
        terminal.show("\n\n".join(map(render.text, lives)))
    return DONE if all(each.entry for each in lives) else FAILED


def _print(text: str, form: str) -> None:
    """Print text; only that for a reader fits the terminal."""
    if form == "json":
        print(text)
    else:
        terminal.show(text)
