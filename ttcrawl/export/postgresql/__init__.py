"""Copy a crawl into PostgreSQL, and keep the copy up to date while the crawl runs.

A round compares the crawl with its copy. PostgreSQL has a checksum for each key of each table: a round computes the
checksums of crawl.db again, in one snapshot, and replaces the rows of the keys that differ. Rows and their checksums
are written in one transaction. So nothing has to be remembered elsewhere: after a kill of either side, or a lost
connection, the next round finds what is missing. The crawl itself takes no part.

`tables` names what is copied, `crawldb` has the tables of the course database, `schemas` creates them and the `views`,
`checksums` finds differences, `differing_rows` replaces rows, `round` compares everything, `recent` copies what is new
between two rounds, `follow` repeats both. PostgreSQL has two more tables, made when others change: `page_links`, and
`search_table`, whose `vector` is what `search` looks in.
"""
