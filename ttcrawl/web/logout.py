"""URLs that end a session. Pure."""

from __future__ import annotations

import re

from ttcrawl.web.late import late

#: A complete segment of the path, or a name or value in the query, with an extension or not: /logout, /users/sign_out,
#: ?action=logout, Special:UserLogout, j_spring_security_logout. Not /how-to-log-out, which is a page about it.
LOGOUT = late(
    r"(?:[/?&=;:,!.]|%2F|%3A|%3F)"
    r"(?:(?:(?:user|do|force|perform|[a-z]+_(?:[a-z]+_)*)?(?:log|sign)[-_]?(?:out|off)(?:user|now|all|action)?)"
    r"|abmelden|ausloggen|uitloggen|afmelden|(?:se[-_])?d(?:e|%C3%A9)connexion|(?:se[-_])?deconnecter"
    r"|cerrar[-_]?sesion|logga[-_]?ut|log[-_]?ud|wyloguj|odhlasit)"
    r"(?=$|[/?&=;:,!.#]|%2F|%3F|%26)",
    re.IGNORECASE,
)


def logs_out(url: str) -> bool:
    """Whether a canonical URL looks like one that logs out, by its path and query.

    >>> [logs_out(f"http://a.test/{end}") for end in ("logout", "?action=logout&x=1", "how-to-log-out", "log/out")]
    [True, True, False, False]
    """
    return LOGOUT.search(url, url.find("/", 8)) is not None
