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
            archive = self._load(["apt-get", "download", "-q", name])
            root.parent.mkdir(parents=True, exist_ok=True)
            unpacked = root.with_name(f".{name}")
            subprocess.run(["dpkg", "-x", str(archive), str(unpacked)], check=True)
            unpacked.rename(root)
        return root

    def npm(self, name: str) -> Path:
        """The directory of an npm package, `NAME@VERSION`."""
        root = self.directory / "npm" / name
        if not root.exists():
            archive = self._load(["npm", "pack", "--silent", name])
            with tarfile.open(archive) as files:
                files.extractall(root.with_name(f".{name}"), filter="data")
            root.with_name(f".{name}").rename(root)
        return root / "package"

    def _load(self, command: list[str]) -> Path:
        """The archive that a program loads into an empty directory."""
        archives = self.directory / "archives"
        archives.mkdir(parents=True, exist_ok=True)
        for path in archives.iterdir():
            path.unlink()
        try:
            subprocess.run(command, cwd=archives, check=True, stdout=subprocess.DEVNULL)
        except (OSError, subprocess.CalledProcessError) as error:
            raise SystemExit(f"{error}\nthe packages are those of Debian 12 and npm") from None
        (archive,) = archives.iterdir()
        return archive
