"""A crawl for reading: every command that reads a crawl uses this package, and only it opens the database.

`view` is one snapshot of a crawl: its settings, configuration, queue, and URLs by key. `opening` opens the database and
never writes to it. `errors` has the exceptions for missing data and for damage.
"""
