"""The file of cookies that a user gives to a crawl, and the one that is written at its end."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ttcrawl.config import text_in
from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.store.private import OWNER, create_private
from ttcrawl.web.cookies.jar import Cookie


def own_cookies(path: str) -> tuple[Cookie, ...]:
    """Return the cookies in the file of login.cookies, none of "". Raises UsageError."""
    if not path:
        return ()
    from ttcrawl.web.cookies.file import cookies_in  # few crawls have one

    try:
        return cookies_in(text_in(Path(path), "--cookies"))
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None


def save(path: Path, own: Iterable[Cookie], stored: Iterable[Cookie], now: float) -> None:
    """Write the cookies that are alive into a cookies.txt that its owner alone may read: `own`, or what servers have
    made of them. Raises CrawlFailedError.
    """
    from ttcrawl.web.cookies.file import cookies_txt

    cookies = {each.key: each for each in (*own, *stored)}
    try:
        create_private(path)
        path.chmod(OWNER)  # of a file that was there
        path.write_text(cookies_txt(each for each in cookies.values() if not each.dead(now)), encoding="utf-8")
    except OSError as error:
        raise CrawlFailedError(f"{path}: {error.strerror}; the cookies are in table cookie of the crawl") from error
