"""A crawl for reading: what every command that reads one takes, and the only place that opens its database.

`view` is one moment of a crawl, with its settings, its configuration, its queue and its URLs by their keys; `opening`
opens the database without ever writing to it; `errors` says what a directory lacks, or that it is damaged.
"""
