"""Reasons for the exceptions of urllib3, beside those of the errors that they wrap."""

from __future__ import annotations

from urllib3.exceptions import (
    ConnectTimeoutError,
    NewConnectionError,
    ProtocolError,
    ProxyError,
    ReadTimeoutError,
    SSLError,
)

from ttcrawl.fetch.tls import of_tls
from ttcrawl.vocabulary.reason import NONE, PROTOCOL, PROXY, TIMEOUT_CONNECT, TIMEOUT_READ, Code


def reason_of(error: BaseException) -> Code:
    """The reason for an attempt that failed with this exception, NONE if only its cause has one."""
    if isinstance(error, ProxyError):
        return PROXY
    if isinstance(error, SSLError):
        return of_tls(str(error))
    if isinstance(error, ConnectTimeoutError) and not isinstance(error, NewConnectionError):
        return TIMEOUT_CONNECT
    if isinstance(error, ReadTimeoutError):
        return TIMEOUT_READ
    return PROTOCOL if isinstance(error, ProtocolError) and not error.args[1:] else NONE
