"""What test_machines.py does inside: each function is called in namespaces of its own, and returns what it saw."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.cluster.machines.machines import DISK, Lab, Machine, send, until

#: A server that answers each connection with its host name.
SERVER = """
import socket
with socket.create_server(("", 80)) as server:
    print("up", flush=True)
    while True:
        connection, _ = server.accept()
        connection.sendall(socket.gethostname().encode())
        connection.close()
"""


def serve(machine: Machine) -> subprocess.Popen[str]:
    process = machine.popen(sys.executable, "-c", SERVER, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"
    return process


def answer(machine: Machine, host: str, seconds: float = 20) -> str:
    """What the server says to a client on another machine, "" if it cannot be reached in time.

    A packet that is lost while a cable is plugged in is sent again after 1, 3 and 7 s (RFC 6298).
    """
    client = f"import socket; print(socket.create_connection(({host!r}, 80), {seconds}).recv(100).decode())"
    with suppress(AssertionError):
        return machine.run(sys.executable, "-c", client).strip()
    return ""


def network(directory: str) -> dict[str, object]:
    """Names, cables, a network in two, and no path out."""
    with Lab(Path(directory)) as lab:
        one, two = lab.machine("one", "198.18.0.1"), lab.machine("two", "198.18.0.2")
        web = lab.machine("web", "198.18.1.1", "198.18.1.2")
        lab.name("198.18.1.2", "a.test")
        serve(web)
        serve(two)
        saw: dict[str, object] = {"named": answer(one, "a.test"), "numbered": answer(one, "198.18.0.2")}
        with socket.create_connection(("a.test", 80), 5) as connection:
            saw["scenario"] = connection.recv(100).decode()
        one.unplug()
        saw["unplugged"] = answer(one, "a.test", seconds=1)
        one.plug()
        saw["plugged"] = answer(one, "a.test")
        lab.split([one], [two])
        saw["split"] = [answer(one, "198.18.0.2", seconds=1), answer(one, "a.test"), answer(two, "a.test")]
        lab.heal()
        saw["healed"] = answer(one, "198.18.0.2")
        saw["routes"] = one.run("ip", "route").split()[0]
        saw["out"] = answer(one, "192.0.2.1", seconds=1)
    return saw


def power(directory: str) -> dict[str, object]:
    """A power cut ends all processes and keeps the disk; the machine is back at once, with or without it."""
    with Lab(Path(directory)) as lab:
        one, two = lab.machine("one", "198.18.0.1"), lab.machine("two", "198.18.0.2")
        server = serve(one)
        saw: dict[str, object] = {"before": answer(two, "198.18.0.1"), "processes": len(one.processes(SERVER[:9]))}
        one.run("sh", "-c", f"echo kept > {DISK}/file; echo lost > /dev/shm/file")
        one.power_cut()
        saw["status"] = server.wait(60)
        saw["off"] = [one.on, answer(two, "198.18.0.1", seconds=1)]
        one.start()
        saw["memory"] = one.run("ls", "/dev/shm")
        saw["disk"] = one.run("cat", f"{DISK}/file")
        serve(one)
        begun = time.monotonic()
        until(lambda: answer(two, "198.18.0.1", seconds=1))
        saw["stale"] = time.monotonic() - begun > 20  # an ARP entry of the machine of before would stay for 30 s
        one.power_cut()
        one.wipe()
        one.start()
        saw["wiped"] = one.run("ls", str(DISK))
    return saw


def processes(directory: str) -> dict[str, object]:
    """Commands end with their own status, get signals, variables and a log; other machines do not see them."""
    with Lab(Path(directory)) as lab:
        one, two = lab.machine("one", "198.18.0.1"), lab.machine("two", "198.18.0.2")
        failed = one.popen("sh", "-c", "echo $WORD; exit 3", log="log", env={"WORD": "said"})
        sleeper = one.popen("sleep", "1000")
        until(lambda: one.processes("sleep 1000"))
        saw: dict[str, object] = {
            "status": failed.wait(60),
            "log": (one.disk / "log").read_text(),
            "others": two.processes("sleep 1000"),
            "host": one.run("hostname").strip(),
        }
        send(sleeper, signal.SIGTERM)
        saw["signal"] = sleeper.wait(60)
        send(sleeper)
    return saw


def left_running(directory: str) -> list[int]:
    """Leave a machine on: ids of processes as the first namespace knows them are not known here."""
    lab = Lab(Path(directory)).__enter__()
    machine = lab.machine("one", "198.18.0.1")
    machine.popen("sleep", directory.rpartition("/")[2])
    until(lambda: machine.processes("sleep"))
    return [os.getpid()]


def fails(directory: str) -> None:
    print("what was printed")
    raise RuntimeError(f"the reason: {directory}")


def hangs(directory: str) -> None:
    left_running(directory)
    print("it hangs")
    time.sleep(1000)
