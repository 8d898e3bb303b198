"""What a running crawl tells others: events, metrics, hooks, and its mirror in PostgreSQL."""
