"""Pages that show another date at each visit: their titles and texts, of which the content digest of a crawl decides
whether they have changed."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from ttcrawl.recrawl.undated import content_digest

#: The moment 0 of the virtual clock.
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)

#: Words of a page.
WORDS = 60

#: What pages show of the present. Of the last three no rule of `ttcrawl.recrawl.undated` knows the form, so that a page
#: with them looks changed whenever these show something else.
FORMS: tuple[Callable[[datetime], str], ...] = (
    lambda now: f"as of {now:%Y-%m-%d %H:%M:%S}",
    lambda now: f"{now:%Y-%m-%dT%H:%M:%SZ}",
    lambda now: f"{now:%A}, {now.day} {now:%B %Y}",
    lambda now: f"{now:%B} {now.day}, {now:%Y}, {now:%I:%M %p}",
    lambda now: f"Stand: {now:%d.%m.%Y}, {now:%H.%M} Uhr",
    lambda now: f"{now:%m/%d/%Y}",
    lambda now: f"{now.year}年{now.month}月{now.day}日",
    lambda now: f"last login {now.minute} minutes ago",
    lambda now: f"token {int(now.timestamp())}",
    lambda now: f"week {now:%V}",
    lambda now: f"vor {now.minute} Minuten",
    lambda now: f"{now:%A}",
)


def digest(form: int, page: int, version: int, now: float) -> bytes:
    """Return the digest of what a page shows. `now`: seconds of the virtual clock."""
    words = random.Random(page << 20 | version)
    text = " ".join(f"w{words.getrandbits(16)}" for _ in range(WORDS))
    return content_digest(f"page {page}", f"{FORMS[form](BEGIN + timedelta(seconds=now))} {text}")
