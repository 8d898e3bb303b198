"""The keys of config.ini for a session of the user."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.config.key import key


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginSection:
    """How a crawl sees what its user may see (docs/guides/behind-a-login.md)."""

    cookies: str = key(
        "",
        "FILE with cookies of a browser that are sent from the beginning: cookies.txt, or JSON; needs [fetch] cookies ="
        " kept or host; requests are then archived without cookies",
    )
