"""What a soak keeps in its directory: settings, the wrong clock, and a disk that can be full."""

from __future__ import annotations

import json
import mmap
import os
import socket
import struct
import subprocess
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

#: Bytes of the file system of the crawl; its file takes what is in it.
DISK = 24 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`delay`: seconds between two requests to most hosts; `interval`: from one visit of a page to the next."""

    hosts: int
    hostile: int
    delay: float
    interval: float
    port: int  # of all servers: it is part of every URL
    begun: float  # seconds since the epoch


def settings_in(directory: Path, hosts: int, hostile: int, delay: float, interval: float) -> Settings:
    """Those of a soak that was begun earlier, else these."""
    file = directory / "settings.json"
    if not file.exists():
        directory.mkdir(parents=True, exist_ok=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        made = Settings(hosts=hosts, hostile=hostile, delay=delay, interval=interval, port=port, begun=time.time())
        file.with_suffix(".new").write_text(json.dumps(asdict(made)))
        file.with_suffix(".new").rename(file)
    return Settings(**json.loads(file.read_text()))


class WrongClock:
    """The seconds by which the clock of commands is ahead (`clock/sitecustomize.py`)."""

    def __init__(self, file: Path) -> None:
        file.write_bytes(bytes(8))
        with open(file, "r+b") as opened:
            self._bytes = mmap.mmap(opened.fileno(), 8)
        self.environment = os.environ | {"SOAK_CLOCK": str(file), "PYTHONPATH": str(Path(__file__).parent / "clock")}

    @property
    def ahead(self) -> float:
        found: float = struct.unpack("d", self._bytes)[0]
        return found

    @ahead.setter
    def ahead(self, seconds: float) -> None:
        self._bytes[:] = struct.pack("d", seconds)


class Disk:
    """A file system in a file, mounted at `place`. Without the right to mount, a plain directory that is never full."""

    def __init__(self, directory: Path) -> None:
        self._image, self.place = directory / "disk.img", directory / "disk"
        self.place.mkdir(exist_ok=True)
        if not os.path.ismount(self.place) and not self._mounted():
            assert not self._image.exists(), f"{self._image} has the crawl, and cannot be mounted"
        self.mounted = os.path.ismount(self.place)

    def _mounted(self) -> bool:
        new = self._image.with_suffix(".new")
        if not self._image.exists():
            if any(self.place.iterdir()):
                return False  # begun without the right to mount
            with open(new, "wb") as file:
                file.truncate(DISK)
            with suppress(OSError):
                subprocess.run(["mkfs.ext4", "-q", "-F", "-m", "0", new], check=True)
        image = new if new.exists() else self._image
        done = subprocess.run(["mount", "-o", "loop", image, self.place], capture_output=True)
        if done.returncode:
            new.unlink(missing_ok=True)
            return False
        image.rename(self._image)
        return True

    def fill(self) -> None:
        size = 1 << 40
        with open(self.place / "filler", "ab") as file:
            while size >= 4096:
                try:
                    os.posix_fallocate(file.fileno(), file.seek(0, os.SEEK_END), size)
                except OSError:
                    size //= 2

    def empty(self) -> None:
        (self.place / "filler").unlink(missing_ok=True)

    def close(self) -> None:
        if self.mounted:
            subprocess.run(["umount", "--lazy", self.place], check=True)
