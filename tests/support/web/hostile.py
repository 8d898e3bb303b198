"""What servers do to a crawler: tables of answers, each with what is to become of the URL ("state: reason")."""

from __future__ import annotations

import gzip
from typing import TypeAlias

from tests.support.web.bombs import NAMES, bomb, packed
from tests.support.web.site import HELLO, PORT, Answer, Pages, moved, page

#: The limits of the crawl for which the outcomes below hold.
LIMITS = {
    "fetch.connect_timeout": "1",
    "fetch.read_timeout": "1",
    "fetch.total_timeout": "2",
    "fetch.max_body": "1m",
    "fetch.max_decoded": "8m",
    "fetch.retries": "1",
    "fetch.retry_wait": "0.05",
    "politeness.backoff": "0.1",
    "politeness.robots_patience": "1",
    "politeness.address_delay": "0",
    "crawl.threads": "32",
    "crawl.fetchers": "1",
    "crawl.parsers": "1",
    "scope.max_redirects": "5",
}
BODY = 1 << 20

Table: TypeAlias = dict[str, tuple[Answer, str]]


def raw(*lines: str | bytes, **rest: object) -> Answer:
    """Lines of a head, and the empty one behind it when the last of them is a body."""
    parts = [line.encode("latin-1") if isinstance(line, str) else line for line in lines]
    return Answer(fate="raw", body=b"\r\n".join(parts), **rest)  # type: ignore[arg-type]


def framed(*fields: str, body: bytes, **rest: object) -> Answer:
    """A head with these fields about the length of the body, and a body."""
    return raw("HTTP/1.1 200 OK", "Content-Type: text/plain", *fields, b"", body, **rest)


def chunks(body: bytes, *fields: str, **rest: object) -> Answer:
    return framed("Transfer-Encoding: chunked", *fields, body=body, **rest)


def coded(coding: str, body: bytes) -> Answer:
    return Answer(headers=(("Content-Encoding", coding),), body=body)


OK, PROTOCOL, TRUNCATED, LARGE = "fetched: http 200", "failed: protocol", "failed: truncated", "refused: too large"
HEADERS, TOTAL, RESET = "failed: headers too large", "failed: timeout: total", "failed: reset"
SILENT, BLOCKED = "failed: timeout: read", "refused: blocked address"

SLOW: Table = {
    "/silent": (Answer(fate="stall"), SILENT),
    "/late": (Answer(body=page(), delay=0.5), OK),
    "/status-line": (raw("HTTP/1.1 200 OK", b"", b"", drip=0.5), TOTAL),
    "/headers": (raw("HTTP/1.1 200 OK\r\n", more=b"X: y\r\n", times=-1, drip=0.4), TOTAL),
    "/half-a-head": (Answer(fate="raw stall", body=b"HTTP/1.1 200 OK\r\nX-Ha"), SILENT),
    "/body": (Answer(body=b"x" * 100, drip=0.4), TOTAL),
    "/half-a-body": (Answer(fate="stall", body=b"half"), SILENT),
    "/endless-body": (Answer(more=b"x", times=-1, drip=0.4), TOTAL),
    "/chunks": (chunks(b"", more=b"1\r\nx\r\n", times=-1, drip=0.4), TOTAL),
    "/interim": (raw(b"", more=b"HTTP/1.1 103 Early Hints\r\n\r\n", times=-1, drip=0.4), TOTAL),
}

