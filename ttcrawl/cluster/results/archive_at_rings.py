"""WARC files on the machines of a Ray cluster, read where they are by URL: ray://HOST:PORT/RING/DIR/warc/NAME."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from msgspec import msgpack

from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.store import objects
from ttcrawl.store.archive_objects import read_at

#: The scheme of the URLs.
SCHEME = "ray"


def url_of(address: str, ring: int, warc: Path, file: str) -> str:
    """Return the URL of a file in the directory `warc` of a ring. `address` of the cluster's head: HOST:PORT.

    >>> url_of("10.77.0.1:6379", 2, Path("/srv/news/ring-2/warc"), "a.warc.gz")
    'ray://10.77.0.1:6379/2/srv/news/ring-2/warc/a.warc.gz'
    """
    return f"{SCHEME}://{address}/{ring}{quote(str(warc / file))}"


def read_by_url() -> None:
    """Let this process read such URLs."""
    objects.readers[SCHEME] = _read


def _read(url: str, offset: int, length: int) -> bytes:
    """Return bytes of a file. Raises OSError."""
    from ttcrawl.cluster.on_ray import called  # takes a second

    parts = urlsplit(url)
    _, ring, path = unquote(parts.path).split("/", 2)
    file = Path("/", path)
    try:
        argument = msgpack.encode((file.name, offset, length))
        [(_, data)] = called(parts.netloc, {int(ring): file.parent.parent}, read_at_ring, argument)
    except (UsageError, CrawlFailedError) as error:
        raise OSError(f"{url}: {error}") from error
    return data


def read_at_ring(ring: Path, argument: bytes) -> bytes:
    """Return bytes of a WARC file of a ring. Raises OSError."""
    file, offset, length = msgpack.decode(argument, type=tuple[str, int, int])
    return read_at(ring / "warc", file, offset, length)
