"""Deletes what was stored of URLs. Their rows in the ledger stay, so that they are not requested again.

The changes to the tables are one transaction, which notes what is left on the disk: `ttcrawl.store.deletions`. Then
files are removed, duplicates find new originals, and a purge rewrites the WARC files that have deleted records. Each of
these steps can be interrupted and is completed by the next deletion.
"""
