"""What two crawls of the same site must agree on."""

#: What a crawl that was killed must agree on with one that was not.
SAME = {
    "states": "SELECT url, state, reason, depth, redirects FROM url ORDER BY url",
    "pages": "SELECT u.url, status, type, charset, length, title, digest, location, parser, parse_error, links,"
    " content_links, same_page_links, not_http FROM page p JOIN url u ON u.id = p.url ORDER BY 1",
    "links": "SELECT s.url, position, target, kind, region FROM link JOIN url s ON s.id = source ORDER BY 1, 2",
    "robots": "SELECT host, robots, robots_status, robots_reason, delay, delay_from FROM site ORDER BY 1",
    "totals": "SELECT max(links), max(distinct_urls), max(pages) FROM growth",
}
