"""A search without a server: the index in small files, of which the page that searches loads those of a query.

Files are scripts, not JSON, because a browser lets a page that it opened from the disk load only scripts.
"""
