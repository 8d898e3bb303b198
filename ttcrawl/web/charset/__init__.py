"""The character encoding of a page or a file, as browsers determine it."""
