"""The libraries that undo a compression, all used in one way: data in, pieces of bounded length out.

zlib is Python's own. brotli 1.2 is the first of its versions that can be told to stop. Of the zstd libraries this is
the one that can (max_length), that says whether a frame has ended, and that is part of Python from 3.14 on.
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

#: What is raised over data that is not what it should be.
BROKEN = (zlib.error, brotli.error, zstd.ZstdError)

#: RFC 9659 section 3: a window of 8 MB is all that may be asked of a reader of HTTP.
ZSTD_WINDOW: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 23}


class Member(Protocol):
    """One compressed stream. Its methods raise what is in BROKEN."""

    ended: bool
    rest: bytes  # when it has ended: what of the data came behind it

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What `data` gives; to be read to its end before the next data. A piece may be empty."""
        ...


class Inflate:
    """gzip, zlib or bare deflate, by `window` as zlib names it."""

    def __init__(self, window: int, piece: int) -> None:
        self._stream = zlib.decompressobj(window)
        self._piece = piece
        self.ended, self.rest = False, b""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        yield self._stream.decompress(data, self._piece)
        while not self._stream.eof:
            # all data may be taken and not all of what it gives be given
            piece = self._stream.decompress(self._stream.unconsumed_tail, self._piece)
            if not piece and not self._stream.eof:
                return
            yield piece
        self.ended, self.rest = True, self._stream.unused_data


class Brotli:
    """RFC 7932. Nothing may come behind it. Its pieces may be some times as long as asked for."""

    def __init__(self, piece: int) -> None:
        self._stream = brotli.Decompressor()
        self._piece = piece
        self.ended, self.rest = False, b""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        piece = self._stream.process(data, output_buffer_limit=self._piece)
        yield piece
        # That it can accept more data does not mean that it gave all there was: the decoder holds up to a window of
        # output back. Only a call that gives nothing says so (google/brotli, pull request 1234).
        while not self._stream.is_finished() and (piece or not self._stream.can_accept_more_data()):
            piece = self._stream.process(b"", output_buffer_limit=self._piece)
            yield piece
        self.ended = self._stream.is_finished()


class Zstd:
    """One frame of RFC 8878."""

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
