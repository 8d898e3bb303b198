"""A policy of one's own: a function in a file."""

from __future__ import annotations

from pathlib import Path
from types import FunctionType

from ttcrawl.errors import UsageError
from ttcrawl.lab.policies import Policy
from ttcrawl.lab.preference import best_first
from ttcrawl.parse.hooks.load import position


def own_policy(text: str) -> Policy:
    """Return the policy FILE.py:FUNCTION: the function takes a Candidate and returns a number, larger is first.

    It is called again for a URL whenever a page with a link to it is read. PageRank is computed only if its code names
    `pagerank`. Raises UsageError.
    """
    file, _, name = text.rpartition(":")
    path = Path(file)
    try:
        source = path.read_bytes()
    except OSError as error:
        raise UsageError(f"the policy {text} cannot be read: {error.strerror}; write FILE.py:FUNCTION") from error
    names: dict[str, object] = {"__name__": path.stem, "__file__": str(path)}
    try:
        exec(compile(source, str(path), "exec"), names)
    except Exception as error:
        raise UsageError(f"the policy {text}: the file fails: {position(error)}") from error
    function = names.get(name)
    if not isinstance(function, FunctionType):
        raise UsageError(f"the policy {text}: {path} has no function {name}")
    return Policy(
        name=text,
        about=(function.__doc__ or "").strip().partition("\n")[0],
        score=function,
        changes=True,
        ranked=b"pagerank" in source,
        rank=best_first,
    )
