"""Which file of a folder a URL leads to, as a server for static sites answers it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

#: Files of a directory that its URL leads to, and ends of names that clean URLs leave out.
INDEXES = ("index.html", "index.htm", "index.xhtml")
CLEAN = (".html", ".htm")

#: Ends of the names of pages.
PAGES = (".html", ".htm", ".xhtml")

#: The page that answers for all that is missing, and is no page of its own.
MISSING = "404.html"


class OutsideError(ValueError):
    """A path leads out of the folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A folder under a URL. It is crawled over http, because loopback has no certificate."""

    folder: Path
    host: str  # with a port that is not the scheme's
    path: str = "/"  # begins and ends with a slash
    scheme: str = "http"  # of the URLs that are shown

    @property
    def url(self) -> str:
        """The URL of the folder while it is crawled."""
        return f"http://{self.host}{self.path}"

    @property
    def shown(self) -> str:
        """The URL of the folder in reports."""
        return f"{self.scheme}://{self.host}{self.path}"

    def find(self, path: str) -> Path | None:
        """The file or directory of the path of a URL; None if there is none that can be read. Raises OutsideError."""
        if not path.startswith(self.path):
            return None
        names = [unquote_to_bytes(name) for name in path[len(self.path) :].split("/")]
        if any(name in (b".", b"..") or b"/" in name or b"\0" in name or b"\\" in name for name in names):
            raise OutsideError(path)
        file = self.folder.joinpath(*(name.decode(errors="surrogateescape") for name in names if name))
        try:
            return self._inside(_index(file) if not names[-1] else _named(file))
        except OSError:  # such as a name that is too long
            return None

    def file_of(self, url: str) -> Path | None:
        """The file of a URL, without its query; None: it is not of this site, or there is no such file."""
        address = url.partition("#")[0].partition("?")[0]
        if not address.startswith(self.url):
            return None
        try:
            file = self.find(self.path + address.removeprefix(self.url))
        except OutsideError:
            return None
        return file if file is not None and file.is_file() else None

    def starts(self) -> Iterator[str]:
        """The URLs of the start page and of sitemaps, if there is a start page."""
        if any((self.folder / name).is_file() for name in INDEXES):
            yield self.url
            yield from (self.url + quote(file.name) for file in sorted(self.folder.glob("sitemap*.xml")))

    def pages(self) -> Iterator[tuple[Path, str]]:
        """The HTML files with their URLs; hidden directories are left out, as servers do."""
        for file in sorted(self.folder.rglob("*")):
            names = file.relative_to(self.folder).parts
            hidden = any(name.startswith(".") for name in names)
            if file.suffix.lower() in PAGES and file.is_file() and not hidden and names != (MISSING,):
                yield file, self._url(names)

    def _url(self, names: tuple[str, ...]) -> str:
        shown = (*names[:-1], "") if names[-1] in INDEXES else names
        return self.url + "/".join(quote(name.encode(errors="surrogateescape")) for name in shown)

    def _inside(self, file: Path | None) -> Path | None:
        """A symbolic link may lead out of the folder: a server would not have that file."""
        if file is not None and not file.resolve().is_relative_to(self.folder.resolve()):
            raise OutsideError(str(file))
        return file


def _index(directory: Path) -> Path | None:
    return next((each for name in INDEXES if (each := directory / name).is_file()), None)


def _named(file: Path) -> Path | None:
    """The file, that of its clean URL, or else the directory."""
    candidates = (file, *(file.with_name(file.name + end) for end in CLEAN))
    return next((each for each in candidates if each.is_file()), file if file.is_dir() else None)
