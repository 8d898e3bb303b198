"""The window: `ttcrawl view DIR...` shows crawls in a browser, while they run and when they are done.

It computes nothing of its own: screens show what `snapshot`, `inspect`, `report` and `search` return, and each names
the command that prints the same. Every address is a GET and holds all state; actions are POST, and exist with
`--control` alone.
"""
