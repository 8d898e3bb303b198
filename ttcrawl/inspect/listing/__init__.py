"""Lists of URLs for somebody who looks: 50 at a time, by state, reason and others, and the links to one URL.

`update` keeps view.db beside crawl.db up to date, while a crawl runs too. `selection` has what a reader chose, `listed`
the URLs of it, `counts` how many there are, and `in_links` the pages that link to a URL. No query of these reads all
rows of a large table unless its result says so.
"""
