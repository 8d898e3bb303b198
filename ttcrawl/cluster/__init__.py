"""Several crawl processes that crawl together: each one, a ring, owns the hosts of some registrable domains."""
