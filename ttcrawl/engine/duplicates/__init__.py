"""Duplicate pages: how they are recognised, which of several is the original, and the requests that this saves.

Of pages that are the same the original is the one that comes first by (depth, rank, URL). This does not depend on
timing: in whatever order they are fetched, the marks at the end of a run are the same.
"""
