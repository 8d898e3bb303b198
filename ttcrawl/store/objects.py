"""Files in object storage by URL, s3://BUCKET/NAME or gs://BUCKET/NAME, or in a directory, file:///DIR/NAME.

pyarrow reads and writes them. It takes credentials from the environment or from the files of the cloud's own tools, as
they do; they do not belong into a URL, which is stored. `?endpoint_override=HOST:PORT&scheme=http` behind a URL names a
server of one's own; so do AWS_ENDPOINT_URL_S3 and AWS_ENDPOINT_URL, which pyarrow does not read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from ttcrawl.errors import UsageError, require

SCHEMES = ("s3", "gs", "file")

#: Bytes that are copied at a time.
PIECE = 8 << 20

#: The end of the name of a file in a directory until it is complete.
PART = ".part"

#: Scheme -> what reads bytes of a file there: (URL, offset, length). A command adds those that this module has not.
readers: dict[str, Callable[[str, int, int], bytes]] = {}

_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
_REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION")


def is_url(text: str) -> bool:
    """Whether this names object storage, and not a path."""
    return text.partition("://")[0] in SCHEMES and "://" in text


def check(url: str) -> None:
    """Raises UsageError if this is not the URL of a place for files, or if pyarrow is missing."""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or (not parts.path.strip("/") if parts.scheme == "file" else not parts.netloc):
        raise UsageError(
            f"{url!r} names no place for files: write s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or file:///DIR"
        )
    if "@" in parts.netloc or "secret" in parts.query:
        raise UsageError(
            f"the URL of {parts.scheme}://{parts.netloc.rpartition('@')[2]} has credentials, and would be stored with"
            " them: put them into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or into ~/.aws/credentials"
        )
    require("pyarrow", extra="s3")


def joined(root: str, name: str) -> str:
    """Return the URL of a file below another URL.

    >>> joined("s3://bucket/crawls/?region=eu-west-1", "a.warc.gz")
    's3://bucket/crawls/a.warc.gz?region=eu-west-1'
    """
    parts = urlsplit(root)
    return parts._replace(path=f"{parts.path.rstrip('/')}/{name}").geturl()


def write(url: str, source: Path, size: int, go_on: Callable[[], bool] = lambda: True) -> bool:
    """Write the first `size` bytes of a file; an object of this name is replaced once all are there. Return False if
    `go_on` ended it.

    Raises OSError.
    """
    files, path = _place(url)
    is_local = urlsplit(url).scheme == "file"
    begun = path + PART if is_local else path  # object storage shows nothing before it is complete
    if is_local:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    left = size
    with open(source, "rb") as file, files.open_output_stream(begun, compression=None) as out:
        while left and go_on() and (piece := file.read(min(left, PIECE))):
            out.write(piece)
            left -= len(piece)
    if left and not go_on():
        return False
    if (there := files.get_file_info(begun).size) != size:
        raise OSError(f"{url} has {there} bytes instead of {size}")
    if is_local:
        os.replace(begun, path)
        _sync(Path(path))
    return True


def read(url: str, offset: int, length: int) -> bytes:
    """Return bytes of a file: a ranged read. Raises OSError."""
    if reader := readers.get(urlsplit(url).scheme):
        return reader(url, offset, length)
    files, path = _place(url)
    with files.open_input_file(path) as file:
        data: bytes = file.read_at(length, offset)
        return data


def copy(url: str, target: Path) -> None:
    """Write all of a file into a file on this disk, and sync it. Raises OSError."""
    with open(target, "wb") as out:
        for piece in _pieces(url):
            out.write(piece)
        out.flush()
        os.fsync(out.fileno())


def _pieces(url: str) -> Iterator[bytes]:
    if reader := readers.get(urlsplit(url).scheme):
        offset = 0
        while piece := reader(url, offset, PIECE):
            yield piece
            offset += len(piece)
        return
    files, path = _place(url)
    with files.open_input_stream(path, compression=None) as source:
        while piece := source.read(PIECE):
            yield piece


def delete(url: str) -> None:
    """Delete a file, if it is there. Raises OSError."""
    files, path = _place(url)
    if files.get_file_info(path).is_file:
        files.delete_file(path)


def _place(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and its path there."""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES:
        raise OSError(f"{url} is on a machine of a cluster: name the directory of the cluster to read it")
    if parts.scheme == "file":
        return _file_system("file", "", ""), parts.path
    return _file_system(parts.scheme, parts.netloc, _query(parts.scheme, parts.query)), f"{parts.netloc}{parts.path}"


def _query(scheme: str, query: str) -> str:
    """Return the query of a URL with what the environment says of the server, if the URL does not."""
    endpoint = next(filter(None, map(os.environ.get, _ENDPOINTS)), "")
    if scheme != "s3" or "endpoint_override" in query or not endpoint:
        return query
    asked = dict(parse_qsl(query))
    named = urlsplit(endpoint if "://" in endpoint else f"https://{endpoint}")
    region = next(filter(None, map(os.environ.get, _REGIONS)), "us-east-1")
    return urlencode({"region": region, "scheme": named.scheme, "endpoint_override": named.netloc} | asked)


@lru_cache
def _file_system(scheme: str, bucket: str, query: str) -> Any:
    """A connection, which is kept: without a region in the URL, pyarrow requests where the bucket is.

    Raises OSError, also for a query that pyarrow does not know, or a scheme that it was built without.
    """
    require("pyarrow", extra="s3")
    from pyarrow.fs import FileSystem, LocalFileSystem

    if scheme == "file":
        return LocalFileSystem()
    try:
        files, _ = FileSystem.from_uri(f"{scheme}://{bucket}{'?' if query else ''}{query}")
    except (ValueError, NotImplementedError) as error:
        raise OSError(f"{scheme}://{bucket} cannot be used: {error}") from error
    return files


def _sync(path: Path) -> None:
    """Let a file survive a power failure, because its source will be deleted."""
    for each in (path, path.parent):
        number = os.open(each, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
