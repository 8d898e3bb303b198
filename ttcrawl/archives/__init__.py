"""Archives of other programs become a crawl: their records are indexed, then read in the order of their times."""
