"""Is this crawl whole? The tables against each other, the archive against the tables; offline, mended if asked."""
