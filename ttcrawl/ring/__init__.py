"""The processes of a crawl, and what passes between them.

    crawl process: frontier, ledger, settle, store
        |  Request                          ^  Page, Moved, Failed ...
        v                                   |
    fetch processes  -- body in a slot -->  parse processes  -->  WARC files

A cyclic producer-consumer: one direction, one owner. The crawl process (ttcrawl.engine.loop) owns all state. Fetch
processes (ttcrawl.fetch.worker) turn a Request into one answer or failure. Parse processes (ttcrawl.parse.worker) read
the answers where they lie in shared memory. When a process dies, only its own work is done again.
"""
