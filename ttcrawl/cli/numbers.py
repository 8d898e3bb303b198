"""Numbers on the command line: out of range is wrong usage."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def between(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text[:9]) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} to {most:,}")
        return int(text)

    return number
