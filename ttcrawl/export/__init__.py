"""Write a crawl in formats that other programs read.

Each format is a file of `formats`. It gets rows one after the other and yields what is written, so that memory does not
grow with the crawl. `output` writes a file that appears when it is complete.
"""

#: Tables that are written into a directory, unless others are named.
USUAL = ("pages", "urls", "links", "sites", "visits")
STORED = (*USUAL, "images", "documents", "growth")

#: A row of `overview` has values of several of the tables above it.
TABLES = (*STORED, "overview")

#: The table whose columns are the fields of a hook.
FIELDS = "fields"

#: What items of `ttcrawl extract` are written as.
ITEM_FORMATS = ("jsonl", "csv", "parquet", "sqlite")
