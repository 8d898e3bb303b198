"""Whether a page can be compared with others by its main text.

Where the main text has lost most of the page, what remains is often alike on many pages that differ in what was lost.
"""

from __future__ import annotations

from ttcrawl.read.main import MainText
from ttcrawl.read.prose import is_prose

#: Minimum ratio of the main text to the prose outside landmarks and links.
HALF = 0.5


def is_most_of_page(main: MainText) -> bool:
    """Whether the main text has half as many characters as the prose outside landmarks and links, or more.

    Short lines do not count as lost: between the links of a menu are headings and notes such as "(new)".
    """
    size = sum(map(len, main.lines))
    if size >= HALF * sum(map(len, main.candidates)):
        return True
    return size >= HALF * sum(len(line) for line in main.candidates if is_prose(line, len(line)))
