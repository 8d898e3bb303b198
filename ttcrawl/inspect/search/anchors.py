"""Texts of links that count for a page."""

#: Anchor texts of a page that count, and characters of each.
MOST_ANCHORS, LONGEST_ANCHOR = 50, 200
