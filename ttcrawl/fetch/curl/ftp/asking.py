"""What is asked for a URL, and what the answer is."""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import formatdate
from http import HTTPStatus

import pycurl

from ttcrawl.fetch.curl.ftp.transfer import Refused, TooLarge, Transfer, Wanted
from ttcrawl.fetch.exchange import Exchange
from ttcrawl.fetch.reasons import AttemptFailed, why_incomplete
from ttcrawl.fetch.settings import Settings
from ttcrawl.ring.messages import PAGE, ROBOTS
from ttcrawl.vocabulary.reason import NONE, TOO_LARGE, TYPE, Code
from ttcrawl.web.ftp import page
from ttcrawl.web.ftp.listing import entries
from ttcrawl.web.ftp.replies import is_unknown_command, status
from ttcrawl.web.mime.extensions import FILES, TEXTS, by_extension

#: Errors for a path that is not a file: it may be a directory. A missing directory above it has another.
NO_FILE = frozenset((pycurl.E_FTP_COULDNT_RETR_FILE, pycurl.E_REMOTE_FILE_NOT_FOUND))
NOT_THERE = frozenset((550, 551, 553))

#: Longest listing, bytes: some 50,000 files. It is read in the fetch process, beside its other requests.
LONGEST = 4 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An answer in the form of HTTP."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    received: int = 0  # bytes over data connections
    refused: Code = NONE
    incomplete: Code = NONE


def answered(exchange: Exchange, transfer: Transfer, settings: Settings, url: str) -> Answered:
    """Ask for `url`, which has the address of the server in place of its name. Raises as `Transfer.ask`, not Refused
    and TooLarge."""
    try:
        if url.endswith("/"):
            return _directory(exchange, transfer, settings, url)
        return _file(exchange, transfer, settings, url)
    except Refused as error:
        return Answered(status=status(error.code, error.text))


def _file(exchange: Exchange, transfer: Transfer, settings: Settings, url: str) -> Answered:
    declared, is_page = by_extension(url, TEXTS) or by_extension(url, FILES), exchange.kind != ROBOTS
    if is_page and not settings.wants(exchange.request, [declared]):
        transfer.ask(url, Wanted.FACTS, settings.max_body, limited=False)
        return Answered(status=HTTPStatus.OK, headers=_headers(declared, transfer.modified), refused=TYPE)
    refused, incomplete = NONE, NONE
    try:
        transfer.ask(url, Wanted.FILE, settings.max_body, limited=is_page)
    except Refused as error:
        if exchange.kind != PAGE or not _may_be_directory(error) or not _is_directory(transfer, url):
            raise
        return Answered(status=HTTPStatus.MOVED_PERMANENTLY, headers=(("Location", f"{exchange.request.url}/"),))
    except TooLarge:
        refused = TOO_LARGE
    except AttemptFailed as error:
        if not transfer.data:
            raise
        incomplete = why_incomplete(error)
    return Answered(
        status=HTTPStatus.OK,
        headers=_headers(declared, transfer.modified),
        body=transfer.data,
        received=len(transfer.data),
        refused=refused,
        incomplete=incomplete,
    )


def _may_be_directory(error: Refused) -> bool:
    return error.code in NOT_THERE and error.number in NO_FILE


def _is_directory(transfer: Transfer, url: str) -> bool:
    try:
        transfer.ask(f"{url}/", Wanted.FACTS, 0, limited=False)
    except Refused:
        return False
    return True


def _directory(exchange: Exchange, transfer: Transfer, settings: Settings, url: str) -> Answered:
    incomplete, complete, most = NONE, True, min(settings.max_body, LONGEST)
    try:
        try:
            transfer.ask(url, Wanted.MLSD, most, limited=False)
        except Refused as error:
            if not is_unknown_command(error.code):
                raise
            transfer.ask(url, Wanted.LIST, most, limited=False)
    except TooLarge:
        complete = False
    except AttemptFailed as error:
        if not transfer.data:
            raise
        incomplete = why_incomplete(error)
    listing = transfer.data
    body, fits = page.html(exchange.request.url, entries(listing), settings.max_body)
    return Answered(
        status=HTTPStatus.OK,
        headers=_headers(page.TYPE, None),
        body=body,
        received=len(listing),
        refused=NONE if complete and fits else TOO_LARGE,
        incomplete=incomplete,
    )


def _headers(declared: str, modified: float | None) -> tuple[tuple[str, str], ...]:
    date = "" if modified is None else formatdate(modified, usegmt=True)
    return tuple(each for each in (("Content-Type", declared), ("Last-Modified", date)) if each[1])
