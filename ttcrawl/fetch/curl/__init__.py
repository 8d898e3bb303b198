"""HTTP over libcurl: one thread, one loop, many requests in flight.

`exchange` has the rules of one request, `transfer` is libcurl's handle for one attempt at it, `multi` the loop over all
handles. What libcurl cannot do as `ttcrawl.fetch.http` does is handed over to that transport (`second`).
"""
