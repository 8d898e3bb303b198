"""What a topic changes in a crawl: the order of the queue, and links that are put off."""
