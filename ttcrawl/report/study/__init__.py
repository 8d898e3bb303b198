"""The full report of a crawl. Each part is a module: a dataclass of its figures, a reader, and its sections."""
