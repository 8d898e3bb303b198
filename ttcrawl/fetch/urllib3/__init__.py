"""HTTP over urllib3: threads that make one request at a time.

`transport` drives the rules of one request (`ttcrawl.fetch.exchange`), `connection` has urllib3's connections with our
checks and our reading of heads, `pools` those that persist, `in_flight` the deadlines.
"""
