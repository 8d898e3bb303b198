"""The subject of a page: term lists and the two matching algorithms of the focused crawler Combine.

A term list says which words mean which class, and how much. `load` reads one: by `grammar`, or by `combine` exactly as
Combine does. `words` makes the words of a page, `matcher` finds all terms in them at once, `scorer` gives points to the
classes, `score` decides. A scorer is made once and scores any number of pages.
"""
