"""Files that are compressed because of their names: .gz and .zst."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from isal import isal_zlib

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

#: gzip: near the size of zlib's level 6 in a quarter of its time. zstd: its default.
GZIP_LEVEL, ZSTD_LEVEL = 3, 3

#: The window bits of zlib that mean gzip, without a name and with the date 0, so that equal data give equal files.
_GZIP = 31

#: End of the name -> makes an object with `compress` and `flush`.
COMPRESSORS: Mapping[str, Callable[[], Any]] = {
    ".gz": lambda: isal_zlib.compressobj(GZIP_LEVEL, isal_zlib.DEFLATED, _GZIP),
    ".zst": lambda: zstd.ZstdCompressor(ZSTD_LEVEL),
}


class Compressed:
    """Compresses what is written into a file, up to `finish`."""

    def __init__(self, file: BinaryIO, compressor: Any) -> None:
        self._file, self._compressor = file, compressor

    def write(self, data: bytes) -> int:
        self._file.write(self._compressor.compress(data))
        return len(data)

    def writelines(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """For libraries that write into it: data stay in the compressor until `finish`."""

    def finish(self) -> None:
        self._file.write(self._compressor.flush())


@contextmanager
def compressed(file: BinaryIO, path: Path | None) -> Iterator[BinaryIO | Compressed]:
    """The file, or what compresses into it because of the name of `path`."""
    make = COMPRESSORS.get(path.suffix) if path is not None else None
    if make is None:
        yield file
        return
    packed = Compressed(file, make())
    yield packed
    packed.finish()
