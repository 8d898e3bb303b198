"""How well pages are read, on pages that were not used while the reader was written: see `__main__`."""
