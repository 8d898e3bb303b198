"""The process that calls the hook for outcomes, once for each event in its standard input.

It notes the last event whose call has ended, so after a kill no event is missing, and few are passed twice.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ttcrawl.config import Hooks
from ttcrawl.parse.hooks.call import CalledHooks, HookFailedError
from ttcrawl.parse.hooks.load import HookError
from ttcrawl.ring.limits import limit_memory
from ttcrawl.ring.process import leave_stdout
from ttcrawl.store.regular import replace_file


def follow(settings: Hooks, position: Path) -> None:
    """Call the hook for every line until the crawl closes the pipe. A call that fails is reported, and skipped.

    Ends the process if there is no memory left; the next run of the crawl passes the events after that.
    """
    hooks = CalledHooks(settings, limited=True)
    function: Callable[[dict[str, Any]], object] | None = hooks.outcome
    assert function is not None
    for line in sys.stdin:
        if not line.endswith("\n"):
            return  # the crawl was killed inside it
        event = json.loads(line)
        try:
            hooks.call(function, event)
        except HookFailedError as error:
            print(f"ttcrawl: outcome hook, event {event['id']:,}: {error.detail}", file=sys.stderr, flush=True)
        replace_file(position, f"{event['id']}\n".encode())
        if hooks.exhausted:
            sys.exit(1)  # what the hook keeps would make the next calls fail too


if __name__ == "__main__":
    leave_stdout()
    outcome, path, max_time, max_memory, noted = sys.argv[1:]
    limit_memory(int(max_memory))
    try:
        follow(Hooks(outcome=outcome, path=path, max_time=float(max_time)), Path(noted))
    except HookError as error:  # it has changed since the crawl tried it
        sys.exit(f"ttcrawl: {error}")
