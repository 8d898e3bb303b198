"""Trafilatura as articles with comments need it: comments are no part of their true text."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.articles import Extractor


def without_comments(extractors: Mapping[str, Extractor]) -> dict[str, Extractor]:
    """The same extractors; trafilatura, where it is installed, is told to leave comments out."""
    result = dict(extractors)
    if "trafilatura" in result:
        import trafilatura

        result["trafilatura"] = lambda html, name: (
            trafilatura.extract(html.decode("utf-8", "replace"), include_comments=False) or ""
        )
    return result
