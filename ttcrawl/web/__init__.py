"""Knowledge of the web: URLs and their canonical forms, scope, robots.txt, sitemaps, cookies, traps, types, charsets.

It uses no processes, clock or database: values in, values out.
"""
