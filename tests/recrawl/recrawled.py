"""A continuous crawl in this process, over real sockets, on a clock that jumps over the pauses."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from tests.recrawl.servers import BEGIN
from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_scope
from ttcrawl.engine.environment import Environment
from ttcrawl.engine.inline import InlineRing
from ttcrawl.engine.loop import Crawl
from ttcrawl.engine.recrawl.recrawls import Recrawl
from ttcrawl.engine.run import directory as directories
from ttcrawl.engine.run.addresses import granted_by
from ttcrawl.engine.run.seeds import seed_links
from ttcrawl.engine.topic.copies import checked_copies, write_copies
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.ring.messages import HEAD_ROOM
from ttcrawl.ring.position import Position
from ttcrawl.ring.slots import Slots
from ttcrawl.store.sqlite import Store

ADDRESS = "127.0.0.91"

#: No pause of the crawl process is longer, seconds.
LONGEST = 1e9


class Clock:
    """Real time, and the pauses of the crawl on top of it, which take none."""

    def __init__(self, begin: float = BEGIN) -> None:
        self._begin = begin - time.monotonic()

    def __call__(self) -> float:
        return self._begin + time.monotonic()

    def sleep(self, seconds: float) -> None:
        self._begin += seconds


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        host = self.headers["Host"].partition(":")[0]
        page = self.server.pages.get(f"{host}{self.path}".removesuffix("/"))
        if page is None:
            self._send(404, {}, b"")
            return
        names = ("If-None-Match", "If-Modified-Since")
        headers = {name: self.headers[name] for name in names if name in self.headers}
        answer = page.answer(headers, self.server.clock())
        fields = {"ETag": answer.etag, "Last-Modified": answer.last_modified, "Content-Type": page.type}
        fields |= page.fields(self.server.clock())
        fields["Location"] = getattr(page, "location", "") if answer.status in (301, 302, 303, 307, 308) else ""
        text = answer.body if answer.status == 200 and answer.length else b""
        if text and page.type == "text/html":
            text = b"<title>%b</title><p>words" % text
        self._send(answer.status, fields, text)

    do_HEAD = do_GET

    def _send(self, status: int, fields: Mapping[str, str], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in fields.items():
            if value:
                self.send_header(name, "".join(each for each in value if each.isprintable()))
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body if self.command == "GET" else b"")

    def log_message(self, *words: object) -> None:
        """Nobody reads it."""


@contextmanager
def served(pages, clock):
    """Serve pages (`tests.recrawl.servers`), by host and path; "" instead of /. Gives the port."""
    with ThreadingHTTPServer((ADDRESS, 0), _Handler) as server:
        server.pages, server.clock, server.daemon_threads = pages, clock, True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


class Wrong:
    """A clock that is ahead of another one by as much as `jump` says for its time, seconds."""

    def __init__(self, clock: Clock, jump: Callable[[float], float]) -> None:
        self._clock, self._jump = clock, jump

    def __call__(self) -> float:
        return self._clock() + self._jump(self._clock())

    def sleep(self, seconds: float) -> None:
        self._clock.sleep(seconds)


def recrawl(
    directory: Path,
    hosts,
    port: int,
    clock: Clock | Wrong,
    seconds: float,
    settings=(),
    once: bool = False,
    wall: Clock | Wrong | None = None,
    pause: float = LONGEST,
    continued: bool = True,
) -> None:
    """Crawl a page of each host, and visit them for so many seconds. `wall`: another clock than that of the crawl.

    `continued`: False for a plain crawl.
    """
    seeds = [f"http://{host}:{port}/" for host in hosts]
    config = Config().changed(
        {
            "fetch.resolve": " ".join(f"{host}:{port}:{ADDRESS}" for host in hosts),
            "politeness.obey_delay": "no",
            "politeness.robots_max_age": LONGEST,
            "revisit.policy": "fixed",
            "crawl.max_time": seconds,
            **dict(settings),
        }
    )
    new = not directory.exists()
    (directory / "warc").mkdir(parents=True, exist_ok=True)
    directories.write_config(directory, config)
    write_copies(directory, checked_copies(config.topic))
    store = Store(directory / "crawl.db", create=new)
    if new:
        store.set(seconds=0.0, started=BEGIN, seeds="\n".join(seeds), obey_delay="no", delay=0.0, run="")
    scope = compile_scope(config.scope, tuple(seeds), config.hosts)
    position = directories.positions(store.archive(), 1, Position(series=0).run)[0]
    with (
        closing(Slots(1, HEAD_ROOM + config.fetch.max_body)) as slots,
        closing(
            InlineRing(
                *(config, scope, directory / "warc", position, clock, slots, granted_by(config, seeds)),
                sleep=clock.sleep,
            )
        ) as ring,
    ):
        by_recrawl = Recrawl(wall=wall or clock, once=once, pause=pause) if continued else None
        given = {"config": config, "store": store, "ring": ring, "clock": clock, "bounds": Bounds()}
        crawl = Crawl(Environment(**given, tick=LONGEST, recrawl=by_recrawl))
        crawl.run(seed_links(seeds, lambda url: ("", "")))
        store.set(finished=crawl.stopped_by or "done", in_flight="")
    store.close()


def warc(directory):
    """The headers of all responses and revisits, with status and file."""
    for path in sorted((directory / "warc").iterdir()):
        for record in ArchiveIterator(io.BytesIO(path.read_bytes())):
            if record.rec_type in ("response", "revisit"):
                status = record.http_headers.get_statuscode() if record.http_headers else ""
                yield dict(record.rec_headers.headers) | {"status": status, "file": path.name}
