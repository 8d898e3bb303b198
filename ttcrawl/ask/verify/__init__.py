"""Is a crawl complete and consistent? The tables against each other, the archive against them; offline."""
