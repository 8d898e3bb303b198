"""A page after its scripts, as a head and a body that are parsed like any other."""

from __future__ import annotations

from msgspec import structs

from ttcrawl.parse.answer import Response
from ttcrawl.ring.rendering import Rendering

#: Headers that describe the body as received.
_OF_THE_BODY = frozenset(("content-type", "content-encoding", "content-length", "transfer-encoding"))


def rendered(response: Response, rendering: Rendering) -> Response:
    """Return the response to parse. A URL to which scripts sent the browser counts as one in Refresh."""
    headers = [(name, value) for name, value in response.head.headers if name.lower() not in _OF_THE_BODY]
    headers.append(("Content-Type", "text/html; charset=utf-8"))
    headers += [("Refresh", f"0; url={target}") for target in rendering.targets]
    return structs.replace(response, head=structs.replace(response.head, headers=tuple(headers)), body=rendering.dom)
