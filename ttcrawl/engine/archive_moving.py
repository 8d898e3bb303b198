"""WARC files move to object storage as they close ([store] warc_move_to): while a crawl goes on, and at its end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

from msgspec import Struct

from ttcrawl.engine.companion import Companion, Course, Step
from ttcrawl.engine.shared import Shared
from ttcrawl.errors import plain
from ttcrawl.store import objects
from ttcrawl.store.archive_objects import closed
from ttcrawl.store.mailbox import command_to_continue
from ttcrawl.store.sqlite import Store

#: Seconds between two looks for files that have closed, and until a file is tried again.
LOOK, AGAIN = 5.0, 60.0


class Copied(Struct, frozen=True, kw_only=True):
    """A file that was copied; `trouble`: why it was not, or ""."""

    file: str
    url: str
    trouble: str = ""


class ArchiveMoving(Companion):
    """A thread copies one file after the other; this process notes where they are, and deletes them in warc/."""

    def __init__(self, shared: Shared, say: Callable[[str], None]) -> None:
        self._store, self._clock = shared.store, shared.clock
        self._warc, self._root = shared.store.directory / "warc", shared.config.store.warc_move_to
        self._say = say
        self._waiting, self._copied = SimpleQueue[tuple[str, int] | None](), SimpleQueue[Copied]()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._copy, name="archive", daemon=True)
        self._next_look = 0.0
        self._begun: dict[str, float] = {}  # file -> when it may be begun again
        self._moved: dict[str, str] = {}  # file -> URL, of those of the next commit
        self._in_trouble = False

    def begin(self, step: Step) -> None:
        self._thread.start()

    def turn(self, course: Course) -> int:
        while not self._copied.empty():
            self._take(self._copied.get())
        now = self._clock()
        if now >= self._next_look:
            self._next_look = now + LOOK
            files = self._store.answers.archive_objects.in_warc()
            for name in closed(files):
                if self._begun.get(name, 0.0) <= now and name not in self._moved:
                    self._begun[name] = float("inf")
                    self._waiting.put((name, files[name]))
        return len(self._moved)

    def before_commit(self) -> None:
        if self._moved:
            self._store.answers.archive_objects.add(self._moved)

    def after_commit(self) -> None:
        for name in self._moved:
            (self._warc / name).unlink(missing_ok=True)
            del self._begun[name]
        self._moved = {}

    def finish(self, step: Step) -> None:
        """Stop copying: what is left is moved once all files have closed, see `move_archive`."""
        self._ended.set()
        self._waiting.put(None)
        self._thread.join()
        while not self._copied.empty():
            self._take(self._copied.get())

    def _take(self, copied: Copied) -> None:
        if not copied.trouble:
            self._moved[copied.file] = copied.url
            self._in_trouble = False
            return
        self._begun[copied.file] = self._clock() + AGAIN
        if not self._in_trouble:
            self._in_trouble = True
            self._say(f"{copied.trouble}; WARC files stay in warc/ meanwhile, and are tried again")
            self._store.set(trouble=copied.trouble)

    def _copy(self) -> None:
        """Copy what waits. Runs in the thread."""
        while (file := self._waiting.get()) is not None and not self._ended.is_set():
            copied = _copied(self._warc, *file, self._root, lambda: not self._ended.is_set())
            if copied is not None:
                self._copied.put(copied)


def movers(shared: Shared, say: Callable[[str], None]) -> list[Companion]:
    """Return what moves the files of a crawl, if they are to move."""
    return [ArchiveMoving(shared, say)] if shared.config.store.warc_move_to else []


def move_archive(directory: Path, store: Store, root: str, say: Callable[[str], None]) -> None:
    """Move all WARC files of a crawl that no process writes. What cannot be moved stays, and the user is told."""
    for name, size in store.answers.archive_objects.in_warc().items():
        copied = _copied(directory / "warc", name, size, root, lambda: True)
        if copied is None or copied.trouble:
            why = copied.trouble if copied else ""
            say(f"{why}; its WARC files stay in {directory / 'warc'}: {command_to_continue(directory)} moves them")
            return
        store.answers.archive_objects.add({name: copied.url})
        store.commit()
        (directory / "warc" / name).unlink()


def _copied(warc: Path, name: str, size: int, root: str, go_on: Callable[[], bool]) -> Copied | None:
    """Copy a file; None: it was ended."""
    url = objects.joined(root, name)
    try:
        return Copied(file=name, url=url) if objects.write(url, warc / name, size, go_on) else None
    except OSError as error:
        return Copied(file=name, url=url, trouble=f"cannot move {warc / name} to {url}: {plain(error)}")
