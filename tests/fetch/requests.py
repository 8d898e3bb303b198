"""Requests for a transport."""

from ttcrawl.ring.messages import PAGE, Request


def asked(url, not_before=0.0, kind=PAGE, **fields):
    return Request(token=1, kind=kind, url=url, depth=0, not_before=not_before, **fields)
