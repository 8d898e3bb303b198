"""HTML: the types of its pages, and its parsers."""

from __future__ import annotations

XHTML = "application/xhtml+xml"
HTML_TYPES = ("text/html", XHTML)

#: Each falls back on those after it. Column `parser` of table `page` names one of them, the form of a sitemap or feed,
#: or none.
PARSERS = ("lexbor", "html5lib", "regex")
