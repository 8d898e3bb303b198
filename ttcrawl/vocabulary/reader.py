"""Who reads HTML pages, as messages and counters have it."""

PYTHON, COMPILED = "python", "compiled"
