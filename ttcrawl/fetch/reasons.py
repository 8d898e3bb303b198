"""Reasons for a failed attempt: errors that state theirs, and exceptions of urllib3, http.client, ssl or the system."""

from __future__ import annotations

import errno
import http.client
import socket
import ssl

from ttcrawl.fetch.addresses import BlockedAddress
from ttcrawl.fetch.destination import ProxyFailed
from ttcrawl.fetch.lookups import TooLate
from ttcrawl.fetch.tls import after_handshake, of_tls
from ttcrawl.vocabulary.reason import (
    BLOCKED_ADDRESS,
    CONNECTION_REFUSED,
    CUTS_BODY,
    DISCONNECTED,
    DNS,
    DNS_TEMPORARY,
    DNS_TIMEOUT,
    HEADERS_TOO_LARGE,
    NETWORK,
    NONE,
    PROTOCOL,
    PROXY,
    RESET,
    TIMEOUT_CONNECT,
    TIMEOUT_READ,
    TLS,
    TLS_EXPIRED,
    TLS_NAME_MISMATCH,
    TLS_NOT_YET_VALID,
    TLS_SELF_SIGNED,
    TLS_UNKNOWN_ISSUER,
    TLS_WEAK,
    TRUNCATED,
    UNREACHABLE,
    Code,
)


class AttemptFailed(Exception):
    """An attempt failed, for this reason."""

    def __init__(self, reason: Code, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


class TooLargeHead(AttemptFailed):
    """The head of a response exceeds a limit."""

    def __init__(self, detail: str) -> None:
        super().__init__(HEADERS_TOO_LARGE, detail)


class NotReadable(AttemptFailed):
    """A transport cannot send the request, or does not read the response; the second one may."""

    def __init__(self, detail: str, reason: Code = PROTOCOL) -> None:
        super().__init__(reason, detail)


class Unclosed(AttemptFailed):
    """The server closed TCP without the alert close_notify (RFC 8446 section 6.1)."""

    def __init__(self, detail: str) -> None:
        super().__init__(DISCONNECTED, detail)


def explained(error: Exception) -> tuple[Code, str]:
    """The reason for the failure of an attempt, and its text."""
    if isinstance(error, AttemptFailed):
        return error.reason, error.detail
    detail = " ".join(str(error).split())[:300]
    reasons = [reason for cause in _causes(error) if (reason := _reason(cause))]
    if PROXY in reasons:
        return PROXY, detail  # an error of the proxy proves nothing about the host
    return (reasons[0], detail) if reasons else (PROTOCOL, f"{type(error).__name__}: {detail}")


def in_response(error: Exception) -> Exception:
    """The error that ends a response which has begun."""
    reason, detail = explained(error)
    broken = after_handshake(reason, answered=True)
    return error if broken == reason else AttemptFailed(broken, detail)


def why_incomplete(error: Exception) -> Code:
    """The reason for an incomplete body: one of those that may cut a body."""
    if isinstance(error, TimeoutError):
        return TIMEOUT_READ
    reason = after_handshake(explained(error)[0], answered=True)
    if reason == DISCONNECTED:
        return TRUNCATED
    return reason if reason in CUTS_BODY else NETWORK


def is_lost(error: Exception) -> bool:
    """Whether the connection was closed or reset. False for timeouts."""
    return any(isinstance(cause, OSError) and not isinstance(cause, TimeoutError) for cause in _causes(error))


def _causes(error: BaseException) -> list[BaseException]:
    """An exception, its exception arguments, and its causes, the innermost first."""
    causes = [error, *(each for each in error.args if isinstance(each, BaseException))]
    inner = error.__cause__ or error.__context__
    return (_causes(inner) if inner is not None else []) + causes[::-1]


def _reason(error: BaseException) -> Code:
    if isinstance(error, ProxyFailed):
        return PROXY
    if isinstance(error, BlockedAddress):
        return BLOCKED_ADDRESS
    if isinstance(error, TooLate):
        return DNS_TIMEOUT
    if isinstance(error, socket.gaierror):
        return DNS_TEMPORARY if error.errno == socket.EAI_AGAIN else DNS
    if isinstance(error, ssl.SSLCertVerificationError):
        return BY_VERIFY_CODE.get(error.verify_code, TLS)
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return DISCONNECTED
    if isinstance(error, ssl.SSLError | ssl.CertificateError):
        return of_tls(str(error))
    if isinstance(error, http.client.RemoteDisconnected):
        return DISCONNECTED
    if isinstance(error, http.client.IncompleteRead):
        return TRUNCATED
    if isinstance(error, OSError) and not isinstance(error, socket.gaierror | TimeoutError):
        return BY_ERRNO.get(error.errno or 0, NETWORK)
    if any(each.__module__.startswith("urllib3.") for each in type(error).__mro__):
        from ttcrawl.fetch.urllib3.reasons import reason_of  # over libcurl, urllib3 is hardly ever loaded

        return reason_of(error)
    return PROTOCOL if isinstance(error, http.client.HTTPException) and not error.args[1:] else NONE


#: X509_V_ERR_* of OpenSSL's x509_vfy.h, which the ssl module does not define.
BY_VERIFY_CODE = {
    2: TLS_UNKNOWN_ISSUER,
    9: TLS_NOT_YET_VALID,
    10: TLS_EXPIRED,
    18: TLS_SELF_SIGNED,
    19: TLS_SELF_SIGNED,  # the last certificate of the server's chain
    20: TLS_UNKNOWN_ISSUER,
    21: TLS_UNKNOWN_ISSUER,
    62: TLS_NAME_MISMATCH,
    64: TLS_NAME_MISMATCH,  # the name is an address
    66: TLS_WEAK,
    67: TLS_WEAK,
    68: TLS_WEAK,
}

BY_ERRNO = {
    errno.ECONNREFUSED: CONNECTION_REFUSED,
    errno.ECONNRESET: RESET,
    errno.EPIPE: DISCONNECTED,  # the server had closed the connection before it reset it
    errno.ENOTCONN: RESET,  # the next call on a connection that was reset
    errno.EHOSTUNREACH: UNREACHABLE,
    errno.ENETUNREACH: UNREACHABLE,
    errno.EHOSTDOWN: UNREACHABLE,
    errno.ETIMEDOUT: TIMEOUT_CONNECT,
}
