"""A site whose pages change at known moments, which is crawled again and again while processes are killed.

`python -m tests.changing --minutes 25` is a long run; tests/test_changing.py does the same for 40 seconds. `web` plans
the changes, `play` makes them, and kills and continues `ttcrawl recrawl`, `judge` compares the log of the servers, the
changes and the database at the end.
"""
