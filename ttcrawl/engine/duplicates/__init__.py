"""The same page twice: what it is known by, which of several is the original, and what that saves.

Of pages that are the same the original is the one that comes first by (depth, priority, URL). That is no matter of
timing: whichever of them came first, the marks at the end of a run are the same.
"""
