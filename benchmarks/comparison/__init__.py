"""ttcrawl beside other crawlers: the same sites, in one run, judged by the log of the server."""
