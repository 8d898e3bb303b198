"""TLS as both transports use it: what ends a connection, and the reasons for a handshake that fails.

Python reports a TCP connection that ends without the alert close_notify (RFC 8446 section 6.1) as its end, or does not
tell it from one that was reset. The classes of a context note it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import ssl
import warnings
from typing import Any

import urllib3
from urllib3.util.ssltransport import SSLTransport

from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import (
    RESET,
    TLS,
    TLS_ALERT,
    TLS_CLIENT_CERTIFICATE,
    TLS_OTHER_PROTOCOL,
    TLS_VERSION,
    TLS_WEAK,
    Code,
    family,
    filled,
)

#: OpenSSL's words for what a server sends that does not speak TLS, and for versions that we or the server refuse.
OTHER_PROTOCOL = ("wrong version number", "http request", "https proxy request", "packet length too long")
VERSION = ("unsupported protocol", "alert protocol version", "no protocols available", "wrong ssl version")

#: Its words for a server from before RFC 5746, and for those and for keys and hashes that are too weak.
LEGACY = "unsafe legacy renegotiation"
WEAK = ("key too small", "md too weak", "legacy sigalg", LEGACY)

#: SSL_OP_LEGACY_SERVER_CONNECT, which the ssl module names from 3.12 on.
LEGACY_SERVER_CONNECT = 4

#: Its words for an alert, by its version; a few lack the word alert.
ALERT = re.compile(r"(?:(?:sslv3|ssl/tls) alert|tlsv13?(?: alert)?) ([a-z][a-z ]*[a-z])")

#: Alerts about the certificate of a client, which we have not.
CLIENT_CERTIFICATE = frozenset({"certificate required", "no certificate", "bad certificate"})


def of_tls(message: str) -> Code:
    """The reason for a handshake that failed, by the message of OpenSSL.

    >>> of_tls("error:0A000458:SSL routines::tlsv1 unrecognized name"), of_tls("dh key too small")
    ('tls: alert unrecognized name', 'tls')
    """
    if any(words in message for words in VERSION):
        return TLS_VERSION
    if any(words in message for words in WEAK):
        return TLS_WEAK
    if match := ALERT.search(message):
        return TLS_CLIENT_CERTIFICATE if match[1] in CLIENT_CERTIFICATE else filled(TLS_ALERT, match[1])
    return TLS_OTHER_PROTOCOL if any(words in message for words in OTHER_PROTOCOL) else TLS


def after_handshake(reason: Code, *, answered: bool) -> Code:
    """The reason for an error of TLS after the handshake; `answered`: a part of the response was received.

    In TLS 1.3 the client ends the handshake first: until the server answers, its alert may be about the handshake.
    """
    broken = answered or reason in (TLS, TLS_OTHER_PROTOCOL)
    return RESET if broken and family(reason) is Family.TLS else reason


class Socket(ssl.SSLSocket):
    """Notes whether the other side closed TCP without ending TLS."""

    unclosed = False

    def read(self, len: int = 1024, buffer: Any = None) -> Any:
        self.suppress_ragged_eofs = False  # or it would report the end of the data
        reset = False
        try:
            return super().read(len, buffer)
        except ssl.SSLEOFError as error:
            # before 3.13 Python does not tell a reset from the end (gh-115627)
            reset = ssl.OPENSSL_VERSION_INFO >= (3,) and not (error.reason or self.unclosed)
        if reset:
            raise ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))
        self.unclosed = True
        return b"" if buffer is None else 0

    def send(self, data: Any, flags: int = 0) -> int:
        with contextlib.suppress(ssl.SSLEOFError):
            return super().send(data, flags)
        raise ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))


class Memory(ssl.SSLObject):
    """The same for TLS within the TLS of a proxy."""

    unclosed = False

    def read(self, len: int = 1024, buffer: Any = None) -> Any:
        try:
            return super().read(len, buffer)
        except ssl.SSLEOFError:
            self.unclosed = True
            raise


def is_unclosed(connection: Any) -> bool:
    """Whether the other side of a connection closed TCP without ending TLS."""
    ended = connection.sslobj if isinstance(connection, SSLTransport) else connection
    return isinstance(ended, Socket | Memory) and ended.unclosed


def tls_context(*, verify: bool, minimum: str) -> ssl.SSLContext:
    """The system's CA store (or the one in SSL_CERT_FILE) and all checks, or no checks; `minimum`: "1.2"."""
    context = ssl.create_default_context()
    context.sslsocket_class, context.sslobject_class = Socket, Memory
    context.set_ciphers(ciphers(minimum))
    if old(minimum):
        context.options |= LEGACY_SERVER_CONNECT
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # the user chose it
        context.minimum_version = ssl.TLSVersion[f"TLSv{minimum.removesuffix('.0').replace('.', '_')}"]
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)  # the user chose this
    return context


def old(minimum: str) -> bool:
    """Whether old servers are to be read."""
    return minimum < "1.2"


def ciphers(minimum: str) -> str:
    """OpenSSL's default ciphers; for old servers with the hashes and key lengths of their time."""
    return "DEFAULT:@SECLEVEL=0" if old(minimum) else "DEFAULT"
