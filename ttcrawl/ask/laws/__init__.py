"""Laws that a crawl follows (Heaps, Zipf, discovery, capture-recapture), fitted to its numbers."""
