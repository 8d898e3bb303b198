"""`ttcrawl extract`: items of the pages of a crawl, made from its archive in parse processes. Nothing is requested.

They are in `items.db`, by the version of what made them (`ttcrawl.store.items_db`).
"""
