"""How a crawl begins, goes on and ends: its directory, seeds, processes, interrupts, and second passes."""
