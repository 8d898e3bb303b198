"""Sitemaps and feeds: a site's own lists of its URLs. Bytes in, entries out; pure."""
