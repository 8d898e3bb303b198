"""The crawl process: the main loop, what it settles, its limits, and how a crawl begins and ends."""
