"""Imports `parse` when the fetch processes have begun, which make the first requests meanwhile."""

import os
import signal
from importlib import import_module

#: Seconds after the last fork: a process that is asked for within this time is not kept waiting.
PAUSE = 0.005

SERVER = os.getpid()

_waiting = True


def _forked() -> None:
    if _waiting and os.getpid() == SERVER:
        signal.signal(signal.SIGALRM, _load)  # it interrupts the wait for the next request
        signal.setitimer(signal.ITIMER_REAL, PAUSE)


def _load(_number: int, _frame: object) -> None:
    global _waiting
    _waiting = False
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    import_module("ttcrawl.ring.preload.parse")


os.register_at_fork(after_in_parent=_forked)
