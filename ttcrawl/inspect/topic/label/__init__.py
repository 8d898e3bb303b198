"""`ttcrawl topic label`: a person labels the pages that a model is least sure of, and it learns from the answers.

`lists` keeps the answers on disk, `pool` reads the pages that may be asked, `questions` decides which is
next, `learner` trains, `terminal` shows a page and reads a key, `run` puts them together.
"""
