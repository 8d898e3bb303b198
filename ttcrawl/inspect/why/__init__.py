"""Explains URLs: the history of one URL, all URLs by the deciding rule, and the effect of other rules.

All data come from a crawl directory that may be growing. This package makes no requests and writes nothing. The rules
come from the directory's config.ini, which is the configuration of the last run.
"""
