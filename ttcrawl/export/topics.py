"""The topics of relevant pages in the form of Combine: one of the page, and one of each class that is kept."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ttcrawl.errors import CrawlFailedError
from ttcrawl.export.xml import element, group
from ttcrawl.snapshot.page_records import PageRecord
from ttcrawl.snapshot.snapshot import View
from ttcrawl.topic.files import assessor_of, copied
from ttcrawl.topic.page import page_of_metadata

ALL = "ALL"

#: The margins of a model are written as integers, in millionths, as Combine writes the margins of its SVM.
OF_MARGIN = 1_000_000


class Topics:
    """Raises UsageError where the crawl has a term list, and the extra that reads it is missing."""

    def __init__(self, db: View) -> None:
        settings = db.config.topic
        assessor, _ = assessor_of(copied(settings, db.directory)) if settings.terms else (None, [])
        self._scorer = assessor.scorer if assessor else None
        self._algorithm = settings.algorithm

    def of(self, page: PageRecord, text: str) -> str:
        """Return the elements of a page: by the term list, or the one score of what decided. `text`: its words."""
        if not page.relevant:
            return ""
        if by_terms := self._by_terms(page, text):
            return by_terms
        score = (page.topic_score or 0.0) * (1 if page.probability is None else OF_MARGIN)
        return _topic(ALL, score, round(score), ())

    def _by_terms(self, page: PageRecord, text: str) -> str:
        if self._scorer is None:
            return ""
        from ttcrawl.topic.combine_topics import shown, topics  # it needs libraries of an extra

        headings = str(page.headings or "")  # rows of exports have the texts of JSON columns
        scored = page_of_metadata(
            page.url,
            page.title,
            page.description or "",
            page.keywords or "",
            headings,
            page.language or "",
            text,
        )
        try:
            score = self._scorer.score(scored)
        except CrawlFailedError:  # Combine ends there; the page has its score by an earlier list
            return ""
        if not all(map(math.isfinite, (score.total, score.normalised))):
            return ""
        terms = {each.name: shown(each.terms) for each in score.classes if each.kept}
        return "".join(
            _topic(row.notation, row.absolute, row.relative, row.terms) for row in topics(score, terms, self._algorithm)
        )


def _topic(name: str, absolute: float, relative: int, terms: Iterable[str]) -> str:
    content = element("class", name, 10) + "".join(element("terms", term, 10) for term in terms)
    return group("topic", content, 8, absoluteScore=str(round(absolute)), relativeScore=str(relative))
