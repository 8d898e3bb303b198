"""Full-text search in a crawl, running or not.

`index` keeps search.db beside crawl.db up to date: each search first adds what was read since the last one, so a crawl
does nothing for it. `query` reads what the user writes; `hits` finds and orders the pages; `snippet` shows the words.
"""
