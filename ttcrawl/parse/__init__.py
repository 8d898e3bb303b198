"""The parse pool: each Fetched becomes one outcome with all data that the crawl process needs. Its bytes are
archived."""
