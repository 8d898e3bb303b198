"""Call hooks: whatever a function of the user does, the page or the URL at hand is lost at most."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from typing import Any, TypeVar

from ttcrawl.config import Hooks
from ttcrawl.parse.hooks.load import add_directories, function_of, position
from ttcrawl.vocabulary.reason import HOOK_URL, HOOK_URL_FAILED, NONE, Code, filled

#: Seconds after the end of its time at which a call that cannot be interrupted ends the process.
GRACE = 1.0

#: The words of a page whose parse process died several times, until it was parsed without hooks.
DIED = "process died"

#: URLs whose refusal is remembered; above this number all are forgotten.
MAX_URLS = 500_000

#: Longest words of a reason, characters.
LONGEST = 100

T = TypeVar("T")
R = TypeVar("R")


class HookFailedError(Exception):
    """A call failed: `words` follow the reason, `detail` is for the author of the hook."""

    def __init__(self, words: str, detail: str = "") -> None:
        super().__init__(detail or words)
        self.words, self.detail = words, detail or words


class OutOfTimeError(BaseException):
    """Raised inside a hook when its time is over."""


class CalledHooks:
    """The hooks of a process. `limited`: it is a parse process; otherwise calls have no limit of time.

    Hooks print to stderr, because stdout belongs to the command. After a call the working directory is what it was
    before: the paths of the crawl are relative to it. Raises HookError if a function cannot be imported.
    """

    def __init__(self, settings: Hooks, *, limited: bool) -> None:
        self._seconds, self._alarm = settings.max_time if limited else 0.0, _Alarm()
        self._refusals: dict[str, Code] = {}
        self.off = False  # calls fail: the last ones are the likely cause of the death of parse processes
        self.exhausted = False  # a call needed more memory than the process may have: it must be replaced
        self.page: Callable[..., Any] | None = None
        self._url: Callable[..., Any] | None = None
        self.outcome: Callable[..., Any] | None = None
        self._directory = ""
        if not (settings.functions or settings.extract):
            return
        with suppress(OSError):  # it was removed
            self._directory = os.getcwd()
        if limited:
            sys.stdout = sys.stderr
            signal.signal(signal.SIGALRM, self._alarm)
        with self.importing():
            add_directories(settings.path)
            self.page, self._url = function_of("page", settings.page), function_of("url", settings.url)
            self.outcome = function_of("outcome", settings.outcome)

    @contextmanager
    def importing(self) -> Iterator[None]:
        """While modules of the user are imported: they print to stderr, and may change the directory."""
        try:
            with redirect_stdout(sys.stderr):
                yield
        finally:
            self._return()

    @property
    def refusal(self) -> Callable[[str], Code] | None:
        """The function that decides about canonical URLs; None: there is no hook for URLs."""
        return self._refusal if self._url else None

    def _refusal(self, url: str) -> Code:
        reason = self._refusals.get(url)
        if reason is None:
            if len(self._refusals) >= MAX_URLS:
                self._refusals.clear()
            reason = self._decide(url)
            if not self.off:
                self._refusals[url] = reason
        return reason

    def _decide(self, url: str) -> Code:
        try:
            words = self.call(self._asked, url)
        except HookFailedError as error:
            return filled(HOOK_URL_FAILED, error.words)
        return filled(HOOK_URL, words) if words else NONE

    def _asked(self, url: str) -> str:
        assert self._url is not None
        return words_of(self._url(url), "")

    def call(self, function: Callable[[T], R], argument: T) -> R:
        """Call a function that calls a hook. Raises HookFailedError."""
        if self.off:
            raise HookFailedError(DIED)
        process = os.getpid()
        try:
            with redirect_stdout(sys.stderr):
                return self._timed(function, argument) if self._seconds else function(argument)
        except HookFailedError:
            raise
        except OutOfTimeError:
            self._disarm()  # the alarm may have interrupted that, too
            raise HookFailedError("time", f"it took more than [hooks] max_time = {self._seconds:g} s") from None
        except MemoryError:
            self.exhausted = True
            raise HookFailedError("memory", "it used more than [links] max_memory") from None
        except BaseException as error:
            if not self._seconds and not isinstance(error, Exception | SystemExit | GeneratorExit):
                raise  # Ctrl-C of a crawl in one process
            raise HookFailedError(f"raised {type(error).__name__[:LONGEST]}", position(error)) from None
        finally:
            if os.getpid() != process:
                os._exit(0)  # the hook has forked: its child must not become a second parse process
            self._return()

    def _return(self) -> None:
        with suppress(OSError):  # there is no such directory: then no path of the crawl is relative to it
            os.chdir(self._directory)

    def _timed(self, function: Callable[[T], R], argument: T) -> R:
        try:
            signal.setitimer(signal.ITIMER_REAL, self._seconds, GRACE)
            return function(argument)
        finally:
            self._disarm()

    def _disarm(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._alarm.rung = False


class _Alarm:
    """The handler of SIGALRM: the first one interrupts the hook, the second one ends a process that ignores it."""

    def __init__(self) -> None:
        self.rung = False

    def __call__(self, number: int, frame: object) -> None:
        if self.rung:
            os._exit(1)
        self.rung = True
        raise OutOfTimeError


def words_of(value: object, name: str) -> str:
    """Return words of a hook as they stand in a reason: one short line. Raises HookFailedError if it is no text."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise HookFailedError("wrong result", f"{name or 'it'} must be a text, not {type(value).__name__}")
    return " ".join(value.split())[:LONGEST] or ("no words" if value else "")
