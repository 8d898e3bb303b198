"""Markup that browsers, keyboards and screen readers need."""

from __future__ import annotations

from ttcrawl.inspect.check.catalogue.kind import NOTICE, WARNING, Kind

KINDS = (
    Kind(
        "access",
        "missing-alt",
        WARNING,
        "Images without alt",
        "images without the attribute alt",
        "A reader who does not see them learns nothing of them.",
        "https://www.w3.org/WAI/WCAG22/Understanding/non-text-content",
    ),
    Kind(
        "access",
        "skipped-heading",
        NOTICE,
        "Skipped heading levels",
        "pages on which a heading is two levels or more below the one before it",
        "Readers who go from heading to heading miss a level.",
        "https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships",
    ),
)
