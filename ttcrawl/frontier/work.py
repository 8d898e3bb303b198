"""How much work may be done at once before other work has its turn."""

from __future__ import annotations

from msgspec import Struct

#: For one host before other hosts have their turn, about 2 ms.
SLICE = 200

#: For all hosts before messages, the clock and a commit have their turn, about 10 ms.
TAKE = 1000

#: To refuse a URL: a row of the database changes.
REFUSAL = 2

#: A step of compiling the rules of a robots.txt.
STEP = 100


class Work(Struct):
    """Units of about 10 µs. They are counted and not timed, so that a crawl can be repeated."""

    remaining: int = SLICE
