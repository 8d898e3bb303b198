"""A crawl with a browser on a machine of its own, whose wire nobody answers: run it with `inside`."""

from __future__ import annotations

import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.crawls.crawling import command
from ttcrawl.browser.program import program
from ttcrawl.config import Browser

#: Public addresses that are on this machine here.
PUBLIC = ("93.184.216.34", "93.184.216.35")

#: The first answer of this host makes its name one of the machine itself.
REBOUND = "rebind.test"
NAMES = (
    *(f"{PUBLIC[0]} seed.test", "127.0.0.1 both.test", f"{PUBLIC[1]} both.test"),
    "127.0.0.1 localhost a.localhost localhost.localdomain here.test",
)

#: What names the machine itself.
INSIDE = (
    *("localhost", "LOCALHOST", "localhost.", "a.localhost", "localhost.localdomain", "here.test", "127.0.0.1"),
    *(
        "127.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "0",
        "0.0.0.0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::]",
        "127.0.0.2",
    ),
)
PAGE = f"""<body><script>
const ask = (url) => fetch(url, {{mode: 'no-cors'}}).catch(() => 0);
for (const name of {list(INSIDE)!r}) {{
  ask(`http://${{name}}/fetch`);
  new Image().src = `http://${{name}}/image`;
  try {{ new WebSocket(`ws://${{name}}/socket`) }} catch (error) {{}}
  for (const rel of ['preconnect', 'dns-prefetch', 'stylesheet'])
    document.head.append(Object.assign(document.createElement('link'), {{rel, href: `http://${{name}}/link`}}));
}}
ask('http://both.test/both').then(() => ask('http://{REBOUND}/one')).then(() => ask('http://{REBOUND}/two'))
  .then(() => document.body.insertAdjacentHTML('beforeend', '<a href=/end>end</a>'));
new WebSocket('wss://away.test/');
new RTCPeerConnection({{iceServers: [{{urls: 'stun:{PUBLIC[0]}:3478'}}]}}).createDataChannel('x');
</script>"""

#: The router and the name server.
OUTSIDE = "198.51.100.1"

#: Seconds for which the browser is left to itself: its own services begin late.
IDLE = 20

IPV4, IPV6, TCP, UDP = 0x0800, 0x86DD, 6, 17


def crawled(directory: str) -> dict[str, Any]:
    """`asked`: (host, address, path) of each HTTP request; `sent`: (device, address, port, name that is looked up) of
    each TCP connection and UDP packet; `control`: the same of a browser without our switches."""
    folder = Path(directory)
    hosts = _machine(folder)
    asked: list[tuple[str, str, str]] = []
    with _served(asked, hosts), _watched() as sent:
        keys = {"use": "path:/page", "resources": "all", "media": "yes", "robots": "no", "pages": 1, "max_time": 120}
        keys |= {"max_requests": 1000, "steps": f"http://seed.test/page pause {IDLE}"}
        options = [part for name, value in keys.items() for part in ("--set", f"browser.{name}={value}")]
        begin = ("crawl", "http://seed.test/page", "-d", folder / "c", "--no-obey-delay", "--progress", "none")
        done = subprocess.run(command(*begin, *options), cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    with _watched() as control:
        bare = [program(Browser(use="yes")), "--headless", "--no-sandbox", f"--user-data-dir={folder / 'profile'}"]
        process = subprocess.Popen([*bare, "http://away.test/"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while not any(name == "away.test" for *_, name in control) and time.monotonic() < end:
            time.sleep(0.1)
        process.kill()
    return {"asked": asked, "sent": sorted(sent), "control": sorted(control)}


def _machine(folder: Path) -> Path:
    """Set up devices and names; return the file of the names."""
    for line in (
        "ip link set lo up",
        *(f"ip address add {each}/32 dev lo" for each in PUBLIC),
        "ip link add out0 type veth peer name out1",
        "ip address add 198.51.100.2/24 dev out0",
        "ip link set out0 up",
        "ip link set out1 up",
        f"ip neighbour add {OUTSIDE} lladdr 02:00:00:00:00:01 dev out0 nud permanent",
        f"ip route add default via {OUTSIDE} dev out0",
    ):
        subprocess.run(line.split(), check=True)
    hosts, resolver = folder / "hosts", folder / "resolv.conf"
    hosts.write_text("\n".join((*NAMES, f"{PUBLIC[1]} {REBOUND}", "")))
    resolver.write_text(f"nameserver {OUTSIDE}\noptions timeout:1 attempts:1\n")
    for each in (hosts, resolver):
        subprocess.run(["mount", "--bind", each, f"/etc/{each.name}"], check=True)
    return hosts


@contextmanager
def _served(asked: list[tuple[str, str, str]], hosts: Path) -> Iterator[None]:
    """Serve on all addresses of the machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host = self.headers["Host"]
            asked.append((host, self.connection.getsockname()[0], self.path))
            if host == REBOUND:
                hosts.write_text("\n".join((*NAMES, f"127.0.0.1 {REBOUND}", "")))
            body = PAGE.encode() if self.path == "/page" else b"<p>text"
            self.send_response(404 if self.path == "/robots.txt" else 200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        address_family = socket.AF_INET6  # and IPv4

    server = Server(("::", 80), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def _watched() -> Iterator[set[tuple[str, str, int, str]]]:
    """Collect what is sent on all devices."""
    seen: set[tuple[str, str, int, str]] = set()
    device = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))  # ETH_P_ALL
    device.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 << 20)
    device.settimeout(0.2)
    ended = threading.Event()

    def watch() -> None:
        while not ended.is_set():
            try:
                packet, (name, *_) = device.recvfrom(65535)
            except TimeoutError:
                continue
            if target := _target(packet):
                seen.add((name, *target))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        time.sleep(1)  # for what is on its way
        ended.set()
        thread.join()
        device.close()


def _target(packet: bytes) -> tuple[str, int, str] | None:
    """Address, port and name that is looked up, of the beginning of a TCP connection, or of a UDP packet; None: another
    packet."""
    (kind,) = struct.unpack_from("!H", packet, 12)
    if kind == IPV4:
        protocol, begin = packet[23], 14 + 4 * (packet[14] & 15)
        address = socket.inet_ntop(socket.AF_INET, packet[30:34])
    elif kind == IPV6:
        protocol, begin = packet[20], 54
        address = socket.inet_ntop(socket.AF_INET6, packet[38:54])
    else:
        return None
    opening = protocol == TCP and packet[begin + 13] & 0b10010 == 0b10  # SYN without ACK
    if not (opening or protocol == UDP):
        return None
    (port,) = struct.unpack_from("!H", packet, begin + 2)
    return address, port, _name(packet[begin + 8 + 12 :]) if (protocol, port) == (UDP, 53) else ""


def _name(question: bytes) -> str:
    """The name in a question (RFC 1035 section 4.1.2)."""
    labels = list[str]()
    while question and question[0]:
        labels.append(question[1 : 1 + question[0]].decode("ascii", "replace"))
        question = question[1 + question[0] :]
    return ".".join(labels)
