"""The pages that have words: for search, topics and the copy in PostgreSQL."""

from __future__ import annotations

from ttcrawl.vocabulary.state import FETCHED

#: SQL for pages that have a text or a title; with tables url, page, and text as LEFT JOIN.
WITH_WORDS_OR_ERRORS = f"url.state = '{FETCHED}' AND (text.url NOT NULL OR page.title != '')"

#: The same without the pages of responses that are errors.
WITH_WORDS = f"{WITH_WORDS_OR_ERRORS} AND page.status BETWEEN 200 AND 299"
