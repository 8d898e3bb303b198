"""Everything that reads a crawl, running or finished."""
