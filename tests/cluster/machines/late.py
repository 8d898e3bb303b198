"""A request that is given up while the network is away: it must not arrive when the network is back.

python -m tests.cluster.machines.late TRANSPORT     # requests each URL that comes on stdin, and says the outcome
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

from tests.cluster.machines.machines import Lab
from tests.cluster.machines.pages import WebMachine
from tests.fetch.transports import TRANSPORTS, outcome
from ttcrawl.config import read

#: Seconds for which the kernel would still try to send: it doubles the time between two trials.
LATER = 6


def given_up(directory: str, transport: str, key: str) -> dict[str, object]:
    """Make a request, and a second one over the same connection while packets are lost for longer than its timeout.

    `key`: the timeout. Return the outcomes, and the requests that the server saw.
    """
    with Lab(Path(directory)) as lab:
        web, client = WebMachine(lab), lab.machine("client", "198.18.0.1")
        command = (sys.executable, "-m", __name__, transport, key)
        process = client.popen(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        outcomes = [_outcome(process, web.seed)]
        lab.split([client], [web.machine])  # a cable that is out lets packets wait for ARP, which no socket can end
        outcomes.append(_outcome(process, web.url("www.site0.test", "/p/1")))
        lab.heal()
        time.sleep(LATER)
        outcomes.append(_outcome(process, web.url("www.site0.test", "/p/2")))
        return {"outcomes": outcomes, "requests": [hit.path for hit in web.log()]}


def _outcome(process: subprocess.Popen[str], url: str) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{url}\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


def main(name: str, key: str) -> None:
    keys = [("safety.allow", "198.18.0.0/15"), (f"fetch.{key}", "2")]
    transport = TRANSPORTS[name](read(None, keys), time.time)

    def enforce() -> None:
        while True:
            time.sleep(0.05)
            transport.enforce()

    if name == "urllib3":
        threading.Thread(target=enforce, daemon=True).start()
    for line in sys.stdin:
        print(outcome(transport, line.strip())[0], flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
