"""Why there is no answer, in the words of the ledger: from what urllib3, http.client, ssl or the system raised."""

from __future__ import annotations

import errno
import http.client
import socket
import ssl

from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    NewConnectionError,
    ProtocolError,
    ProxyError,
    ReadTimeoutError,
    SSLError,
)

from ttcrawl.fetch.addresses import BlockedAddress
from ttcrawl.fetch.lookups import TooLate
from ttcrawl.fetch.proxy import ProxyFailed
from ttcrawl.ring.messages import AGAIN
from ttcrawl.web.address import BLOCKED


def why(error: Exception) -> tuple[str, str]:
    """The ledger's reason for what urllib3, http.client or the system raised, and the words of the error."""
    detail = " ".join(str(error).split())[:300]
    if any(isinstance(cause, ProxyFailed | ProxyError) for cause in _causes(error)):
        return "proxy", detail  # whatever it was, it says nothing of the host
    for cause in _causes(error):
        reason = _reason(cause)
        if reason:
            return reason, detail
    return "protocol", f"{type(error).__name__}: {detail}"


def broken_off(error: Exception) -> str:
    """The ledger's reason for a body of which no more came: one after which the URL is tried again (messages.AGAIN), or
    one of the few that stay."""
    if isinstance(error, TimeoutError):
        return "timeout: read"
    reason = why(error)[0]
    return reason if reason in AGAIN | {"protocol", "tls"} else "network"


def lost(error: Exception) -> bool:
    """The connection broke: it was closed or reset. Nobody has waited in vain for an answer."""
    return any(isinstance(cause, OSError) and not isinstance(cause, TimeoutError) for cause in _causes(error))


def _causes(error: BaseException) -> list[BaseException]:
    """An error, what it carries as argument, and what it came from, the innermost first."""
    causes = [error, *(each for each in error.args if isinstance(each, BaseException))]
    inner = error.__cause__ or error.__context__
    return (_causes(inner) if inner is not None else []) + causes[::-1]


def _reason(error: BaseException) -> str:
    if isinstance(error, BlockedAddress):
        return BLOCKED
    if isinstance(error, TooLate):
        return "dns: timeout"
    if isinstance(error, socket.gaierror):
        return "dns: temporary" if error.errno == socket.EAI_AGAIN else "dns"
    if isinstance(error, ssl.SSLCertVerificationError):
        return _BY_VERIFY_CODE.get(error.verify_code, "tls")
    if isinstance(error, ssl.SSLError | SSLError | ssl.CertificateError):
        return "tls"
    if isinstance(error, ConnectTimeoutError) and not isinstance(error, NewConnectionError):
        return "timeout: connect"
    if isinstance(error, ReadTimeoutError):
        return "timeout: read"
    if isinstance(error, http.client.RemoteDisconnected):
        return "disconnected"
    if isinstance(error, http.client.IncompleteRead):
        return "truncated"
    if isinstance(error, OSError) and not isinstance(error, HTTPError | socket.gaierror | TimeoutError):
        return _BY_ERRNO.get(error.errno or 0, "network")
    if isinstance(error, ProtocolError | http.client.HTTPException) and not error.args[1:]:
        return "protocol"
    return ""


#: X509_V_ERR_* of OpenSSL's x509_vfy.h, which the ssl module does not name.
_BY_VERIFY_CODE = {
    2: "tls: unknown issuer",
    9: "tls: not yet valid",
    10: "tls: expired",
    18: "tls: self-signed",
    19: "tls: self-signed",  # the last of the chain that the server sent
    20: "tls: unknown issuer",
    21: "tls: unknown issuer",
    62: "tls: name mismatch",
    64: "tls: name mismatch",  # the name being an address
}

_BY_ERRNO = {
    errno.ECONNREFUSED: "connection refused",
    errno.ECONNRESET: "reset",
    errno.EPIPE: "reset",
    errno.EHOSTUNREACH: "unreachable",
    errno.ENETUNREACH: "unreachable",
    errno.EHOSTDOWN: "unreachable",
    errno.ETIMEDOUT: "timeout: connect",
}
