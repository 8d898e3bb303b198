"""The crawl directory: crawl.db and warc/."""
