"""The kinds of problems, and one problem."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.inspect.check.catalogue import access, content, links, search, security, speed
from ttcrawl.inspect.check.catalogue.kind import LEVELS

#: All kinds, the worst level first, and by area within a level.
KINDS = tuple(
    sorted(
        (*links.KINDS, *content.KINDS, *search.KINDS, *security.KINDS, *speed.KINDS, *access.KINDS),
        key=lambda kind: LEVELS.index(kind.level),
    )
)
NAMES = tuple(kind.name for kind in KINDS)
#: Those that are looked for unless others are named.
DEFAULT = frozenset(kind.name for kind in KINDS if kind.default)

BROKEN, EXTERNAL, UNSURE, UNCHECKED = "broken-link", "external-link", "external-unsure", "unchecked-link"
INVALID, FRAGMENT = "invalid-link", "fragment"
LOOP, CHAIN, REDIRECT, TO_START = "redirect-loop", "redirect-chain", "redirect", "redirect-to-start"
ORPHAN = "orphan"
CANONICAL = "canonical"
MISSING_TITLE, DUPLICATE_TITLE = "missing-title", "duplicate-title"
MISSING_DESCRIPTION, DUPLICATE_DESCRIPTION = "missing-description", "duplicate-description"

#: Kinds whose source is another page that has the same.
SAME_AS = frozenset((DUPLICATE_TITLE, DUPLICATE_DESCRIPTION, "duplicate-page", "near-duplicate"))
#: Kinds whose page is the URL, although there is a source: a link, or a version in another language, names it.
OF_URL = SAME_AS | {ORPHAN, "noindex-linked", "hreflang-return"}


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Problem:
    """One problem. A link that stands on three pages is three problems."""

    kind: str
    url: str  # the URL that is wrong: the target of a link, the image, or the page itself
    source: str = ""  # the page with the link or image, or the first with the same title; "": a seed, or only `url`
    text: str = ""  # anchor text, title or description
    detail: str = ""  # "http 404", "http 301 to URL" ...
    file: str = ""  # of the page, if a folder was checked
    line: int = 0  # of the link in the source of the page, from 1; 0: unknown
    column: int = 0  # from 1, in code points

    @property
    def where(self) -> str:
        """The page that shows the problem, for people; "" if it is the URL itself."""
        return "a seed" if not self.source and self.kind in (BROKEN, EXTERNAL, LOOP) else self.source

    @property
    def page(self) -> str:
        """The URL of the page that has the problem."""
        return self.url if self.kind in OF_URL else self.source or self.url

    @property
    def position(self) -> str:
        """Line and column in the source, with the file if there is one; "" if they are unknown."""
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column}" if self.file else f"line {self.line}:{self.column}"

    @property
    def identity(self) -> tuple[str, str, str]:
        """The part that stays the same from one crawl to the next, as in a baseline."""
        return self.kind, self.url, self.source


def name_of(problem: Problem) -> str:
    """By which the problem of a page is known again in its source."""
    return "\0".join((problem.kind, problem.url, problem.text))
