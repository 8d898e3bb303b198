"""The full report of a crawl. Each part is a file: its figures as a dataclass, how they are read, and its sections."""
