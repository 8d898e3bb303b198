"""Write a crawl in formats that other programs read.

Each format is a module. It gets rows one after the other and yields what is written, so that memory does not grow with
the crawl. `output` writes a file that appears when it is complete.
"""

#: Formats of tables. The others have a meaning of their own.
ROWS = ("jsonl", "csv", "parquet")
FORMATS = (*ROWS, "alvis", "crawl-log", "crawl-table", "cdxj", "dc", "sitemap", "wacz", "wet")

#: Tables that are written into a directory, unless others are named.
USUAL = ("pages", "urls", "links", "sites", "visits")
TABLES = (*USUAL, "images", "documents", "growth")
