"""Twenty honest pages and one thing that a server can do to a crawler: does it end, and with all honest pages?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.comparison.peers import Order
from benchmarks.comparison.running import at_once, by_name, crawl, scratch, table
from tests.support.web.bombs import bomb
from tests.support.web.hostile import chunks, coded, framed, raw
from tests.support.web.site import ANY, HELLO, PATH, PORT, Answer, Web, moved, page

HOST = "127.0.0.1"

#: Seconds that a server may be silent, and that a crawl may take.
PATIENCE, LIMIT = 2.0, 30.0

#: Bytes of all processes above which the table has a crawler's memory.
MEMORABLE = 500_000_000

HONEST = 20
PAGES = frozenset({"/", *(f"/honest/{number}" for number in range(HONEST))})

#: What a hostile server sends again and again, every 10 ms: 6 MB/s.
FLOOD, PAUSE = bytes(1 << 16), 0.01

Answers = dict[str, Answer]


def one(answer: Answer) -> Callable[[], Answers]:
    return lambda: {"/hostile": answer}


def _bomb() -> Answers:
    return {"/hostile": coded("gzip", bomb("gzip", 1 << 30))}


def _nested() -> Answers:
    return {"/hostile": Answer(body=b"<b></p>" * 150_000)}


def _redirects() -> Answers:
    return {"/hostile": moved("/r/0")} | {f"/r/{number}": moved(f"/r/{number + 1}") for number in range(20_000)}


def _calendar() -> Answers:
    def month(number: int) -> Answer:
        year, rest = divmod(number, 12)
        link = "/calendar?month={}-{:02}".format(*divmod(number + 1, 12))
        return Answer(body=page(link, title=f"{year}-{rest + 1:02}"))

    first = 2020 * 12
    months = {"/calendar?month={}-{:02}".format(*divmod(n, 12)): month(n) for n in range(first, first + 60_000)}
    return months | {"/hostile": month(first - 1)}


def _deeper() -> Answers:
    return {"/hostile": Answer(body=page("/x/")), ANY: Answer(body=f"<title>{PATH}</title><a href=x/>x</a>".encode())}


def _silent_tls() -> Answers:
    return {"/hostile": Answer(body=page(f"https://{HOST}:{PORT}/")), HELLO: Answer(fate="stall")}


KINDS: dict[str, Callable[[], Answers]] = {
    "no answer": one(Answer(fate="stall")),
    "an answer of a byte a second": one(Answer(more=b"x", times=-1, drip=1.0)),
    "headers of a byte a second": one(raw("HTTP/1.1 200 OK", "X: ", more=b"y", times=-1, drip=1.0)),
    "a body without end": one(Answer(more=FLOOD, times=-1, drip=PAUSE)),
    "chunks without end": one(chunks(b"", more=b"10000\r\n" + FLOOD + b"\r\n", times=-1, drip=PAUSE)),
    "headers without end": one(raw("HTTP/1.1 200 OK\r\n", more=b"X: y\r\n" * 10_000, times=-1, drip=PAUSE)),
    "a gzip bomb of 1 GB": _bomb,
    "a length of 2^64": one(framed(f"Content-Length: {1 << 64}", body=b"x")),
    "chunks that are none": one(chunks(b"five\r\n12345\r\n0\r\n\r\n")),
    "a reset in the body": one(Answer(fate="reset", body=page("/x") * 99)),
    "no HTTP": one(raw("\0noise\xff" * 99)),
    "bytes in the header": one(raw("HTTP/1.1 200 \xff\x00\x1b[31m", "X-\xfe: \x00", b"", b"x")),
    "a redirect to itself": one(moved("/hostile")),
    "redirects without end": _redirects,
    "redirect to file:///etc/passwd": one(moved("file:///etc/passwd")),
    "tags that nest 150,000 deep": _nested,
    "silent TLS": _silent_tls,
    "robots.txt without end": lambda: {"/robots.txt": Answer(more=b"# x\n" * 16_000, times=-1, drip=PAUSE)},
    "a calendar without end": _calendar,
    "a relative link that leads ever deeper": _deeper,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    ended: bool
    honest: int  # pages that were requested
    requests: int
    memory: int

    def __str__(self) -> str:
        pages = "" if self.honest == len(PAGES) else f"{self.honest} of {len(PAGES)} pages"
        end = "" if self.ended else "no end"
        memory = f"{self.memory / 1e9:.1f} GB" if self.memory > MEMORABLE else ""
        return ", ".join(filter(None, ("" if pages or end else "yes", end, pages, memory)))


def site(kind: str) -> dict[tuple[str, str], Answer]:
    """Half of the honest pages are behind another one, so that they are found after the hostile one."""
    half = HONEST // 2
    near, far = [f"/honest/{n}" for n in range(half)], [f"/honest/{n}" for n in range(half, HONEST)]
    answers = {path: Answer(body=page("/", title=path)) for path in [*near, *far]}
    answers |= {"/": Answer(body=page("/hostile", *near)), near[-1]: Answer(body=page(*far))}
    answers["/robots.txt"] = Answer(status=404)
    hostile = KINDS[kind]()
    pages = {(HOST, path): answer for path, answer in (answers | hostile).items() if path != HELLO}
    # who says for whom a ClientHello is names a host, never an address
    return pages | ({("", HELLO): hostile[HELLO]} if HELLO in hostile else {})


def survived(kind: str, name: str) -> Outcome:
    """How a crawler gets through the site of one kind."""
    with Web(site(kind), address=HOST) as web, scratch() as folder:
        order = Order(seeds=(web.url(HOST, "/"),), folder=Path(folder), timeout=PATIENCE)
        done = crawl(by_name(name), order, LIMIT)
        log = web.log()
    honest = {hit.path for hit in log if hit.status == 200} & PAGES
    return Outcome(ended=done.ended, honest=len(honest), requests=len(log), memory=done.memory)


def compared(names: list[str], kinds: list[str]) -> str:
    """The table: a row for each kind, and the number of kinds that each crawler survives."""
    outcomes = at_once(survived, [(kind, name) for kind in kinds for name in names])
    rows = [[kind, *(str(outcomes[kind, name]) for name in names)] for kind in kinds]
    sums = [sum(str(outcomes[kind, name]).startswith("yes") for kind in kinds) for name in names]
    return table(["one page of the site", *names], [*rows, [f"of {len(kinds)}", *map(str, sums)]])
