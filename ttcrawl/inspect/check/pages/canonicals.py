"""Pages that name several canonical URLs, in their HTML (RFC 6596) or in the header Link (RFC 8288)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborNode

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.archive import ArchivedPage
from ttcrawl.parse.links.header import canonical

SEVERAL, CONFLICT = KINDS = ("several-canonicals", "canonical-conflict")


def canonical_problems(page: ArchivedPage, resolve: Callable[[str, str], str | None]) -> Iterator[Problem]:
    """`resolve`: base URL and reference -> canonical URL."""
    in_html = dict[str, LexborNode]()
    for node in page.elements["link"]:
        about = node.attributes
        if "canonical" in (about.get("rel") or "").lower().split() and (href := (about.get("href") or "").strip()):
            url = resolve(page.extraction.base, href)
            if url:
                in_html.setdefault(url, node)
    if len(in_html) > 1:
        problem = Problem(kind=SEVERAL, url=page.url, text=", ".join(sorted(in_html)))
        yield page.marked(problem, list(in_html.values())[1])
    if in_html and (href := canonical(page.answer.headers, page.url)):
        in_header = resolve(page.url, href)
        if in_header not in in_html:
            yield Problem(kind=CONFLICT, url=page.url, text=f"{in_header} in the header")
