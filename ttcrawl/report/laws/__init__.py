"""Laws of a crawl (Heaps, Zipf, discovery, capture-recapture), fitted to its figures."""
