"""The parse pool: a Fetched becomes one outcome with everything the crawl process needs, and its bytes are archived."""
