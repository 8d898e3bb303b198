"""What requests send besides a GET, and the forms that say so."""

from __future__ import annotations

from ttcrawl.web.storable import Storable


class FormFields(Storable, frozen=True, kw_only=True):
    """A form as it would be sent without the user."""

    action: str  # canonical URL, "" if it is none
    post: bool
    multipart: bool = False  # sent as multipart/form-data (RFC 7578)
    fields: tuple[tuple[str, str], ...]


class Sending(Storable, frozen=True, kw_only=True):
    """The method of a request, and what it sends: the fields of a form, with secrets, or what a script of a page asks.

    A script may ask by HEAD, OPTIONS and POST.
    """

    method: str
    body: bytes = b""  # of a POST


GET = Sending(method="GET")
