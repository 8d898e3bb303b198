"""JPEG: the segments up to the one that begins a frame (ITU-T T.81 annex B)."""

from __future__ import annotations

import re
import struct

#: SOF0 to SOF15 but DHT, JPG and DAC, which lie among them.
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}

#: Markers without a segment: TEM, RST0 to RST7, SOI.
ALONE = frozenset({0x01, *range(0xD0, 0xD9)})

#: What comes after the frame: end of image, start of scan.
LATE = frozenset({0xD9, 0xDA})

#: More segments than this before the frame no camera and no editor writes.
SEGMENTS = 4096

#: A marker after any number of fill bytes; possessive, or a body of fill bytes would take quadratic time.
MARKER = re.compile(rb"\xff++([^\x00])", re.DOTALL)


def size(body: bytes) -> tuple[int, int]:
    at = 2
    for _ in range(SEGMENTS):
        marker = MARKER.match(body, body.index(b"\xff", at))  # programs skip what stands between segments
        if marker is None:
            raise ValueError("no marker")
        at, kind = marker.end(), marker[1][0]
        if kind in FRAMES:
            height, width = struct.unpack_from(">HH", body, at + 3)
            return width, height
        if kind in LATE:
            break
        if kind not in ALONE:
            (length,) = struct.unpack_from(">H", body, at)
            at += max(2, length)
    raise ValueError("no frame")
