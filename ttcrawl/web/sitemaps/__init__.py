"""Sitemaps and feeds: what a site says of its own URLs. Bytes in, entries out; pure."""
