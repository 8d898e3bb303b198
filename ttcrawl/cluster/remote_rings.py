"""What is known of rings whose directories are on other machines: a file for `ttcrawl cluster status`.

Ray tells whether the actor of a ring lives, and nothing of pages; the file is there when Ray is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ttcrawl.cluster.plan import Plan
from ttcrawl.errors import UsageError
from ttcrawl.store.regular import replace_file

#: The file: ring -> what it has said last.
FILE = "elsewhere.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteRing:
    """A ring, as it has said last."""

    process: str  # "116 on HOST", or ""
    seconds: float
    pages: int
    queued: int


def write_remote_rings(directory: Path, rings: Mapping[int, RemoteRing]) -> None:
    """Replace the file. Raises OSError."""
    replace_file(directory / FILE, msgspec.json.encode(rings))


def read_remote_rings(directory: Path) -> dict[int, RemoteRing]:
    """Return what is known: nothing, if all rings are on this machine."""
    try:
        return msgspec.json.decode((directory / FILE).read_bytes(), type=dict[int, RemoteRing])
    except (OSError, msgspec.DecodeError):
        return {}


def must_conduct(directory: Path, plan: Plan) -> None:
    """Raises UsageError on the machine of a ring whose conductor is on another one."""
    if plan.ray and not (directory / FILE).exists():
        raise UsageError(
            f"the conductor of {directory} is on another machine of the Ray cluster at {plan.ray}: do it there"
        )
