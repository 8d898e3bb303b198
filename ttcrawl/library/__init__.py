"""A crawl as a library: the object that `ttcrawl.open(DIR)` returns, and `ttcrawl page`.

This package only reads, except that `study` keeps its figures in a cache.

`crawl` is the opened crawl. It holds no connection: each call reads one snapshot of the database and closes it. `rows`
has one class per table; its fields and types describe the columns. `tables` has the SQL sources of these fields.
`frames` and `link_frame` convert the rows to pandas frames.
"""
