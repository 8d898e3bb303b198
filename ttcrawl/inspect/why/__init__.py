"""Explains URLs: the history of one URL, all URLs by the deciding rule, and the effect of other rules.

`life` has why a URL has its state, `robots` the line that decides, `recrawl` its next visit, `life_text` writes all
of it. `summary` counts by reason. `replay` decides again under other rules, by a `walk` over the recorded links.

All data come from a crawl directory that may be growing. This package makes no requests and writes nothing. The rules
come from the directory's config.ini, which is the configuration of the last run.
"""
