"""The words of the ledger, each spelt out once: the states of a URL, their reasons, content regions, kinds of links.

A row of each table says all that is known of a word: how the database spells it, what it means to people, and what
follows from it. tests/vocabulary checks the SQL of the whole program against these tables.
"""
