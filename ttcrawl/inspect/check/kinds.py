"""The kinds of problems, and one problem."""

from __future__ import annotations

from dataclasses import dataclass

#: How much a kind of problem weighs, the worst first: links fail, the rest informs.
ERROR, WARNING, NOTICE = LEVELS = ("error", "warning", "notice")


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    level: str
    title: str
    meaning: str


KINDS = (
    Kind("broken-link", ERROR, "Broken links", "links to URLs that answer with an error, or not at all"),
    Kind(
        "external-link", ERROR, "Broken external links", "links to other sites that answer with an error, or not at all"
    ),
    Kind("invalid-link", ERROR, "Invalid links", "links that are no URLs, or that lead into the reader's own machine"),
    Kind("redirect-loop", ERROR, "Redirect loops", "links to redirects that never end"),
    Kind("fragment", ERROR, "Missing fragments", "links to a #fragment that the page does not have"),
    Kind("canonical", ERROR, "Wrong canonical URLs", "canonical URLs that are errors or redirects"),
    Kind("redirect-chain", WARNING, "Redirect chains", "links to several redirects in a row"),
    Kind("orphan", WARNING, "Orphans", "pages in a sitemap to which no page links, or menus alone"),
    Kind("missing-title", WARNING, "Pages without a title", "pages without a title"),
    Kind("duplicate-title", WARNING, "Duplicate titles", "pages with the title of another page of the host"),
    Kind("missing-alt", WARNING, "Images without alt", "images without the attribute alt"),
    Kind("redirect", NOTICE, "Links to redirects", "links to one redirect"),
    Kind("missing-description", NOTICE, "Pages without a description", "pages without a description"),
    Kind(
        "duplicate-description",
        NOTICE,
        "Duplicate descriptions",
        "pages with the description of another page of the host",
    ),
    Kind("external-unsure", NOTICE, "Unsure external links", "links to other sites that refuse programs, or are busy"),
    Kind("unchecked-link", NOTICE, "Unchecked links", "links to URLs that were not requested, and why"),
)
NAMES = tuple(kind.name for kind in KINDS)
(
    BROKEN,
    EXTERNAL,
    INVALID,
    LOOP,
    FRAGMENT,
    CANONICAL,
    CHAIN,
    ORPHAN,
    MISSING_TITLE,
    DUPLICATE_TITLE,
    MISSING_ALT,
    REDIRECT,
    MISSING_DESCRIPTION,
    DUPLICATE_DESCRIPTION,
    UNSURE,
    UNCHECKED,
) = NAMES


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Problem:
    """One problem. A link that stands on three pages is three problems."""

    kind: str
    url: str  # the URL that is wrong: the target of a link, the image, or the page itself
    source: str = ""  # the page with the link or image, or the first with the same title; "": a seed, or only `url`
    text: str = ""  # anchor text, title or description
    detail: str = ""  # "http 404", "http 301 to URL" ...

    @property
    def where(self) -> str:
        """The page that shows the problem, for people; "" if it is the URL itself."""
        return "a seed" if not self.source and self.kind in (BROKEN, EXTERNAL, LOOP) else self.source

    @property
    def identity(self) -> tuple[str, str, str]:
        """The part that stays the same from one crawl to the next, as in a baseline."""
        return self.kind, self.url, self.source
