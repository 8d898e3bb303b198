"""`ttcrawl duplicates --tune`: precision, recall and cost of settings of [duplicates] on the pages of a crawl.

The true similarity of two pages does not depend on shingles: it is the number of words in both pages, with repetitions,
divided by the number of words in either. For changed copies of pages it is known from the change. For pages of the
crawl it is computed for all pairs. For pairs labelled by hand it is the label.
"""
