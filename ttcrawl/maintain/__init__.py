"""What changes a stopped crawl: queue again, read again, delete, repair, merge, apply rules, save topics."""
