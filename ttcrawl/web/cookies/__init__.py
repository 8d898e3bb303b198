"""Cookies (RFC 6265), owned by the crawl process: `Jar` adds them to every request and reads them from every response.

http.cookiejar is unsuitable: it reads the system's clock, uses the first of repeated attributes where the RFC uses the
last, its date expression takes more than linear time on white space, and it has no limits.
"""