ENDLESS: Table = {
    "/body": (Answer(more=bytes(BODY), times=-1), LARGE),
    "/body-of-a-length": (Answer(more=bytes(BODY), times=-1, length=10**15), LARGE),
    "/html": (Answer(body=page(), more=b"<a href=/behind>" * 99, times=-1), LARGE),
    "/error": (Answer(status=404, more=bytes(BODY), times=-1), LARGE),
    "/redirect": (Answer(status=302, headers=(("Location", "/body"),), more=bytes(BODY), times=-1), "moved: http 302"),
    "/chunks": (chunks(b"", more=b"400\r\n" + bytes(1024) + b"\r\n", times=-1), LARGE),
    "/tiny-chunks": (chunks(b"", more=b"1;" + b"x" * 9999 + b"\r\nx\r\n", times=-1), TOTAL),
    "/chunk-size": (chunks(b"", more=b"0" * 1024, times=-1), PROTOCOL),
    "/chunk-extension": (chunks(b"1;", more=b"x" * 1024, times=-1), PROTOCOL),
    "/trailer": (chunks(b"1\r\nx\r\n0\r\n", more=b"X: y\r\n", times=-1), TOTAL),
    "/trailer-line": (chunks(b"1\r\nx\r\n0\r\nX: ", more=b"y" * 1024, times=-1), PROTOCOL),
    "/noise": (raw(b"", more=b"\0noise\xff" * 99, times=-1), HEADERS),
}

#: These wait for the limits of heads (fetch.max_head, fetch.max_headers).
HEADS: Table = {
    "/endless-fields": (raw("HTTP/1.1 200 OK\r\n", more=b"X: y\r\n", times=-1), HEADERS),
    "/endless-field": (raw("HTTP/1.1 200 OK\r\nX: ", more=b"y" * 1024, times=-1), HEADERS),
    "/endless-name": (raw("HTTP/1.1 200 OK\r\n", more=b"y" * 1024, times=-1), HEADERS),
    "/endless-folding": (raw("HTTP/1.1 200 OK\r\nX: y", more=b"\r\n  y", times=-1), HEADERS),
    "/endless-status-line": (raw("HTTP/1.1 200 ", more=b"OK" * 1024, times=-1), HEADERS),
    "/endless-interim": (raw(b"", more=b"HTTP/1.1 103 Early Hints\r\n\r\n", times=-1), HEADERS),
    "/megabyte": (Answer(headers=(("X", "y" * (1 << 20)),)), HEADERS),
    "/megabyte-in-fields": (Answer(headers=(("X", "y" * 60_000),) * 18), HEADERS),
    "/many": (Answer(headers=(("X", "y"),) * 1000), HEADERS),
    "/as-many-as-are-usual": (Answer(headers=(("X", "y"),) * 80, body=page()), OK),
}

