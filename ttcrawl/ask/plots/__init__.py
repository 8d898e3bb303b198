"""The figures of a crawl, as a person would put them into a paper: each a file here, each as PNG and SVG."""

#: What there is, in the order of the report.
FIGURES = ("growth", "laws", "discovery", "zipf", "degrees", "content", "lsh")
