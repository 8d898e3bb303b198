"""Events: a JSON line for every outcome, once it is committed, for a file, a named pipe, or a function of the user.

A thread writes them from the table, which is the queue. So a slow reader delays no commit, and needs no memory. The
number of the last event that was written is in a file beside crawl.db: whatever kills the crawl, the next run writes
the events after it, some of them perhaps again.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from ttcrawl.config import Config
from ttcrawl.errors import UsageError, plain
from ttcrawl.ring.modules import PYTHON, environment
from ttcrawl.store.database import StoreError
from ttcrawl.store.events import events_after
from ttcrawl.store.regular import must_not_be_kept, replace_file

#: The file with the id of the last event that was written.
POSITION = "events.position"

#: The same for the hook for outcomes.
OUTCOME_POSITION = "outcome.position"

#: Seconds between two looks for new events.
PAUSE = 0.2

#: Events that are read at once.
BATCH = 500

#: Seconds that the end of a crawl waits for a reader that takes no events.
PATIENCE = 10.0


def check_events(target: str) -> None:
    """Raises UsageError if events cannot be appended to a file, or would be to a part of a crawl."""
    path = Path(target)
    if not target:
        return
    must_not_be_kept(path)
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"[hooks] events = {target}: name a file, or a named pipe, in a directory that exists")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UsageError(f"[hooks] events = {target} cannot be written: name another file")


@contextlib.contextmanager
def delivered(directory: Path, config: Config, say: Callable[[str], None], ring: int = 0) -> Iterator[None]:
    """Write events inside the block, and all committed ones at its end. `say` reports what was not written. `ring`: of
    a cluster; it has a file of its own."""
    hooks = config.hooks
    with contextlib.ExitStack() as deliveries:
        if hooks.events:
            target = of_ring(hooks.events, ring) if ring else hooks.events
            delivery = _Delivery(directory, POSITION, target)
            deliveries.enter_context(_running(delivery, target, say))
        if hooks.outcome:
            deliveries.enter_context(_followed(directory, config, say))
        yield


def of_ring(target: str, ring: int) -> str:
    """Return the file of a ring: several processes that append to one may tear each other's lines.

    >>> of_ring("/var/log/events.jsonl", 2)
    '/var/log/events-ring-2.jsonl'
    """
    path = Path(target)
    return str(path.with_name(f"{path.stem}-ring-{ring}{path.suffix}"))


@contextlib.contextmanager
def _running(delivery: _Delivery, target: str, say: Callable[[str], None]) -> Iterator[None]:
    delivery.start()
    try:
        yield
    finally:
        delivery.ending.set()
        last = -1
        while delivery.is_alive() and delivery.last != last:  # a slow reader is waited for, a stopped one is not
            last = delivery.last
            delivery.join(PATIENCE)
        if delivery.error or delivery.is_alive():
            why = delivery.error or "its reader takes no more"
            say(f"events after {delivery.last:,} were not written to {target} ({why}); ttcrawl resume writes them")


@contextlib.contextmanager
def _followed(directory: Path, config: Config, say: Callable[[str], None]) -> Iterator[None]:
    """Call the hook for outcomes in a process of its own, which notes the last call itself."""
    hooks, position = config.hooks, (directory / OUTCOME_POSITION).absolute()
    arguments = (hooks.outcome, hooks.path, str(hooks.max_time), str(config.links.max_memory), str(position))
    command = [*PYTHON, "-m", "ttcrawl.parse.hooks.follow", *arguments]
    # as parse processes, which have the path of this one: what was imported for a try is imported there too
    process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, env=environment())
    assert process.stdin is not None
    delivery = _Delivery(directory, OUTCOME_POSITION, f"/dev/fd/{process.stdin.fileno()}", notes=False)
    try:
        with _running(delivery, f"[hooks] outcome = {hooks.outcome}", say):
            yield
    finally:
        if not delivery.is_alive():
            process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        if process.poll() is None:
            process.kill()
        if process.wait() and not delivery.error:  # what is in the pipe is lost with it
            say(f"[hooks] outcome = {hooks.outcome} takes no more events; ttcrawl resume passes the others")


class _Delivery(threading.Thread):
    def __init__(self, directory: Path, position: str, target: str, *, notes: bool = True) -> None:
        """`notes`: it notes its position; otherwise its reader does."""
        super().__init__(name="events", daemon=True)
        self._database = directory / "crawl.db"
        self._position = directory / position
        self._target = target
        self._notes = notes
        self.ending = threading.Event()
        self.error = ""
        try:
            self.last = int(self._position.read_text())
        except (OSError, ValueError):
            self.last = 0  # all are written again

    def run(self) -> None:
        try:
            with open(self._target, "ab", buffering=0) as file:  # a named pipe waits here for its reader
                if _is_torn(self._target, file.fileno()):
                    file.write(b"\n")
                while self._write(file.fileno()) or not self.ending.wait(PAUSE):
                    pass
                while self._write(file.fileno()):
                    pass
        except (OSError, StoreError) as error:
            self.error = plain(error)

    def _write(self, file: int) -> bool:
        """Write the next events; return whether there were any."""
        events = events_after(self._database, self.last, BATCH)
        if not events:
            return False
        for event in events:
            event["fields"] = json.loads(event["fields"] or "null")
        lines = memoryview("".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events).encode())
        while lines:
            lines = lines[os.write(file, lines) :]
        self.last = events[-1]["id"]
        if self._notes:
            replace_file(self._position, f"{self.last}\n".encode())
        return True


def _is_torn(target: str, file: int) -> bool:
    """Whether a file ends inside a line, where a crawl was killed."""
    size = os.fstat(file).st_size
    if not stat.S_ISREG(os.fstat(file).st_mode) or not size:
        return False
    with open(target, "rb") as begun:
        begun.seek(size - 1)
        return begun.read() != b"\n"
