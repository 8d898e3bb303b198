"""What a window may do to a crawl with `--control`: what the commands do, under their locks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, cast

from ttcrawl.cluster import commanded as cluster
from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.maintain.apply_rules import apply_rules
from ttcrawl.maintain.requeue import STATES, Which, requeue
from ttcrawl.output.number import counted
from ttcrawl.output.steps import silent
from ttcrawl.snapshot.named_url import complete
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.mailbox import is_cluster
from ttcrawl.vocabulary.state import State

#: Name of a field -> its values, as a form sends them.
Form: TypeAlias = Mapping[str, Sequence[str]]

#: Seconds that a crawl may take to begin, or to end, until the answer does not wait any more.
PATIENCE = 30.0


def stop(directory: Path, form: Form) -> str:
    """Let a crawl finish its requests in flight, commit and end, as Ctrl-C does. Raises UsageError."""
    process = crawled_by(directory)
    if not process:
        raise UsageError(f"{directory} is not being crawled")
    if is_cluster(directory):
        cluster.stop(directory)
        return ""
    try:
        if not _stops_in_order(process):
            raise UsageError(f"{directory} is being changed by process {process}, which does not crawl: wait for it")
        os.kill(int(process), signal.SIGTERM)
    except (OSError, ValueError):
        raise UsageError(f"{directory} is locked by process {process}, which is not a process of this user") from None
    _wait(lambda: crawled_by(directory) != process)
    return ""


def _stops_in_order(process: str) -> bool:
    """Whether a process handles SIGTERM, as crawls do (proc_pid_status(5)). A change of a stopped crawl would be ended.

    Raises OSError, ValueError if it is not a process of this machine.
    """
    lines = Path("/proc", str(int(process)), "status").read_text().splitlines()
    caught = next(int(line.split()[1], 16) for line in lines if line.startswith("SigCgt:"))
    return process != str(os.getpid()) and bool(caught >> signal.SIGTERM - 1 & 1)


def go_on(directory: Path, form: Form) -> str:
    """Start `ttcrawl resume`, which outlives this process. Raises CrawlFailedError if it ends at once."""
    if process := crawled_by(directory):
        raise UsageError(f"{directory} is being crawled by process {process}")
    words = ["cluster", "resume"] if is_cluster(directory) else ["resume"]
    with tempfile.TemporaryFile() as errors:
        command = [sys.executable, "-m", "ttcrawl", *words, os.fspath(directory.absolute()), "--quiet"]
        null = subprocess.DEVNULL
        started = subprocess.Popen(command, stdin=null, stdout=null, stderr=errors, start_new_session=True)
        _wait(lambda: started.poll() is not None or crawled_by(directory) == str(started.pid))
        if started.returncode not in (None, 0, 3):
            errors.seek(0)
            text = errors.read(2000).decode("utf-8", "replace").removeprefix("ttcrawl: ")
            raise CrawlFailedError(text.strip() or f"ttcrawl resume has ended with status {started.returncode}")
    return ""


def queue_again(directory: Path, form: Form) -> str:
    """`ttcrawl requeue`, with fields named as its options. Raises UsageError."""
    states, reasons, rules, hosts, urls = (_values(form, name) for name in ("state", "reason", "rule", "host", "url"))
    if wrong := [each for each in states if each not in STATES]:
        raise UsageError(f"URLs in state {wrong[0]} cannot be queued again: choose from {', '.join(STATES)}")
    named = complete(directory, urls) if urls else []
    which = Which(states=cast("list[State]", states), reasons=reasons, rules=rules, hosts=hosts, urls=named)
    result = requeue(directory, which)
    stay = counted(result.unreachable, "URL", "stays", "stay")
    left = f"; {stay}, because no link leads there" if result.unreachable else ""
    return f"{counted(result.queued.total(), 'URL', 'is', 'are')} queued again{left}"


def apply(directory: Path, form: Form) -> str:
    """`ttcrawl why --as-if RULE --apply`. Raises UsageError, ConfigError."""
    if not (rules := _values(form, "rule")):
        raise UsageError("name a rule to apply")
    _, applied = apply_rules(directory, rules, silent)
    return applied.text(directory)


#: Name of an action -> what does it, and returns what it has done; "": the state of the crawl shows it.
ACTIONS: Mapping[str, Callable[[Path, Form], str]] = {
    "stop": stop,
    "go-on": go_on,
    "requeue": queue_again,
    "apply": apply,
}


def _values(form: Form, name: str) -> list[str]:
    return [value for value in form.get(name, ()) if value]


def _wait(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
