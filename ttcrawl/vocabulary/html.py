"""Parsers of HTML. Column `parser` of table `page` names one of them, the form of a sitemap or feed, or none."""

from __future__ import annotations

#: Each falls back on those after it.
PARSERS = ("lexbor", "html5lib", "regex")
