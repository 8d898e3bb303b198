"""Reasons for a failed attempt, from libcurl's error codes."""

from __future__ import annotations

import os
import re
import ssl

import pycurl

from ttcrawl.fetch.head import HeadLimits
from ttcrawl.fetch.reasons import BY_ERRNO, BY_VERIFY_CODE, AttemptFailed, NotReadable, TooLargeHead, Unclosed
from ttcrawl.fetch.tls import after_handshake, of_tls
from ttcrawl.vocabulary.reason import (
    DISCONNECTED,
    NETWORK,
    PROTOCOL,
    RESET,
    TIMEOUT_CONNECT,
    TIMEOUT_READ,
    TLS,
    TRUNCATED,
    Code,
)

#: Limits of libcurl that no option changes: bytes of one header line, lines of a head.
LONGEST_HEADER, MOST_HEADERS = 100 << 10, 5000

#: CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2_STREAM and CURLE_TOO_LARGE, for which pycurl has no names, or an old one.
WEIRD_REPLY, HTTP2_STREAM, TOO_LARGE_HEAD = 8, 92, 100

#: Its message for a certificate, with OpenSSL's number.
VERIFIED = re.compile(r"verify result: .*\(\d+\)")

#: libcurl answers these to what it does not read as HTTP/1, and urllib3 may.
UNREADABLE = frozenset((pycurl.E_UNSUPPORTED_PROTOCOL, WEIRD_REPLY, pycurl.E_URL_MALFORMAT))

#: Errors of a connection that is lost.
LOST = frozenset((pycurl.E_SEND_ERROR, pycurl.E_RECV_ERROR, pycurl.E_GOT_NOTHING))

#: Its message for a stream of HTTP/2 that the server has reset.
STREAM_RESET = "reset by server"

#: nghttp2's message for a header that HTTP/2 forbids. libcurl has another code for it where the server has closed the
#: connection before it could be told.
INVALID_FIELD = "Invalid HTTP header field"

#: OpenSSL's message where the server closed TCP without ending TLS.
UNCLOSED = "unexpected eof while reading"

#: libcurl's message for a Content-Length that is not a number, or two of them.
INVALID_LENGTH = "Invalid Content-Length"

#: It overrides any Content-Length (RFC 9112 section 6.3).
TRANSFER_ENCODING = re.compile(rb"(?im)^Transfer-Encoding:")

#: Its messages for a chunk size that is not a number, or too long.
INVALID_CHUNK = ("chunk hex", "invalid chunk size")

CODES = {
    pycurl.E_GOT_NOTHING: DISCONNECTED,
    pycurl.E_HTTP2: PROTOCOL,
    HTTP2_STREAM: PROTOCOL,
}

#: Its codes for a handshake that failed.
HANDSHAKE = frozenset((pycurl.E_SSL_CONNECT_ERROR, pycurl.E_SSL_CACERT, pycurl.E_SSL_CERTPROBLEM))

#: The texts with which libcurl reports an error of the system.
TEXTS = {os.strerror(number): reason for number, reason in BY_ERRNO.items()}


def timeout(*, connected: bool, seconds: float) -> AttemptFailed:
    if connected:
        return AttemptFailed(TIMEOUT_READ, f"no byte for {seconds:g} s")
    return AttemptFailed(TIMEOUT_CONNECT, f"not connected after {seconds:g} s")


def failure(curl: pycurl.Curl, number: int, message: str, limits: HeadLimits, lines: bytes = b"") -> Exception:
    """The exception for an error of libcurl; `lines`: of the head, as far as they were received."""
    if number == TOO_LARGE_HEAD:
        if limits.size > LONGEST_HEADER or limits.lines > MOST_HEADERS:
            return NotReadable(message)
        return TooLargeHead(f"more than {limits.size:,} bytes or {limits.lines:,} lines")
    if number == WEIRD_REPLY and message.startswith(INVALID_LENGTH) and not TRANSFER_ENCODING.search(lines):
        return AttemptFailed(PROTOCOL, message)  # RFC 9112 section 6.3: such an answer is discarded
    if number == pycurl.E_SSL_CACERT and not VERIFIED.search(message):
        return NotReadable(message, TLS)  # libcurl checks the name first, and leaves open whether the issuer is known
    if number in UNREADABLE:
        return NotReadable(message)
    if UNCLOSED in message:
        return Unclosed(message)
    return AttemptFailed(_reason(curl, number, message), message or f"error {number} of libcurl")


def _reason(curl: pycurl.Curl, number: int, message: str) -> Code:
    if number == pycurl.E_PARTIAL_FILE:
        return TRUNCATED  # whatever else it reports about a connection that the server has closed
    if number == HTTP2_STREAM and STREAM_RESET in message:
        return RESET
    if message.startswith(INVALID_FIELD):
        return PROTOCOL
    for text, reason in TEXTS.items():
        if text in message:
            return reason
    if number == pycurl.E_SSL_CACERT:
        return BY_VERIFY_CODE.get(curl.getinfo(pycurl.SSL_VERIFYRESULT), TLS)
    if number == pycurl.E_COULDNT_CONNECT:
        return BY_ERRNO.get(curl.getinfo(pycurl.OS_ERRNO), NETWORK)
    if message.startswith(INVALID_CHUNK):
        return TRUNCATED
    if number in HANDSHAKE:
        return of_tls(message)
    if "SSL" in message:
        return after_handshake(of_tls(message), answered=False)
    return CODES.get(number, NETWORK)


def authorities() -> tuple[str | None, str | None]:
    """The file and the directory with the certificates that the system, or SSL_CERT_FILE, trusts."""
    paths = ssl.get_default_verify_paths()
    return paths.cafile, None if paths.cafile else paths.capath
