"""ttcrawl: a polite crawler for people who study, archive or search the web."""

__version__ = "0.1.0"
