"""Commands that write are killed at random moments, run again until they end, and compared with an undisturbed run.

`web` is the site, `ground` has the crawls of it, `kinds` the commands, `disturbed` runs one of them with kills, `play`
does so for all of them in turn. `state` is what a directory has, with `tables` for the database.
tests/soak/test_kills.py plays it with a few kills.
"""
