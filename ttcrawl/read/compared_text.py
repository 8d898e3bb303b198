"""Whether a page can be compared with others by its main text.

Where the main text has lost most of the page, what remains is often alike on many pages that differ in what was lost.
"""

from __future__ import annotations

from ttcrawl.read.main import MainText

#: Minimum fraction of the text outside landmarks and links that is in the main text.
HALF = 0.5


def is_most_of_page(main: MainText) -> bool:
    """Whether the main text has half of the characters outside landmarks and links, or more."""
    return sum(map(len, main.lines)) >= HALF * main.candidates
