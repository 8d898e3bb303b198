"""TLS as both transports use it: the reasons for a handshake that fails, and what old servers need."""

from __future__ import annotations

import re

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

#: Its words for an alert, by its version; a few lack the word alert.
ALERT = re.compile(r"(?:(?:sslv3|ssl/tls) alert|tlsv13?(?: alert)?) ([a-z][a-z ]*[a-z])")

#: Alerts about the certificate of a client, which we have not.
CLIENT_CERTIFICATE = frozenset({"certificate required", "no certificate", "bad certificate"})


def of_tls(message: str) -> Code:
    """The reason for a handshake that failed, by the message of OpenSSL.

    >>> of_tls("error:0A000458:SSL routines::tlsv1 unrecognized name"), of_tls("dh key too small")
    ('tls: alert unrecognized name', 'tls: weak')
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


def old(minimum: str) -> bool:
    """Whether old servers are to be read."""
    return minimum < "1.2"


def ciphers(minimum: str) -> str:
    """OpenSSL's default ciphers; for old servers with the hashes and key lengths of their time."""
    return "DEFAULT:@SECLEVEL=0" if old(minimum) else "DEFAULT"
