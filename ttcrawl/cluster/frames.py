"""Messages on a connection between processes of a cluster: only those who know its secret can write one.

Each side sends a nonce first. From both nonces and the secret each direction gets a key of its own, and each frame a
code (HMAC-SHA256: RFC 2104) over its number and contents. So a frame of a stranger, of another connection or of the
other direction, and a frame that is changed, repeated, left out or moved is found, and the connection is closed. The
contents are not encrypted: a cluster belongs into a private network.
"""

from __future__ import annotations

import hmac
import os
import secrets
import stat
import struct
from pathlib import Path

import msgspec

from ttcrawl.cluster.messages import Letter
from ttcrawl.errors import UsageError

#: Bytes of a nonce.
NONCE = 16

#: Largest message, bytes: a thousand URLs of the greatest length are fewer.
LARGEST = 16 << 20

#: Fewest characters of a secret.
SHORTEST = 32

_LENGTH, _NUMBER = struct.Struct(">I"), struct.Struct(">Q")
_CODE = 32  # bytes of a code


class UntrustedError(Exception):
    """The other side does not know the secret, or the connection was tampered with."""


def new_secret(path: Path) -> None:
    """Write a new secret into a file that does not exist. Only its owner may read it."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(secrets.token_hex(32) + "\n")


def secret_of(path: Path) -> bytes:
    """Return the secret in a file. Raises UsageError if there is none, or others may read it."""
    try:
        with path.open("rb") as file:
            status, secret = os.fstat(file.fileno()), file.read(4096).strip()
    except OSError as error:
        raise UsageError(f"cannot read the secret of the cluster in {path}: {error.strerror}") from error
    if not stat.S_ISREG(status.st_mode):
        raise UsageError(f"{path} is not a regular file: the secret of the cluster must be in one")
    if status.st_mode & 0o077:
        raise UsageError(f"others may read the secret of the cluster in {path}: chmod 600 {path}")
    if len(secret) < SHORTEST:
        raise UsageError(f"the secret of the cluster in {path} has fewer than {SHORTEST} characters")
    return secret


class Connection:
    """One side of a connection: bytes in and out, without a socket. `first`: whether this side has opened it."""

    def __init__(self, secret: bytes, *, first: bool) -> None:
        self._secret, self._first = secret, first
        #: To be sent before anything else.
        self.nonce = secrets.token_bytes(NONCE)
        self._keys: tuple[bytes, bytes] | None = None  # of frames that go out, that come in
        self._sent = self._received = 0
        self._data = bytearray()

    def sealed(self, letter: Letter) -> bytes:
        """Return a letter as a frame; only after the nonce of the other side was received (`ready`)."""
        assert self._keys is not None
        payload = msgspec.msgpack.encode(letter)
        code = _code(self._keys[0], self._sent, payload)
        self._sent += 1
        return _LENGTH.pack(len(payload)) + code + payload

    @property
    def ready(self) -> bool:
        """Whether frames can be sent."""
        return self._keys is not None

    def received(self, data: bytes) -> list[Letter]:
        """Return the letters that are complete with these bytes. Raises UntrustedError: the connection is over."""
        self._data += data
        if self._keys is None and len(self._data) >= NONCE:
            self._agree(bytes(self._data[:NONCE]))
            del self._data[:NONCE]
        letters: list[Letter] = []
        while self._keys is not None and (payload := self._next(self._keys[1])) is not None:
            try:
                letters.append(msgspec.msgpack.decode(payload, type=Letter))
            except msgspec.DecodeError as error:  # another version of ttcrawl
                raise UntrustedError(f"a message that is not known: {error}") from error
        return letters

    def _agree(self, other: bytes) -> None:
        nonces = self.nonce + other if self._first else other + self.nonce
        opener, other_side = (hmac.digest(self._secret, name + nonces, "sha256") for name in (b"opener", b"answer"))
        self._keys = (opener, other_side) if self._first else (other_side, opener)

    def _next(self, key: bytes) -> bytes | None:
        """Return the contents of the next frame, None if it is not complete."""
        if len(self._data) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._data)
        if length > LARGEST:
            raise UntrustedError(f"a frame of {length:,} bytes")
        end = _LENGTH.size + _CODE + length
        if len(self._data) < end:
            return None
        code, payload = bytes(self._data[_LENGTH.size : _LENGTH.size + _CODE]), bytes(self._data[end - length : end])
        if not hmac.compare_digest(code, _code(key, self._received, payload)):
            raise UntrustedError("a frame with a wrong code: another secret, or the connection was tampered with")
        self._received += 1
        del self._data[:end]
        return payload


def _code(key: bytes, number: int, payload: bytes) -> bytes:
    return hmac.digest(key, _NUMBER.pack(number) + payload, "sha256")
