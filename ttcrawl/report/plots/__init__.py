"""The figures of a crawl for a publication: one module each here, written as PNG and SVG."""

#: All figures, in the order of the report.
FIGURES = ("growth", "laws", "discovery", "zipf", "degrees", "content", "topic", "lsh")

#: The law (K, beta) beside the laws of a crawl, unless the user names another one.
FIXED_HEAPS = (100.0, 0.4)
