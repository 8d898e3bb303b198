"""A visit to a URL that was answered before."""

from __future__ import annotations

from msgspec import Struct

from ttcrawl.recrawl.validators import UNCONDITIONAL, Condition, Trust
from ttcrawl.ring.messages import Archived, Before
from ttcrawl.store.rows import Latest, RecrawlRow


class Visit(Struct, kw_only=True):
    """`row` and `latest`: what the tables say of the URL. `condition`: what the next request is made dependent on.

    `confirms_gone`: the answer confirms that the page is not there any more. `before`: the page in the archive, if its
    text must be read there."""

    row: RecrawlRow
    latest: Latest
    trust: Trust
    condition: Condition
    confirms_gone: bool = False
    before: Before | None = None

    @property
    def was_refused(self) -> bool:
        """Whether the URL never answered, and was not requested at its last turn."""
        return self.latest.status is None and bool(self.row.refused)

    @property
    def unmodified(self) -> Archived | None:
        """The answer that a 304 confirms; None: the next request is unconditional."""
        if not self.condition.headers:
            return None
        return Archived(file=self.latest.file or "", offset=self.latest.offset or 0, length=self.latest.size or 0)


class Rereading(Struct, frozen=True):
    """A visit to read a page in the browser that was read statically; always unconditional."""

    condition: Condition = UNCONDITIONAL
    unmodified: None = None
    confirms_gone: bool = False
    before: None = None
