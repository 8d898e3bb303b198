"""Certificates that end soon: of each https host of the site, by a TLS handshake without a request.

A crawl does not record them. The handshake is with the address that the crawl has contacted.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import suppress

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.rows import PAGES
from ttcrawl.output.number import counted
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.url import split_port

KIND = "certificate"

#: Hosts whose certificates are read, those with the most pages first; seconds for a handshake.
HOSTS, PATIENCE = 50, 5

#: Days from which an end is soon.
DAYS = 30
DAY = 86_400


def certificate_ends(db: View) -> dict[str, float]:
    """https URL of each host -> the moment at which its certificate ends; only of hosts that shake hands."""
    rows = db.execute(
        f"SELECT host, address FROM site JOIN (SELECT site, count(*) AS pages FROM {PAGES} AND url.url GLOB 'https:*'"
        f" GROUP BY site) AS own ON own.site = site.id WHERE address != '' ORDER BY pages DESC, host LIMIT {HOSTS}"
    ).fetchall()
    context = ssl.create_default_context()
    ends = {}
    for host, address in rows:
        with suppress(OSError, ValueError):  # a certificate that is not valid has failed all requests already
            ends[f"https://{host}/"] = _end(context, host, address)
    return ends


def _end(context: ssl.SSLContext, host: str, address: str) -> float:
    name, port = split_port(host)
    with (
        socket.create_connection((address, int(port or 443)), PATIENCE) as plain,
        context.wrap_socket(plain, server_hostname=name.strip("[]")) as secure,
    ):
        certificate = secure.getpeercert() or {}
    return float(ssl.cert_time_to_seconds(str(certificate["notAfter"])))


def certificate_problems(ends: Mapping[str, float], now: float) -> Iterator[Problem]:
    """`ends`: as of certificate_ends; `now`: seconds since the epoch."""
    for url, end in ends.items():
        if end < now + DAYS * DAY:
            yield Problem(kind=KIND, url=url, detail=f"in {counted(max(0, int((end - now) // DAY)), 'day')}")
