"""The link graph of a crawl: its nodes and links as arrays, measures, figures, exports and pictures."""
