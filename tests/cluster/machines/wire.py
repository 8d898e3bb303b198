"""Start a command on another machine, and carry its letters: what precedes the command of a ring, as nsenter would.

    python -m tests.cluster.machines.wire LOST DOUBLED DELAYED COMMAND... RING FD

The agent of the ring's machine (tests.cluster.machines.agent) runs COMMAND with its end of a TCP connection in place of
the socket FD; the bytes pass between the two. While the machine is off or out of reach, the wire tries again. It ends
with either side.

If one of the shares is above 0, the wire opens the frames, and loses, doubles or delays so many of the letters.
"""

from __future__ import annotations

import json
import os
import random
import select
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from ttcrawl.cluster.courier import Courier
from ttcrawl.cluster.messages import Letter
from ttcrawl.cluster.plan import CONFIG, PLAN

#: Where agents listen; ring N is at ADDRESS.N.
ADDRESS, PORT = "198.18.0", 7000

#: Seconds without an answer after which a connection counts as lost.
LOST = 4

#: Most seconds for which a letter is delayed.
DELAY = 0.5

#: Status of a wire whose other side has ended.
ENDED = 255


def fail_fast(connection: socket.socket) -> None:
    """Notice within LOST seconds that the other machine is gone."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, LOST * 1000)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def connected(address: str, request: bytes, local: socket.socket) -> socket.socket:
    """Return a connection over which the request was sent. Exits if the conductor ends first."""
    while True:
        try:
            distant = socket.create_connection((address, PORT), 1)
            distant.settimeout(None)
            fail_fast(distant)
            distant.sendall(request)
            return distant
        except OSError:
            time.sleep(0.1)
        poll = select.poll()
        poll.register(local, select.POLLRDHUP)
        if poll.poll(0):
            sys.exit(ENDED)


def relay(source: socket.socket, target: socket.socket) -> None:
    """Pass bytes on until one side has ended; then end."""
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    os._exit(ENDED)


def disturb(local: Courier, distant: Courier, lost: float, doubled: float, delayed: float) -> None:
    """Pass letters on, not all of them, some twice, and not in their order, until one side has ended."""
    chance = random.Random(os.getpid())
    due: list[tuple[float, Courier, Letter]] = []
    while not (local.closed or distant.closed):
        select.select([local, distant], [], [], 0.05)
        now = time.monotonic()
        for source, target in ((local, distant), (distant, local)):
            for letter in source.receive():
                for _ in range((chance.random() >= lost) * (1 + (chance.random() < doubled))):
                    wait = chance.uniform(0, DELAY) if chance.random() < delayed else 0.0
                    due.append((now + wait, target, letter))
        later = [each for each in due if each[0] > now]
        for _, target, letter in (each for each in due if each[0] <= now):
            target.send(letter.to, letter.message)
        due = later
        local.flush()
        distant.flush()
    for _, target, letter in due:
        target.send(letter.to, letter.message)
    local.close()
    distant.close()


def main(lost: str, doubled: str, delayed: str, *command: str) -> None:
    directory, ring, number = Path(command[-3]), command[-2], int(command[-1])
    local = socket.socket(fileno=number)
    files = {name: (directory / name).read_text() for name in (PLAN, CONFIG)}
    request = {"command": command[:-1], "directory": str(directory), "files": files, "log": f"ring-{ring}.log"}
    distant = connected(f"{ADDRESS}.{ring}", json.dumps(request).encode() + b"\n", local)
    shares = float(lost), float(doubled), float(delayed)
    if any(shares):
        disturb(Courier(local), Courier(distant), *shares)
        sys.exit(ENDED)
    local.setblocking(True)
    threading.Thread(target=relay, args=(distant, local)).start()
    relay(local, distant)


if __name__ == "__main__":
    main(*sys.argv[1:])
