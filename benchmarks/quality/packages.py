"""Packages of Debian and npm, unpacked into a directory; none is installed."""

from __future__ import annotations

import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

CACHE = Path.home() / ".cache" / "ttcrawl-quality"


@dataclass(frozen=True, slots=True)
class Packages:
    directory: Path = CACHE

    def debian(self, name: str) -> Path:
        """The root under which the files of a Debian package are, such as `usr/share`."""
        root = self.directory / "debian" / name
        if not root.exists():
            archives = self._empty("archives")
            subprocess.run(["apt-get", "download", "-q", name], cwd=archives, check=True, stdout=subprocess.DEVNULL)
            (archive,) = archives.glob("*.deb")
            root.parent.mkdir(parents=True, exist_ok=True)
            unpacked = root.with_name(f".{name}")
            subprocess.run(["dpkg", "-x", str(archive), str(unpacked)], check=True)
            unpacked.rename(root)
        return root

    def npm(self, name: str) -> Path:
        """The directory of an npm package, `NAME@VERSION`."""
        root = self.directory / "npm" / name
        if not root.exists():
            archives = self._empty("archives")
            subprocess.run(["npm", "pack", "--silent", name], cwd=archives, check=True, stdout=subprocess.DEVNULL)
            (archive,) = archives.glob("*.tgz")
            with tarfile.open(archive) as files:
                files.extractall(root.with_name(f".{name}"), filter="data")
            root.with_name(f".{name}").rename(root)
        return root / "package"

    def _empty(self, name: str) -> Path:
        directory = self.directory / name
        directory.mkdir(parents=True, exist_ok=True)
        for path in directory.iterdir():
            path.unlink()
        return directory