STATUS: Table = {
    "/no-phrase": (raw("HTTP/1.1 200", "Content-Length: 0", b"", b""), OK),
    "/1.0": (raw("HTTP/1.0 200 OK", b"", b"x"), OK),
    "/1.9": (raw("HTTP/1.9 200 OK", b"", b"x"), OK),
    "/phrase-of-bytes": (raw("HTTP/1.1 200 \xff\x00\x1b[31m", b"", b"x"), OK),
    "/nothing-but-a-line": (raw("HTTP/1.1 200 OK\r\n"), TRUNCATED),
    "/lf": (raw(b"HTTP/1.1 200 OK\nContent-Length: 1\n\nx"), OK),
    "/2": (raw("HTTP/2 200 OK", b"", b"x"), OK),
    "/0.9": (raw("<html>no head at all</html>"), PROTOCOL),
    "/icy": (raw("ICY 200 OK", b"", b"x"), OK),
    "/lower-case": (raw("http/1.1 200 OK", b"", b"x"), OK),
    "/spaces": (raw(" HTTP/1.1  200\tOK ", b"", b"x"), OK),
    "/no-status": (raw("HTTP/1.1", b"", b"x"), PROTOCOL),
    "/empty-line": (raw(b"", "HTTP/1.1 200 OK", b"", b"x"), OK),
    "/empty-lines": (raw(b"", b"", b""), "failed: disconnected"),
    "/negative": (raw("HTTP/1.1 -200 OK", b"", b"x"), PROTOCOL),
    "/two-digits": (raw("HTTP/1.1 20 OK", b"", b"x"), PROTOCOL),
    "/four-digits": (raw("HTTP/1.1 2000 OK", b"", b"x"), PROTOCOL),
    "/word": (raw("HTTP/1.1 OK", b"", b"x"), PROTOCOL),
    "/number-without-end": (raw("HTTP/1.1 " + "9" * 5000, b"", b"x"), PROTOCOL),
    "/ssh": (raw("SSH-2.0-OpenSSH_9.2\r\n"), PROTOCOL),
    "/smtp": (raw("220 mail.test ESMTP\r\n"), PROTOCOL),
    "/tls-alert": (raw("\x15\x03\x01\x00\x02\x02\x46"), PROTOCOL),
    "/nothing": (Answer(fate="close"), "failed: disconnected"),
    "/100": (raw("HTTP/1.1 100 Continue", b"", b"HTTP/1.1 200 OK", b"", b"x"), OK),
    "/103": (raw("HTTP/1.1 103 Early Hints", "Link: </x>", b"", b"HTTP/1.1 200 OK", b"", b"x"), OK),
    "/nothing-but-100": (raw("HTTP/1.1 100 Continue", b"", b""), "failed: disconnected"),
    "/101": (raw("HTTP/1.1 101 Switching Protocols", "Upgrade: h2c", b"", b"\0\0\0"), "fetched: http 101"),
    "/204": (raw("HTTP/1.1 204 No Content", "Content-Length: 1", b"", b"x"), "fetched: http 204"),
    "/206": (Answer(status=206, body=page()), "fetched: http 206"),
    "/304": (Answer(status=304), "fetched: http 304"),
    **{f"/{status}": (Answer(status=status), f"fetched: http {status}") for status in (300, 400, 401, 404, 418, 451)},
    **{f"/{status}": (Answer(status=status), f"fetched: http {status}") for status in (500, 501, 502, 504, 600, 999)},
}

#: A host that says these is left alone, so each has its own.
BUSY: dict[str, Table] = {
    f"busy-{status}.test": {"/": (Answer(status=status), f"fetched: http {status}")} for status in (429, 503)
}

LENGTHS: Table = {
    "/short": (Answer(body=b"12345", length=10), TRUNCATED),
    "/none-of-it": (Answer(length=10), TRUNCATED),
    "/long": (Answer(body=b"1234567890", length=5), OK),
    "/long-with-an-answer": (framed("Content-Length: 1", body=b"xHTTP/1.1 200 OK\r\n\r\nforged"), OK),
    "/same-twice": (framed("Content-Length: 5", "Content-Length: 5", body=b"12345"), OK),
    "/same-in-a-list": (framed("Content-Length: 5, 5", body=b"12345"), OK),
    "/conflicting": (framed("Content-Length: 5", "Content-Length: 9", body=b"123456789"), PROTOCOL),
    "/conflicting-list": (framed("Content-Length: 5, 9", body=b"123456789"), PROTOCOL),
    "/negative": (framed("Content-Length: -5", body=b"12345"), PROTOCOL),
    "/word": (framed("Content-Length: five", body=b"12345"), PROTOCOL),
    "/hexadecimal": (framed("Content-Length: 0x5", body=b"12345"), PROTOCOL),
    "/plus": (framed("Content-Length: +5", body=b"12345"), PROTOCOL),
    "/underscore": (framed("Content-Length: 1_0", body=b"1234567890"), PROTOCOL),
    "/superscript": (framed("Content-Length: \xb2", body=b"12"), PROTOCOL),
    "/63-bits": (framed(f"Content-Length: {1 << 63}", body=b"x"), LARGE),
    "/64-bits": (framed(f"Content-Length: {1 << 64}", body=b"x"), LARGE),
    "/85-bits": (framed("Content-Length: " + "9" * 26, body=b"x"), LARGE),
    "/16600-bits": (framed("Content-Length: " + "9" * 5000, body=b"x"), LARGE),
    "/with-chunks": (chunks(b"1\r\nx\r\n0\r\n\r\n", "Content-Length: 99"), OK),
}

