"""One crawl.db made of those from several rings of a cluster: the rows that one crawl would have, under new ids.

The database is a new file that only this process opens. The rings' databases are attached one after the other, for
reading; what has to be compared between them is in temporary tables. A gathering that is interrupted begins anew, so
nothing is a transaction.
"""
