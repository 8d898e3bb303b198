"""Everything that reads a crawl, finished or running."""
