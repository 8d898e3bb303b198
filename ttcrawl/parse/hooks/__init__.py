"""Functions of the user that run in a parse process: what they get and return, how they are imported, called and
limited."""
