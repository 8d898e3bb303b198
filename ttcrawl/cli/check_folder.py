"""`ttcrawl check FOLDER`: the folder is served on loopback while it is crawled, under the URL that it will have."""

from __future__ import annotations

import argparse
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from ttcrawl.cli.configuration import read_for
from ttcrawl.cli.crawling import of_requests
from ttcrawl.config import Config, Line
from ttcrawl.errors import UsageError
from ttcrawl.inspect.check.folder.answers import FolderAnswers
from ttcrawl.inspect.check.folder.mount import Mount
from ttcrawl.inspect.check.folder.served import mount_in, unvisited
from ttcrawl.ring import fork_server
from ttcrawl.store.check_db import NAME, open_check
from ttcrawl.store.deletions import MADE_AGAIN
from ttcrawl.store.regular import is_there
from ttcrawl.store.stopped import DATABASE, OURS, stopped
from ttcrawl.vocabulary.kind import KINDS
from ttcrawl.web.url import canonical, host

#: The URL of a folder that has none: RFC 6761 keeps this domain from everybody.
NOWHERE = "http://site.test/"

#: Kinds of links that name a page for programs, and lead to no file: they are recorded, or by default (URLs in plain
#: text, for which Python would have to read every page) not even that.
RECORDED = "json-ld"
NO_FILES = frozenset({RECORDED, "text"})

#: How a folder differs from a site: it has no other hosts, nobody to be polite to, and all files are its own.
SETTINGS: dict[str, object] = {
    "politeness.obey_delay": False,
    "scope.extensions": "",
    "url.index_pages": "index.html index.htm",
    "links.kinds": " ".join(kind.name for kind in KINDS if kind.name not in NO_FILES),
    "links.recorded": RECORDED,
}


def mount_of(folder: Path, url: str) -> Mount:
    """The folder under its URL. Raises UsageError."""
    address = canonical(url)
    if address is None or "?" in address:
        raise UsageError(f"--as {url}: write the URL of the folder, such as https://site.example/docs/")
    scheme, _, rest = address.partition("://")
    path = rest.partition("/")[2].strip("/")
    return Mount(folder=folder, host=host(address), path=f"/{path}/" if path else "/", scheme=scheme)


def crawled_folder(args: argparse.Namespace, folder: Path) -> Path:
    """Crawl the folder into a directory of its own, from its start page, then from all pages that no link leads to."""
    from ttcrawl.demo.server import Server

    mount = mount_of(folder, args.mounted or NOWHERE)
    directory = args.directory or Path(f"crawl-{folder.resolve().name}")
    if directory.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"{directory} would be among the files of {folder}: name a directory outside of it with -d")
    user = read_for(args, of_requests(args))
    fork_server.prepare(fetch_first=True)
    _make_room(directory, mount)
    with Server(FolderAnswers(mount=mount)) as server:
        config = _settings(user, mount, server.port)
        _crawl(directory, mount, config, args)
    from ttcrawl.engine.run.directory import write_config

    write_config(directory, replace(config, fetch=user.fetch, politeness=user.politeness))  # the server has gone
    return directory


def _settings(user: Config, mount: Mount, port: int) -> Config:
    """A proxy receives requests for any host, so the site needs no name, port or certificate of its own."""
    https = {"url.aliases": f"{user.url.aliases} https://{mount.host}=http://{mount.host}".strip()}
    scope = {"scope.scope": "host" if mount.path == "/" else "directory"}
    through = {"fetch.proxy": f"http://127.0.0.1:{port}", "fetch.resolve": ""}
    return user.changed(SETTINGS | scope | through | (https if mount.scheme == "https" else {}))


def _crawl(directory: Path, mount: Mount, config: Config, args: argparse.Namespace) -> None:
    from ttcrawl.engine.run.changes import Changes
    from ttcrawl.engine.run.job import Job
    from ttcrawl.engine.run.session import begin, resume
    from ttcrawl.snapshot.snapshot import view

    seeds = tuple(mount.starts()) or tuple(url for _, url in mount.pages())
    job = Job(seeds=seeds, directory=directory, config=config, progress=args.progress, permitted=frozenset())
    begin(replace(job, temporary=True))  # without its server, nobody can continue it
    with view(directory) as db:
        rest = unvisited(db, mount) if db.settings.get("finished") == "done" else []
    if rest:
        resume(directory, Changes(seeds=[Line(text=url) for url in rest]), args.progress, inline=False)


def _make_room(directory: Path, mount: Mount) -> None:
    """Remove the crawl of the last check of the same folder; its problems and external URLs are kept.

    Raises UsageError if there is another crawl.
    """
    if is_there(directory / "crawl.db"):
        earlier = mount_in(directory)
        if earlier is None or earlier.folder.resolve() != mount.folder.resolve():
            raise UsageError(f"{directory} contains another crawl: name a directory for the check of a folder with -d")
        with stopped(directory):
            again = (name for name in MADE_AGAIN if not name.startswith(NAME))
            for name in (*OURS, *again, "report.txt", *reversed(DATABASE)):  # without crawl.db it is no crawl
                _remove(directory / name)
    directory.mkdir(parents=True, exist_ok=True)
    with closing(open_check(directory / NAME)) as db:
        db.execute("DELETE FROM folder")
        db.execute("INSERT INTO folder VALUES (?, ?)", (str(mount.folder), mount.shown))


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
