"""The processes of a crawl, and their messages.

    crawl process: frontier, ledger, settle, store
        |  Request                          ^  Page, Moved, Failed ...
        v                                   |
    fetch processes  -- body in a slot -->  parse processes  -->  WARC files

A cyclic producer-consumer: one direction, one owner. The crawl process (ttcrawl.engine.loop) owns all state. Fetch
processes (ttcrawl.fetch.worker) turn a Request into one answer or failure. Parse processes (ttcrawl.parse.worker) parse
the answers in shared memory, without a copy. When a process dies, only its own work is repeated.
"""
