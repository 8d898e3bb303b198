"""A report with problems that a test names."""

from ttcrawl.inspect.check.health import Health
from ttcrawl.inspect.check.kinds import BROKEN, NAMES, Problem

A = "http://a.test"


def report(*problems):
    return Health(
        directory="c",
        pages=9,
        queued=0,
        external=0,
        unchecked={},
        unread=0,
        problems=tuple(sorted(problems, key=lambda each: NAMES.index(each.kind))),
        hosts=(),
        slowest=(),
    )


def broken(path, text="", source="/"):
    return Problem(kind=BROKEN, url=f"{A}{path}", source=f"{A}{source}", text=text, detail="http 404")
