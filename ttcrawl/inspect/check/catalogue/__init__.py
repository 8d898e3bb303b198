"""The kinds of problems, by area. One kind is one row: its level, why it matters, and who says so."""
