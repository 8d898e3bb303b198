"""The crawl of a folder: which files it has reached, and which file each problem is in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from ttcrawl.inspect.check import certificates
from ttcrawl.inspect.check.folder.mount import CLEAN, Mount
from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages import files, hosts, transport
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.check_db import NAME, open_check
from ttcrawl.store.database import StoreError
from ttcrawl.store.regular import is_regular
from ttcrawl.vocabulary.state import FETCHED
from ttcrawl.web.url import host

#: Kinds that are decided by the server of a site: its headers, its types, and whether it has a certificate.
OF_SERVER = frozenset((*hosts.KINDS, *transport.KINDS, files.UNCACHED, files.WRONG_TYPE, certificates.KIND))


def mount_in(directory: Path) -> Mount | None:
    """The folder that a crawl is of; None if it is of a site, or cannot be told. Raises UsageError for a link."""
    if not is_regular(directory / NAME):
        return None
    try:
        with closing(open_check(directory / NAME)) as db:
            row = db.execute("SELECT path, url FROM folder").fetchone()
    except (OSError, StoreError):  # such as a crawl that can only be read
        return None
    if row is None:
        return None
    folder, url = row
    scheme, _, rest = url.partition("://")
    return Mount(folder=Path(folder), host=host(url), path="/" + rest.partition("/")[2], scheme=scheme)


def unvisited(db: View, mount: Mount) -> list[str]:
    """The URLs of the pages that no link has led to, with or without .html as the links to the others have it."""
    urls = [url for (url,) in db.execute(f"SELECT url FROM url WHERE state = '{FETCHED}'")]
    by_url = {url: file for url in urls if (file := mount.file_of(url))}
    clean = any(file.suffix in CLEAN and not url.endswith(("/", file.suffix)) for url, file in by_url.items())
    visited = set(by_url.values())
    rest = (url for file, url in mount.pages() if file not in visited)
    return [_without_end(url) for url in rest] if clean else list(rest)


def _without_end(url: str) -> str:
    return next((url.removesuffix(end) for end in CLEAN if url.endswith(end)), url)


def in_files(problems: Iterable[Problem], mount: Mount) -> Iterator[Problem]:
    """The problems with their files, and with the URLs that the site will have."""
    for each in problems:
        file = mount.file_of(each.page)
        urls = {name: getattr(each, name).replace(mount.url, mount.shown) for name in ("url", "source", "detail")}
        yield replace(each, **urls, file=str(file) if file else "")


def as_crawled(problem: Problem, mount: Mount | None) -> Problem:
    """A problem with the URLs that the folder had while it was crawled."""
    if mount is None:
        return problem
    urls = {name: getattr(problem, name).replace(mount.shown, mount.url) for name in ("url", "source")}
    return replace(problem, **urls)
