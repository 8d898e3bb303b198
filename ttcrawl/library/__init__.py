"""A crawl as a library: the object that `ttcrawl.open(DIR)` returns, and `ttcrawl page`.

This package only reads, except that `study` keeps its figures in a cache, `search` its index and `extract` its items.

`crawl` is the opened crawl. It holds no connection: each call reads one snapshot of the database and closes it. Its
rows and frames are those of ttcrawl.snapshot: `rows` there has one class per table, whose fields describe the columns.
"""
