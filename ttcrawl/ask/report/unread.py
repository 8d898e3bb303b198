"""Pages whose reading was put off."""

from __future__ import annotations

from ttcrawl.ask.view.view import View


def unread(db: View) -> int:
    """The number of pages that are not read yet."""
    return int(db.execute("SELECT count(*) FROM unread").fetchone()[0])


def unread_line(count: int, directory: object = "DIR") -> str:
    pages = "1 page is" if count == 1 else f"{count:,} pages are"
    return f"{pages} not read yet: run ttcrawl read {directory}"
