"""Pages whose reading was put off."""

from __future__ import annotations

from ttcrawl.output.number import counted
from ttcrawl.output.shell import command_line
from ttcrawl.snapshot.snapshot import View


def unread(db: View) -> int:
    """The number of pages that are not read yet."""
    return int(db.execute("SELECT count(*) FROM unread").fetchone()[0])


def unread_line(count: int, directory: object = "DIR") -> str:
    return f"{counted(count, 'page', 'is', 'are')} not read yet: run {command_line('read', directory)}"
