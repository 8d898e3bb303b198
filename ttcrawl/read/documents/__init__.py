"""Documents -> text, links and what they say about themselves, by libraries and programs in child processes.

A document is hostile, and so are, in effect, the libraries that read it: they hang, crash and eat memory. None of them
runs in the parse process. Which converter reads which type is a table of config.ini, [converters].

Nothing is imported here, because every child process pays for it.
"""
