"""The documentation of three Debian packages, served by nginx on loopback under three host names.

Real pages that others wrote, some 100 MB of them, and a real server: the test over real input (tests/real) and the
benchmark beside this file crawl the same sites.
"""

from __future__ import annotations

import getpass
import http.client
import json
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ADDRESS = "127.0.0.1"

#: host name -> the Debian package whose documentation it serves
PACKAGES = {
    "python.docs.test": "python3.11-doc",
    "postgresql.docs.test": "postgresql-doc-15",
    "sqlite.docs.test": "sqlite3-doc",
}


def at_once(resolve: Iterable[str]) -> list[str]:
    """The options of ttcrawl for hosts on loopback whose delays are not obeyed. `resolve`: host:port:address."""
    return ["--no-obey-delay", "--progress", "none", *(word for entry in resolve for word in ("--resolve", entry))]


class Missing(Exception):
    """A program or a package of the system that is not there; the text says what to install."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """One line of the access log."""

    ended: float  # seconds since the epoch, to the millisecond
    seconds: float  # from the first byte read to the last one sent
    host: str
    uri: str  # path and query as they were asked for
    status: int
    bytes: int  # of the body
    method: str
    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocSites:
    port: int
    roots: dict[str, Path]  # host name -> document root
    access_log: Path

    def seed(self, host: str) -> str:
        return f"http://{host}:{self.port}/"

    @property
    def seeds(self) -> list[str]:
        return [self.seed(host) for host in self.roots]

    @property
    def resolve(self) -> list[str]:
        """host:port:address, as the crawler's and curl's --resolve take it."""
        return [f"{host}:{self.port}:{ADDRESS}" for host in self.roots]

    @property
    def at_once(self) -> list[str]:
        """The options of ttcrawl by which processors are the limit of a crawl of these sites."""
        return at_once(self.resolve)

    def mark(self) -> int:
        """The end of the log now, for `log(since)`."""
        self._flush()
        return self.access_log.stat().st_size

    def log(self, since: int = 0) -> list[Logged]:
        """Every request answered since the mark, in the order of their ends."""
        self._flush()
        with self.access_log.open("rb") as file:
            file.seek(since)
            lines = [json.loads(line) for line in file]
        return [
            Logged(
                ended=float(line["ended"]),
                seconds=float(line["seconds"]),
                host=line["host"],
                uri=line["uri"],
                status=int(line["status"]),
                bytes=int(line["bytes"]),
                method=line["method"],
                agent=line["agent"],
            )
            for line in lines
            if not line["uri"].startswith("/.mark-")
        ]

    def _flush(self) -> None:
        """Ask for a page that is not there and wait until the log shows it.

        nginx writes a line after the client has its answer; its one worker writes them in order.
        """
        uri = f"/.mark-{uuid.uuid4().hex}"
        peer = http.client.HTTPConnection(ADDRESS, self.port, timeout=10)
        peer.request("GET", uri)
        peer.getresponse().read()
        peer.close()
        deadline = time.monotonic() + 10
        while uri.encode() not in self.access_log.read_bytes()[-10_000:]:
            if time.monotonic() > deadline:
                raise RuntimeError(f"nginx did not log {uri} within 10 s")
            time.sleep(0.01)


def document_root(package: str) -> Path:
    """The directory of the package's entry page: its index.html nearest the root."""
    if shutil.which("dpkg-query") is None:
        raise Missing("the documentation sites are Debian packages, and dpkg-query is not here")
    listing = subprocess.run(["dpkg-query", "--listfiles", package], capture_output=True, text=True)
    entries = [Path(line) for line in listing.stdout.splitlines() if line.endswith("/index.html")]
    entries = [entry for entry in entries if entry.is_file()]  # images of Debian may leave the files out
    if not entries:
        raise Missing(f"no documentation of {package}: apt-get install {package}")
    return min(entries, key=lambda entry: (len(entry.parts), entry)).parent


@contextmanager
def docsites() -> Iterator[DocSites]:
    """Serve the three sites until the end of the `with`. Raises Missing."""
    with serving({host: document_root(package) for host, package in PACKAGES.items()}) as sites:
        yield sites


@contextmanager
def serving(roots: dict[str, Path], header: str = "") -> Iterator[DocSites]:
    """Serve directories, each as a host, until the end of the `with`; `header`: a field and its value, to add to every
    answer. Raises Missing."""
    # Debian keeps nginx where only root's PATH leads.
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        raise Missing("no nginx: apt-get install nginx-light")
    with tempfile.TemporaryDirectory(prefix="docsites-") as folder:
        prefix = Path(folder)
        server, port = _start(program, prefix, roots, header)
        try:
            yield DocSites(port=port, roots=roots, access_log=prefix / "access.log")
        finally:
            server.terminate()
            server.wait(10)


def _start(program: str, prefix: Path, roots: dict[str, Path], header: str) -> tuple[subprocess.Popen[bytes], int]:
    for _ in range(5):  # nginx takes no port 0, and a port that was free may be taken when it starts
        with socket.socket() as probe:
            probe.bind((ADDRESS, 0))
            port = probe.getsockname()[1]
        (prefix / "nginx.conf").write_text(_configuration(port, roots, header))
        command = [program, "-p", str(prefix), "-c", "nginx.conf", "-e", "error.log"]
        # A session of its own: a Ctrl-C meant for the crawler does not end the server.
        server = subprocess.Popen(command, start_new_session=True)
        if _answers(server, port):
            return server, port
        server.kill()
        server.wait()
    raise RuntimeError("nginx does not start:\n" + (prefix / "error.log").read_text())


def _answers(server: subprocess.Popen[bytes], port: int) -> bool:
    deadline = time.monotonic() + 10
    while server.poll() is None and time.monotonic() < deadline:
        try:
            socket.create_connection((ADDRESS, port), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return True
    return False


def _configuration(port: int, roots: dict[str, Path], header: str) -> str:
    listen = f"listen {ADDRESS}:{port}"
    sites = "".join(
        f"    server {{ {listen}{'' if index else ' backlog=1024'}; server_name {host}; root {root};"
        " index index.html; }\n"
        for index, (host, root) in enumerate(roots.items())
    )
    added = f"    add_header {header} always;\n" if header else ""
    return CONFIGURATION.replace("@USER@", getpass.getuser()).replace("@SITES@", added + sites)


# The types are written out so that no file of the machine decides what counts as HTML.
CONFIGURATION = """
daemon off;
user @USER@;
worker_processes 1;
pid nginx.pid;
error_log error.log warn;
events { worker_connections 4096; }
http {
    types {
        text/html html htm;
        text/css css;
        text/plain txt py pikchr;
        text/xml xml;
        application/javascript js;
        application/json json;
        application/pdf pdf;
        application/gzip gz;
        image/png png;
        image/gif gif;
        image/jpeg jpg jpeg;
        image/svg+xml svg;
    }
    default_type application/octet-stream;
    log_format lines escape=json '{"ended":"$msec","seconds":"$request_time","host":"$host","uri":"$request_uri",'
                                 '"status":"$status","bytes":"$body_bytes_sent","method":"$request_method","agent":"$http_user_agent"}';
    access_log access.log lines;
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    sendfile on;
    tcp_nopush on;
    tcp_nodelay on;
    keepalive_requests 100000;
    keepalive_timeout 300;
    open_file_cache max=10000 inactive=300s;
    open_file_cache_valid 1s;  # files may change
@SITES@}
"""
