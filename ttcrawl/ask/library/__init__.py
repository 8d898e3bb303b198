"""A crawl as a library: what `ttcrawl.open(DIR)` gives, and `ttcrawl page`. Nothing here writes.

`crawl` is the opened crawl, a handle that holds no connection: every call reads one moment of the database and lets go
of it. `rows` has a class for a row of each table, whose fields and types say all about its columns; `tables` says where
they come from; `frames` and `link_frame` make pandas frames of them.
"""
