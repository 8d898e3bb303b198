"""TLS over the ssl module: its contexts, and what ends a connection.

Python reports a TCP connection that ends without the alert close_notify (RFC 8446 section 6.1) as its end, or does not
tell it from one that was reset. The classes of a context note it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import ssl
import warnings
from typing import Any

import urllib3
from urllib3.util.ssltransport import SSLTransport

from ttcrawl.config.certificates import Certificate
from ttcrawl.fetch.tls import ciphers, old

#: SSL_OP_LEGACY_SERVER_CONNECT, which the ssl module names from 3.12 on.
LEGACY_SERVER_CONNECT = 4


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


def tls_context(*, verify: bool, minimum: str, certificate: Certificate | None = None) -> ssl.SSLContext:
    """The system's CA store (or the one in SSL_CERT_FILE) and all checks, or no checks; `minimum`: "1.2".

    `certificate`: of the client.
    """
    context = ssl.create_default_context()
    context.sslsocket_class, context.sslobject_class = Socket, Memory
    context.set_ciphers(ciphers(minimum))
    if old(minimum):
        context.options |= LEGACY_SERVER_CONNECT
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # the user chose it
        context.minimum_version = ssl.TLSVersion[f"TLSv{minimum.removesuffix('.0').replace('.', '_')}"]
    if certificate is not None:
        context.load_cert_chain(certificate.file, certificate.key or None, password=certificate.passphrase)
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)  # the user chose this
    return context
