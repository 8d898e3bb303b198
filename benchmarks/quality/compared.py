"""What is compared: our main text, trafilatura's without comments (they are not in the true text), readability's."""

from __future__ import annotations

from benchmarks import articles
from benchmarks.articles import Extractor


def extractors() -> dict[str, Extractor]:
    result = articles.extractors()
    if "trafilatura" in result:
        import trafilatura

        result["trafilatura"] = lambda html, name: (
            trafilatura.extract(html.decode("utf-8", "replace"), include_comments=False) or ""
        )
    return result
