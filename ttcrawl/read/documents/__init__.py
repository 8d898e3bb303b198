"""Documents -> text, links and metadata, by libraries and programs in child processes.

A document is hostile, and its libraries are unreliable: they hang, crash and use too much memory. None of them runs in
the parse process. The section [converters] of config.ini assigns converters to types.

This module imports nothing, because every child process would pay for it.
"""
