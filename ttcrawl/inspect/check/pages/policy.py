"""The Content-Security-Policy of a page (CSP level 3, section 3): of headers and meta elements."""

from __future__ import annotations

from ttcrawl.inspect.check.pages.archive import ArchivedPage

NAME = "content-security-policy"


def policies(page: ArchivedPage) -> list[str]:
    """All that are in force."""
    metas = (node.attributes for node in page.elements["meta"] if "http-equiv" in node.attributes)
    of_page = [each.get("content") or "" for each in metas if (each["http-equiv"] or "").strip().lower() == NAME]
    return [*filter(None, (page.answer.header(NAME), *of_page))]
