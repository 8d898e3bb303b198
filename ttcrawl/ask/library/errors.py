"""What the library says when something is not in the crawl."""

from __future__ import annotations

from ttcrawl.web.shown import shown


class NotThere(KeyError):
    """The crawl has no such URL, or of this URL no such thing; the message is one line that says which and why."""

    def __str__(self) -> str:
        return shown(str(self.args[0]))  # KeyError would show it in quotes
