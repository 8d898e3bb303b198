"""The words of the ledger, each defined once: the states of a URL, their reasons, content regions, kinds of links.

A row of each table defines a word: its spelling in the database, its meaning for the user, and its consequences.
tests/vocabulary checks the SQL of the complete program against these tables.
"""
