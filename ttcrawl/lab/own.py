"""A policy of one's own: a function."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from types import FunctionType

from ttcrawl.errors import UsageError
from ttcrawl.lab.candidates import Score
from ttcrawl.lab.policies import Policy
from ttcrawl.lab.preference import COMPUTED
from ttcrawl.parse.hooks.load import position


def own_policy(text: str) -> Policy:
    """Return the policy FILE.py:FUNCTION. Raises UsageError."""
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
    return policy_of(function, text, source.decode(errors="replace"))


def policy_of(function: Score, name: str, code: str | Collection[str]) -> Policy:
    """Return the policy of a function that takes a Candidate and returns a number, larger is first.

    It is called again for a URL whenever a page with a link to it is read. `code`: its source, or the names in it.
    """
    about = (function.__doc__ or "").strip().partition("\n")[0]
    computed = tuple(each for each in COMPUTED if each in code)
    return Policy(name=name, about=about, score=function, changes=True, by_depth=True, computed=computed)
