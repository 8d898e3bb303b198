"""The status for a reply, as a gateway from HTTP to FTP gives it: the same retries and reports apply to both."""

from __future__ import annotations

import re
from http import HTTPStatus

from ttcrawl.web.late import late

#: Reply codes (RFC 959 section 4.2, RFC 2228 section 8) with a status of their own.
STATUSES: dict[int, int] = {
    421: HTTPStatus.SERVICE_UNAVAILABLE,
    430: HTTPStatus.UNAUTHORIZED,
    434: HTTPStatus.SERVICE_UNAVAILABLE,
    **dict.fromkeys((331, 332, 530, 532), HTTPStatus.UNAUTHORIZED),
    **dict.fromkeys((521, 522, 533, 534, 553), HTTPStatus.FORBIDDEN),
    **dict.fromkeys((550, 551), HTTPStatus.NOT_FOUND),
    552: HTTPStatus.INTERNAL_SERVER_ERROR,
    **dict.fromkeys((500, 501, 502, 503, 504), HTTPStatus.NOT_IMPLEMENTED),
}

#: Texts of servers that refuse a login only because they are busy; ProFTPD and IIS do so with 530.
BUSY = late(
    r"too many|overload|busy|try (?:again|back)|later|maximum|limit|exceed|already (?:connected|logged)|simultaneous",
    re.IGNORECASE,
)

#: 550 has one code for two things.
DENIED = late(r"permission|denied|not allowed|forbidden|access", re.IGNORECASE)


def status(code: int, text: str) -> int:
    """The status for a reply that refuses a request, 400 to 599.

    >>> [status(*each) for each in ((550, "No such file"), (550, "Permission denied"), (530, "Too many users"))]
    [404, 403, 503]
    """
    if code in (430, 530) and BUSY.search(text):
        return HTTPStatus.SERVICE_UNAVAILABLE.value
    if code == 550 and DENIED.search(text):
        return HTTPStatus.FORBIDDEN.value
    # 4yz is temporary (RFC 959 section 4.2.1), and so is a 500
    return int(STATUSES.get(code, HTTPStatus.INTERNAL_SERVER_ERROR if code < 500 else HTTPStatus.BAD_GATEWAY))


def is_unknown_command(code: int) -> bool:
    """Whether the server does not know the command, or not its form."""
    return code in (500, 501, 502, 504)
