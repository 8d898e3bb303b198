"""The crawl process: the main loop, the processing of outcomes, its limits, and how a crawl begins and ends."""
