"""Why is this URL as it is? The life of one URL, all URLs by what decided, and what other rules would have decided.

Everything is read from a crawl directory that may be growing meanwhile; nothing is asked of the web and nothing is
written. The rules are those of the directory's config.ini, which is the configuration of the last run.
"""
