"""Cookies (RFC 6265), owned by the crawl process: `Jar` is asked for every request and told of every answer.

Not http.cookiejar: it reads the system's clock, takes the first of several attributes where the RFC takes the last,
its expression for dates takes more than linear time on white space, and it has no bounds.
"""
