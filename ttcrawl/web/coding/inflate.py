"""The decompression libraries behind one interface: data in, pieces of bounded length out.

zlib is part of Python. brotli 1.2 is its first version with an output limit. Among the zstd libraries, this one has an
output limit (max_length), reports whether a frame has ended, and is part of Python from 3.14 on.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from typing import Protocol

import brotli

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

#: The exceptions for invalid data.
BROKEN = (zlib.error, brotli.error, zstd.ZstdError)

#: RFC 9659 section 3: an HTTP client need not support a window of more than 8 MB.
ZSTD_WINDOW: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 23}


class Member(Protocol):
    """One compressed stream. Its methods raise the exceptions in BROKEN."""

    ended: bool
    rest: bytes  # when it has ended: the data after its end

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """The output for `data`; read it to the end before you pass the next data. A piece may be empty."""
        ...


class Inflate:
    """gzip, zlib or raw deflate, chosen by `window` as in zlib."""

    def __init__(self, window: int, piece: int) -> None:
        self._stream = zlib.decompressobj(window)
        self._piece = piece
        self.ended, self.rest = False, b""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        yield self._stream.decompress(data, self._piece)
        while not self._stream.eof:
            # the input may be consumed before all output is returned
            piece = self._stream.decompress(self._stream.unconsumed_tail, self._piece)
            if not piece and not self._stream.eof:
                return
            yield piece
        self.ended, self.rest = True, self._stream.unused_data


class Brotli:
    """RFC 7932. It accepts no data after its end. Its pieces may be several times longer than requested."""

    def __init__(self, piece: int) -> None:
        self._stream = brotli.Decompressor()
        self._piece = piece
        self.ended, self.rest = False, b""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        piece = self._stream.process(data, output_buffer_limit=self._piece)
        yield piece
        # can_accept_more_data() does not mean that all output was returned: the decoder keeps up to a window of output.
        # Only a call without output proves it (google/brotli, pull request 1234).
        while not self._stream.is_finished() and (piece or not self._stream.can_accept_more_data()):
            piece = self._stream.process(b"", output_buffer_limit=self._piece)
            yield piece
        self.ended = self._stream.is_finished()


class Zstd:
    """One frame (RFC 8878)."""

    def __init__(self, piece: int) -> None:
        self._stream = zstd.ZstdDecompressor(options=ZSTD_WINDOW)
        self._piece = piece
        self.ended, self.rest = False, b""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        yield self._stream.decompress(data, self._piece)
        while not self._stream.eof and not self._stream.needs_input:
            yield self._stream.decompress(b"", self._piece)
        if self._stream.eof:
            self.ended, self.rest = True, self._stream.unused_data
