"""Commands that messages advise: a person copies them into a shell."""

from __future__ import annotations

import shlex
from pathlib import Path


def command_line(*words: object) -> str:
    """Return the command `ttcrawl WORDS` as a shell reads it. A path that begins with a hyphen is no option.

    >>> command_line("why", Path("my crawl"), "URL")
    "ttcrawl why 'my crawl' URL"
    """
    return shlex.join(("ttcrawl", *map(_word, words)))


def _word(word: object) -> str:
    return f"./{word}" if isinstance(word, Path) and str(word).startswith("-") else str(word)
