"""What a term list or a model says of a page, ready to be printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from ttcrawl.topic.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgment:
    """`rank`: larger is better. `line`: what a list has before and after the URL. `lines`: why. `fields`: for JSON."""

    accepted: bool
    rank: float
    line: tuple[str, str]
    fields: dict[str, Any]
    lines: list[str] = field(default_factory=list)


class Judge(Protocol):
    def judge(self, page: Page) -> Judgment:
        """Return a judgment without `lines`."""

    def explain(self, page: Page) -> Judgment:
        """Return a judgment with `lines`, and more `fields`."""
