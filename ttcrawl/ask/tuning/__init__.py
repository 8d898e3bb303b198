"""`ttcrawl tune-duplicates`: what settings of [duplicates] find on the pages of a crawl, and what they cost.

Two pages *are* alike by a measure that has nothing to do with shingles: the words that both have, each as often as both
have it, over those that either has. Pages that are made by changing others are as alike as they were made; of pages of
the crawl as they are it is counted, each with each; of pairs labelled by hand the label says it.
"""
