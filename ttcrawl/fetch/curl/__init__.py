"""HTTP over libcurl: one thread, one loop, many requests in flight.

`transfer` is libcurl's handle for one attempt at a request, whose rules are in `ttcrawl.fetch.exchange`; `multi` is the
loop over all handles. What libcurl cannot do by these rules is handed over to urllib3 (`second`).
"""
