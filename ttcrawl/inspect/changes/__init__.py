"""What changed: between the answers of a URL, between two moments of a crawl, between two crawls."""
