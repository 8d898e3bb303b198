"""The agent of a machine: it runs the command that comes over a connection, with that connection as a last argument.

    python -m tests.cluster.machines.agent

The request is one line of JSON: the command, the directory of the cluster and the files that belong there first, and
the name of the file beside that directory for what the command writes to stderr.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from tests.cluster.machines.wire import PORT, fail_fast


def line_of(connection: socket.socket) -> bytes:
    """Return the first line, and nothing that follows: that is for the command."""
    line = bytearray()
    while not line.endswith(b"\n") and (byte := connection.recv(1)):
        line += byte
    return bytes(line)


def start(connection: socket.socket) -> None:
    """Serve one connection. An error ends it, and the other side tries again."""
    connection.settimeout(10)
    request = json.loads(line_of(connection))
    connection.settimeout(None)
    fail_fast(connection)
    directory = Path(request["directory"])
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in request["files"].items():
        begun = directory / f".{name}.begun"
        begun.unlink(missing_ok=True)
        with open(os.open(begun, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write(text)
        begun.rename(directory / name)
    with open(directory.with_name(request["log"]), "ab") as log:
        number = connection.fileno()
        subprocess.Popen([*request["command"], str(number)], pass_fds=(number,), stderr=log, start_new_session=True)


def main() -> None:
    with socket.create_server(("", PORT)) as server:
        print("up", flush=True)
        while True:
            connection, _ = server.accept()
            with connection:
                try:
                    start(connection)
                except (OSError, ValueError) as error:
                    print(f"a connection was not served: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
