"""The standard streams of a command."""

from __future__ import annotations

import io
import os
import sys
from typing import Any


def open_streams(*, alone: bool) -> None:
    """Open missing standard streams, of child processes too: else the first opened files would be taken for them.

    Characters that stdout cannot encode are escaped, because pages contain all alphabets. `alone`: this process does
    nothing else, so its stdout may name itself in errors.
    """
    while (spare := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(spare, True)
    os.close(spare)
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115
    if alone and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = _named(sys.stdout)
    # In locale C without UTF-8 mode, errors are "surrogateescape", which is of no use for letters.
    lossy = {"strict"} if sys.stdout.encoding == "utf-8" else {"strict", "surrogateescape"}
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in lossy:
        sys.stdout.reconfigure(errors="backslashreplace")  # as stderr


class _Stdout(io.FileIO):
    """Names itself where it cannot be written, as on a full disk: the system names no file then."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = "stdout"
            raise


def _named(stdout: io.TextIOWrapper) -> io.TextIOWrapper:
    """The same stream with a name, buffered as Python has decided: not at all with PYTHONUNBUFFERED."""
    raw = _Stdout(stdout.fileno(), "w", closefd=False)
    unbuffered = isinstance(stdout.buffer, io.RawIOBase)
    return io.TextIOWrapper(
        raw if unbuffered else io.BufferedWriter(raw),
        encoding=stdout.encoding,
        errors=stdout.errors,
        line_buffering=stdout.line_buffering,
        write_through=stdout.write_through,
    )
