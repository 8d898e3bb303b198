"""What answers questions about a crawl: why, verify, diff, check, search, topic and aliases."""