#: http.client does not tell a chunk that is none from an end that came too early.
CHUNKS: Table = {
    "/good": (chunks(b"5;why=not\r\n12345\r\n0\r\nX: trailer\r\n\r\n"), OK),
    "/capital": (framed("TRANSFER-ENCODING: Chunked", body=b"A\r\n1234567890\r\n0\r\n\r\n"), OK),
    "/no-number": (chunks(b"five\r\n12345\r\n0\r\n\r\n"), TRUNCATED),
    "/no-size": (chunks(b"\r\n12345\r\n0\r\n\r\n"), TRUNCATED),
    "/negative": (chunks(b"-5\r\n12345\r\n0\r\n\r\n"), TRUNCATED),
    "/64-bits": (chunks(b"10000000000000000\r\n12345\r\n0\r\n\r\n"), TRUNCATED),
    "/20000-bits": (chunks(b"f" * 5000 + b"\r\n12345\r\n0\r\n\r\n"), TRUNCATED),
    "/no-end": (chunks(b"5\r\n12345\r\n"), TRUNCATED),
    "/short": (chunks(b"9\r\n12345"), TRUNCATED),
    "/long": (chunks(b"2\r\n12345\r\n0\r\n\r\n"), TRUNCATED),
    "/not-done": (chunks(b"plain text"), TRUNCATED),
    "/empty": (chunks(b""), TRUNCATED),
}

CODINGS: Table = {
    **{f"/bomb-{name}": (coded(name, bomb(name, 64 << 20)), "refused: bomb") for name in NAMES},
    "/bomb-in-a-bomb": (coded("gzip, gzip", packed("gzip", bomb("gzip", 64 << 20))), "refused: bomb"),
    "/bomb-of-links": (coded("br", packed("br", b"<a href=/never>" * 1_000_000)), "refused: bomb"),
    **{f"/cut-{name}": (coded(name, packed(name, page("/behind"))[:-1]), OK) for name in NAMES},
    "/behind": (Answer(body=page()), OK),
    "/false": (coded("br", b"plain text"), OK),
    "/unknown": (coded("sdch", page()), OK),
    "/five": (coded(", ".join(["gzip"] * 5), page()), OK),
    "/six": (coded(", ".join(["gzip"] * 6), page("/never")), OK),
    "/thousand": (coded(", ".join(["gzip"] * 1000), page("/never")), OK),
    "/empty-members": (coded("gzip", gzip.compress(b"") * 50_000), OK),
}

