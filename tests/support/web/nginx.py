"""nginx over TLS on loopback: a real server for what the programmable web does not speak."""

from __future__ import annotations

import contextlib
import getpass
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

ADDRESS = "127.0.0.1"

PROGRAM = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")

CONFIGURATION = """
daemon off;
user {user};
worker_processes 1;
pid nginx.pid;
error_log error.log warn;
events {{ worker_connections 512; }}
http {{
    types {{ text/html html; }}
    default_type application/octet-stream;
    log_format protocols "$server_protocol $connection $request_method $request_uri $status";
    access_log access.log protocols;
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    server {{
        listen {address}:{port} ssl {protocol};
        ssl_certificate {certificate};
        ssl_certificate_key {certificate};
        root {root};
        {directives}
    }}
}}
"""


@contextlib.contextmanager
def nginx(folder: Path, certificate: Path, directives: str = "", protocol: str = "http2") -> Iterator[int]:
    """Serve the folder `root` within `folder` until the end of the block; gives its port. `folder` gets access.log."""
    (folder / "root").mkdir(exist_ok=True)
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        port = probe.getsockname()[1]
    text = CONFIGURATION.format(
        user=getpass.getuser(),
        address=ADDRESS,
        port=port,
        protocol=protocol,
        certificate=certificate,
        root=folder / "root",
        directives=directives,
    )
    (folder / "nginx.conf").write_text(text)
    server = subprocess.Popen([str(PROGRAM), "-p", str(folder), "-c", "nginx.conf", "-e", "error.log"])
    try:
        _wait(server, port, folder)
        yield port
    finally:
        server.terminate()
        server.wait(10)


def _wait(server: subprocess.Popen[bytes], port: int, folder: Path) -> None:
    deadline = time.monotonic() + 10
    while server.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            socket.create_connection((ADDRESS, port), 1).close()
            return
        time.sleep(0.02)
    raise RuntimeError("nginx does not start:\n" + (folder / "error.log").read_text())


def requests(folder: Path, number: int) -> list[tuple[str, str, str, str, str]]:
    """(Protocol, connection, method, path, status) of each request, once there are this many."""
    deadline = time.monotonic() + 10
    while len(lines := (folder / "access.log").read_text().splitlines()) < number and time.monotonic() < deadline:
        time.sleep(0.02)
    return [tuple(line.split()) for line in lines]  # type: ignore[misc]
