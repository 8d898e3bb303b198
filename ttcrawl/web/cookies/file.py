"""Cookies in a file: cookies.txt of Netscape, as curl, wget and extensions of browsers write it, or JSON of browsers.

JSON is a list of cookies, or an object with such a list as `cookies` (the storage state of Playwright). Messages name
the position of a cookie and never its value.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from msgspec import Struct

from ttcrawl.web.cookies.jar import Cookie, is_address
from ttcrawl.web.cookies.setcookie import MAX_COOKIE, is_sendable
from ttcrawl.web.late import late
from ttcrawl.web.url import canonical, is_public_suffix, split_port
from ttcrawl.web.url import host as authority_of

HEAD = "# Netscape HTTP Cookie File\n"

#: What curl and browsers write before a cookie that scripts do not see.
HTTP_ONLY = "#HttpOnly_"

FIELDS = 7

#: How a list of objects begins, or an object; a line may begin with an IPv6 address.
JSON = late(r"\s*(\{|\[\s*[\]{])")

#: What is in no domain.
OF_URLS = late(r"[/?#@\\\s]|^[^\[]*:")


def cookies_in(text: str) -> tuple[Cookie, ...]:
    """Return the cookies of a file, in its order. Raises ValueError with the line, or the number, of a wrong one.

    >>> cookies_in("# Netscape HTTP Cookie File\\n.a.test\\tTRUE\\t/\\tTRUE\\t0\\tsid\\tx\\n")[0].host_only
    False
    """
    text = text.removeprefix("\ufeff")
    rows = _in_json(text) if JSON.match(text) else _in_lines(text)
    return tuple(_cookie(row, place) for place, row in enumerate(rows, start=1))


def cookies_txt(cookies: Iterable[Cookie]) -> str:
    """Return a cookies.txt.

    >>> cookies_txt(cookies_in('[{"domain": "a.test", "name": "sid", "value": "x"}]')).splitlines()[-1].split()
    ['a.test', 'FALSE', '/', 'FALSE', '0', 'sid', 'x']
    """
    return HEAD + "".join(
        "\t".join(
            (
                each.domain if each.host_only else f".{each.domain}",
                "FALSE" if each.host_only else "TRUE",
                each.path,
                "TRUE" if each.secure else "FALSE",
                str(int(each.expires or 0)),
                each.name,
                each.value,
            )
        )
        + "\n"
        for each in cookies
    )


class Row(Struct, frozen=True, kw_only=True):
    """A cookie as a file has it."""

    where: str  # the line, or the number of the cookie
    domain: str
    host_only: bool
    path: object
    secure: bool
    expires: object
    name: str
    value: str


def _in_lines(text: str) -> Iterator[Row]:
    # a cookie may have the byte \x85, of many letters in UTF-8: splitlines would end the line there
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r").removeprefix(HTTP_ONLY)
        if not line.strip() or line.startswith("#"):
            continue
        domain, subdomains, path, secure, expires, name, value = _fields(number, line)
        yield Row(
            where=f"line {number}",
            domain=domain,
            host_only=subdomains.upper() == "FALSE",
            path=path,
            secure=secure.upper() == "TRUE",
            expires=expires,
            name=name,
            value=value,
        )


def _fields(number: int, line: str) -> list[str]:
    fields = line.split("\t")
    if len(fields) == FIELDS - 1:  # an empty value, where an editor has removed the last tab
        fields.append("")
    if len(fields) != FIELDS:
        raise ValueError(f"line {number}: a line has {FIELDS} fields, separated by tabs: domain, TRUE or FALSE, ...")
    return fields


def _in_json(text: str) -> Iterator[Row]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError("it is neither a cookies.txt nor JSON") from error
    cookies = data.get("cookies") if isinstance(data, dict) else data
    if not isinstance(cookies, list):
        raise ValueError("its JSON has no list of cookies")
    for number, each in enumerate(cookies, start=1):
        where = f"cookie {number}"
        if not isinstance(each, dict) or not all(isinstance(each.get(key), str) for key in ("domain", "name", "value")):
            raise ValueError(f"{where}: domain, name and value must be texts")
        yield Row(
            where=where,
            domain=each["domain"],
            host_only=bool(each.get("hostOnly", not each["domain"].startswith("."))),
            path=each.get("path"),
            secure=each.get("secure") is True,
            expires=each.get("expirationDate", each.get("expires")),
            name=each["name"],
            value=each["value"],
        )


def _cookie(row: Row, place: int) -> Cookie:
    url = canonical(f"http://{row.domain.strip().removeprefix('.')}/")
    host = split_port(authority_of(url))[0] if url else ""
    if not host or OF_URLS.search(row.domain):
        raise ValueError(f"{row.where}: {row.domain!r} is not a domain")
    name, value = row.name, row.value
    if not name or not is_sendable(name, value) or len(name) + len(value) > MAX_COOKIE or ";" in name + value:
        raise ValueError(f"{row.where}: its name or value cannot be sent")
    return Cookie(
        domain=host,
        path=row.path if isinstance(row.path, str) and row.path.startswith("/") else "/",
        name=name,
        value=value,
        host_only=row.host_only or is_address(host) or is_public_suffix(host),
        secure=row.secure,
        expires=_seconds(row),
        place=place,
    )


def _seconds(row: Row) -> float | None:
    """Seconds since the epoch; 0, -1 and nothing: until the session ends."""
    if row.expires in (None, "", "Session"):
        return None
    try:
        seconds = float(row.expires)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise ValueError(f"{row.where}: its time of expiry is not a number of seconds since 1970") from error
    return seconds if 0 < seconds < float("inf") else None