RESETS: Table = {
    "/at-once": (Answer(fate="reset"), RESET),
    "/in-the-status-line": (Answer(fate="raw reset", body=b"HTTP/1.1 2"), RESET),
    "/in-the-head": (Answer(fate="raw reset", body=b"HTTP/1.1 200 OK\r\nContent-Ty"), RESET),
    "/after-the-head": (Answer(fate="raw reset", body=b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"), RESET),
    "/in-the-body": (Answer(fate="reset", body=page("/behind") * 99), RESET),
    "/in-a-chunk": (Answer(fate="raw reset", body=chunks(b"9\r\n12345").body), RESET),
    "/between-chunks": (Answer(fate="raw reset", body=chunks(b"5\r\n12345\r\n").body), RESET),
    "/without-a-length": (Answer(fate="raw reset", body=b"HTTP/1.1 200 OK\r\n\r\n12345"), RESET),
}

NO_URL = "failed: redirect to no http URL"
REDIRECTS: Table = {
    "/self": (moved("/self"), "moved: http 301"),
    "/ping": (moved("/pong"), "moved: http 301"),
    "/pong": (moved("/ping", 307), "moved: http 307"),
    "/file": (moved("file:///etc/passwd"), NO_URL),
    "/data": (moved("data:text/html,<a href=/never>"), NO_URL),
    "/javascript": (moved("javascript:alert(1)"), NO_URL),
    "/ftp": (moved("ftp://redirects.test/"), NO_URL),
    "/broken": (moved("http://[::1/"), NO_URL),
    "/port": (moved("http://redirects.test:99999/"), NO_URL),
    "/no-location": (Answer(status=302), "fetched: http 302"),
    "/bytes": (moved("/\xff\x01\x7f"), "moved: http 301"),
    "/fragment": (moved("/fragment#itself"), "moved: http 301"),
    "/two": (Answer(status=301, headers=(("Location", "/ping"), ("Location", "/never"))), "moved: http 301"),
    "/long": (moved("/" + "x" * 30_000), "moved: http 301"),
    "/inside": (moved(f"http://127.0.0.1:{PORT}/metadata"), "moved: http 301"),
    "/credentials": (moved(f"http://redirects.test:{PORT}@127.0.0.1:{PORT}/credentials"), "moved: http 301"),
    "/chain/0": (moved("/chain/1"), "moved: http 301"),
}
CHAIN = {("redirects.test", f"/chain/{n}"): moved(f"/chain/{n + 1}") for n in range(1, 6)}
#: Where the redirects lead to.
BEHIND = {
    **{path: "moved: http 301" for _, path in CHAIN},
    "/%FF%01%7F": "fetched: http 404",
    "/" + "x" * 30_000: "refused: scope: length",
    "/chain/6": "refused: redirects",
}

HANDSHAKES: dict[str, tuple[Answer, str]] = {
    "hello-reset.test": (Answer(fate="reset"), RESET),
    "hello-closed.test": (Answer(fate="close"), "failed: disconnected"),
    "hello-silent.test": (Answer(fate="stall"), "failed: timeout: read"),
    "hello-noise.test": (raw(b"\0noise" * 99), "failed: tls: not TLS"),
    "hello-http.test": (raw("HTTP/1.1 400 Bad Request", b"", b""), "failed: tls: not TLS"),
    "hello-endless.test": (raw(b"\x16\x03\x03\x40\x00", more=bytes(1024), times=-1), "failed: tls: not TLS"),
}

#: Kind of certificate (tests.support.web.certificates) -> what becomes of the pages of a host that shows it.
TLS = {
    "good": OK,
    "wrong-name": "failed: tls: name mismatch",
    "expired": "failed: tls: expired",
    "early": "failed: tls: not yet valid",
    "stranger": "failed: tls: unknown issuer",
    "self-signed": "failed: tls: self-signed",
}

#: Spellings of this machine and of others that nobody named, as they stand in the ledger.
PRIVATE = {
    f"http://127.1:{PORT}/": f"http://127.0.0.1:{PORT}/",
    f"http://0x7f.0.0.2:{PORT}/": f"http://127.0.0.2:{PORT}/",
    f"http://2130706435:{PORT}/": f"http://127.0.0.3:{PORT}/",
    f"http://0177.0.0.4:{PORT}/": f"http://127.0.0.4:{PORT}/",
    f"http://0:{PORT}/": f"http://0.0.0.0:{PORT}/",
    f"http://[::ffff:127.0.0.1]:{PORT}/": f"http://[::ffff:7f00:1]:{PORT}/",
    f"http://[::1]:{PORT}/": f"http://[::1]:{PORT}/",
    f"http://[64:ff9b::7f00:1]:{PORT}/": f"http://[64:ff9b::7f00:1]:{PORT}/",
    f"http://localhost:{PORT}/": f"http://localhost:{PORT}/",
    "http://169.254.169.254/latest/meta-data/": "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/": "http://10.0.0.1/",
    "https://192.168.0.1/": "https://192.168.0.1/",
}

NOT_ALLOWED = "refused: robots.txt"
RULES = b"User-agent: *\nDisallow: /no\n"
LINE = b"# nothing in this line is of any use to anybody\n"

Robots: TypeAlias = tuple[Answer | list[Answer], dict[str, str]]


def text(body: bytes, **rest: object) -> Answer:
    return Answer(headers=(("Content-Type", "text/plain"),), body=body, **rest)  # type: ignore[arg-type]


def unreadable(why: str) -> dict[str, str]:
    return {"/yes": why, "/no": why}


READ = {"/yes": OK, "/no": NOT_ALLOWED}
ABSENT = {"/yes": OK, "/no": OK}

#: Host -> its robots.txt, and what becomes of its pages.
ROBOTS: dict[str, Robots] = {
    "100-mb.test": (text(RULES, more=LINE * 1000, times=(100 << 20) // len(LINE * 1000)), READ),
    "100-mb-of-a-length.test": (text(RULES, more=bytes(1024), times=100 << 10, length=len(RULES) + (100 << 20)), READ),
    "behind-the-limit.test": (text(LINE * (BODY // len(LINE)) + RULES), ABSENT),
    "endless.test": (text(RULES, more=bytes(BODY), times=-1), READ),
    "bomb.test": (coded("gzip", gzip.compress(RULES) + bomb("gzip", 64 << 20)), READ),
    "large-and-coded.test": (coded("br", packed("br", RULES + LINE * 200_000)), READ),
    "html.test": (Answer(body=page("/no", content="<p>Disallow: /yes")), ABSENT),
    "nuls.test": (text(bytes(100_000)), ABSENT),
    "nuls-and-rules.test": (text(bytes(1000) + b"\n" + RULES), READ),
    "binary.test": (text(b"\xff\xfe\x00\x80" * 999 + b"\n" + RULES), READ),
    "one-line.test": (text(b"User-agent: *\nDisallow: /" + b"x" * 400_000), ABSENT),
    "agents.test": (text(b"User-agent: x\n" * 30_000 + RULES), READ),
    "stars.test": (
        text(RULES + b"".join(b"Disallow: /" + b"*a" * n + b"b\n" for n in range(20, 60))),
        READ | {"/" + "a" * 1800: OK},
    ),
    "500.test": ([Answer(status=500), text(RULES)], READ),
    "500-for-ever.test": (Answer(status=500), unreadable("refused: robots.txt: http 500")),
    "403.test": (Answer(status=403, body=RULES), ABSENT),
    "loop.test": (moved("/robots.txt"), ABSENT),
    "chain.test": (moved("/robots-1.txt"), READ),
    "no-url.test": (moved("file:///etc/passwd"), ABSENT),
    "private.test": (moved(f"http://127.0.0.1:{PORT}/robots.txt"), unreadable(BLOCKED)),
    "false-coding.test": (coded("br", RULES), unreadable("refused: robots.txt: broken content coding")),
    "silent.test": (Answer(fate="stall"), unreadable(SILENT)),
    "reset.test": (Answer(fate="reset"), unreadable(RESET)),
    "noise.test": (raw(b"\0noise\r\n\r\n"), unreadable(PROTOCOL)),
}

TABLES = {
    "slow.test": SLOW,
    "endless.page.test": ENDLESS,
    "heads.test": HEADS,
    "status.test": STATUS,
    "lengths.test": LENGTHS,
    "chunks.test": CHUNKS,
    "codings.test": CODINGS,
    "resets.test": RESETS,
    "redirects.test": REDIRECTS,
    **BUSY,
}


def pages() -> Pages:
    """All of it over plain HTTP."""
    web: dict[tuple[str, str], Answer | list[Answer]] = {
        (host, path): answer for host, table in TABLES.items() for path, (answer, _) in table.items()
    }
    for host, (robots, outcomes) in ROBOTS.items():
        web[host, "/robots.txt"] = robots
        web |= {(host, path): Answer(body=page()) for path in outcomes}
    web |= CHAIN
    web["chain.test", "/robots-1.txt"] = text(RULES)
    web |= {(host, HELLO): answer for host, (answer, _) in HANDSHAKES.items()}
    return web
