"""Knowledge of the web: URLs and their canonical forms, scope, robots.txt, sitemaps, cookies, traps, types, charsets.

No processes, no clock, no database: values in, values out.
"""
