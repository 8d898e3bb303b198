"""FTP over libcurl: against a server that works, and against servers that do not."""

import threading

import pytest
from pyftpdlib.handlers import FTPHandler

from tests.fetch.ftp import CLOSE, SILENT, Scripted, serving
from tests.fetch.requests import asked
from tests.fetch.transports import TRANSPORTS, over, slot, transport_for
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.ring.messages import FTP, HEAD_ROOM, ROBOTS
from ttcrawl.web.mime.extensions import TEXTS

MODIFIED = ("Last-Modified", "Tue, 02 Jan 2024 03:04:05 GMT")
TEXT = ("Content-Type", TEXTS["txt"])


def get(port, path, *, kind="page", host="127.0.0.1", **keys):
    """Answer and body."""
    with over("curl"):
        transport = transport_for(port, **{"ftp": "yes", "resolve": "", **keys})
    room = slot()
    answer = transport.get(asked(f"ftp://{host}:{port}{path}", kind=kind), room)
    return answer, bytes(room[HEAD_ROOM : HEAD_ROOM + answer.body_size])


def failure(port, path="/f.txt", **keys):
    with pytest.raises(NotFetched) as error:
        get(port, path, **keys)
    return error.value


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ftp")
    (folder / "sub").mkdir()
    for name, data in (
        ("a b.txt", b"hello"),
        ("empty", b""),
        ("big.bin", b"x" * 5000),
        ("q?x#y.html", b"<p>"),
        ("sub/é.txt", b"e"),
        ("x;type=a", b"x"),
    ):
        (folder / name).write_bytes(data)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "status", "body", "refused", "requests"),
    [
        ("/a%20b.txt", 200, b"hello", "", 1),
        ("/a%20b.txt;type=a", 200, b"hello", "", 1),
        ("/x%3Btype=a", 200, b"x", "", 1),
        ("/empty", 200, b"", "", 1),
        ("/big.bin", 200, b"", "too large", 1),  # SIZE says so: it is not begun
        ("/q%3Fx%23y.html", 200, b"<p>", "", 1),
        ("/q?x%23y.html", 200, b"<p>", "", 1),
        ("/sub/%C3%A9.txt", 200, b"e", "", 1),
        ("/sub", 301, b"", "", 2),
        ("/nope", 404, b"", "", 2),
        ("/nope/", 404, b"", "", 1),
        ("/nope/x", 404, b"", "", 1),
    ],
)
def test_files(files, path, status, body, refused, requests):
    with serving(files) as (port, commands):
        answer, received = get(port, path)
    assert (answer.status, received, answer.refused, answer.requests) == (status, body, refused, requests)
    assert answer.head.version == FTP and answer.address == "127.0.0.1" and answer.started <= answer.ended
    assert len({client for client, *_ in commands}) == 1 and commands[-1][1] == "QUIT"
    assert [argument for _, command, argument in commands if command == "PASS"] == ["anonymous@"]
    located = [value for name, value in answer.head.headers if name == "Location"]
    assert located == ([f"ftp://127.0.0.1:{port}{path}/"] if status == 301 else [])


@pytest.mark.slow
@pytest.mark.parametrize("mlsd", [True, False])
def test_a_directory_is_a_page(files, mlsd):
    known = {name: about for name, about in FTPHandler.proto_cmds.items() if mlsd or name != "MLSD"}
    with serving(files, proto_cmds=known) as (port, commands):
        answer, body = get(port, "/")
    assert answer.head.headers == (("Content-Type", "text/html; charset=utf-8"),) and answer.received
    for href in ("./a%20b.txt", "./empty", "./big.bin", "./q%3Fx%23y.html", "./sub/"):
        assert f'<a href="{href}">'.encode() in body
    assert ("LIST" in {command for _, command, _ in commands}) is not mlsd


@pytest.mark.slow
def test_types_are_decided_by_extension(files):
    with serving(files) as (port, commands):
        answer, body = get(port, "/a%20b.txt", types="text/html")
        assert (answer.status, answer.refused, answer.method, body) == (200, "type", "HEAD", b"")
        assert "RETR" not in {command for _, command, _ in commands}
        assert get(port, "/q%3Fx%23y.html", types="text/html")[1] == b"<p>"
        assert get(port, "/a%20b.txt", types="text/html", kind=ROBOTS)[1] == b"hello"


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        ({}, (200, "", "")),
        ({"": "220-many\r\n220-lines\r\n220 ready\r\n"}, (200, "", "")),
        ({"": "421 too many connections\r\n"}, (503, "", "")),
        ({"": "530 too many users\r\n"}, (503, "", "")),
        ({"PASS": "530 Login incorrect.\r\n"}, (401, "", "")),
        ({"PASS": "421 busy\r\n"}, (503, "", "")),
        ({"RETR": "550 no\r\n", "CWD": "550 no\r\n"}, (404, "", "")),
        ({"RETR": "550 Permission denied\r\n", "CWD": "550 no\r\n"}, (403, "", "")),
        ({"RETR": "550 not a plain file\r\n"}, (301, "", "")),
        ({"RETR": "450 busy\r\n"}, (500, "", "")),  # no directory: it is retried
        ({"RETR": "421 timeout\r\n"}, (503, "", "")),
        ({"SIZE": "500 what?\r\n", "MDTM": "500 what?\r\n"}, (200, "", "")),
        ({"SIZE": "213 50000\r\n"}, (200, "too large", "")),
        ({"SIZE": "213 50\r\n"}, (200, "", "truncated")),
        ({"226": "426 aborted\r\n"}, (200, "", "truncated")),
        ({"226": "451 disk\r\n"}, (200, "", "truncated")),
        ({"226": SILENT}, (200, "", "timeout: read")),
        ({"QUIT": SILENT}, (200, "", "")),
        ({"QUIT": CLOSE}, (200, "", "")),
    ],
    ids=repr,
)
def test_replies(replies, expected):
    with Scripted(replies) as server:
        answer, body = get(server.port, "/f.txt")
    assert (answer.status, answer.refused, answer.incomplete) == expected
    assert body == (b"hello" if answer.status == 200 and not answer.refused else b"")
    if not replies:
        assert answer.head.headers == (TEXT, MODIFIED) and answer.head.phrase == "226 done"


@pytest.mark.parametrize("step", ["", "USER", "PASS", "PWD", "MDTM", "EPSV", "TYPE", "SIZE", "RETR"])
def test_a_server_that_closes_the_connection(step):
    with Scripted({step: CLOSE}) as server:
        assert failure(server.port).reason == "disconnected"


@pytest.mark.slow
@pytest.mark.parametrize("step", ["", "PASS", "EPSV", "RETR"])
def test_a_server_that_falls_silent(step):
    with Scripted({step: SILENT}) as server:
        assert failure(server.port).reason == "timeout: read"


def endless_greeting(connection):
    while True:
        connection.sendall(b"220-more\r\n" * 100)


def endless_line(connection):
    while True:
        connection.sendall(b"220-" + b"x" * 10_000)


def slow_greeting(connection):
    while not threading.Event().wait(0.05):
        connection.sendall(b"220-\r\n")


@pytest.mark.parametrize(
    ("replies", "keys", "reason"),
    [
        ({"": endless_greeting}, {}, "headers too large"),
        ({"": endless_line}, {}, "headers too large"),
        ({"": slow_greeting}, {"total_timeout": "1"}, "timeout: total"),
        ({"": "HTTP/1.1 200 OK\r\n\r\n"}, {}, "timeout: read"),  # no line of it is a reply
        ({"EPSV": "229 here (|||22|)\r\n"}, {}, "blocked address"),
        ({"EPSV": "500 what?\r\n", "PASV": "227 here (127,0,0,1,0,25)\r\n"}, {}, "blocked address"),
    ],
)
def test_a_server_that_is_refused(replies, keys, reason):
    with Scripted(replies) as server:
        assert failure(server.port, **keys).reason == reason


def test_data_connections_go_to_the_server_itself():
    with Scripted(passive="10,0,0,1") as server:
        assert get(server.port, "/f.txt")[1] == b"hello"
    assert "PASV" in server.commands and not any(each.startswith(("PORT", "EPRT")) for each in server.commands)


@pytest.mark.parametrize(
    ("data", "links"),
    [
        (b"-rw-r--r-- 1 ftp ftp 7 Apr  8  1994 a b\r\n", b'href="./a%20b"'),
        (b"-rw-r--r-- 1 ftp ftp 7 Apr  8  1994 " + b"a" * 10_000 + b"\r\n", b""),
        (b"no listing at all\r\n", b""),
    ],
)
def test_an_endless_listing(data, links):
    with Scripted({"MLSD": "500 what?\r\n"}, data=data, endless=True) as server:
        answer, body = get(server.port, "/d/")
    assert answer.refused == "too large" and links in body and 0 < len(body) <= 4096


def test_an_endless_file():
    with Scripted({"SIZE": "500 what?\r\n"}, endless=True) as server:
        answer, body = get(server.port, "/f.txt")
    assert answer.refused == "too large" and body == (b"hello" * 1000)[:4096]


@pytest.mark.parametrize("path", ["/f.txt", "/d/"])
def test_the_data_connection_is_closed_at_our_end_too(path):
    with Scripted({"SIZE": "500 what?\r\n"}, b"type=file; hello\r\n", lingering=True) as server:
        answer, body = get(server.port, path)
    assert not answer.incomplete and answer.head.phrase == "226 done" and b"hello" in body


@pytest.mark.parametrize("path", ["/a%0D%0ADELE%20x", "/a%00b"])
def test_a_path_with_control_characters_is_not_sent(path):
    with Scripted() as server:
        assert failure(server.port, path).reason == "protocol"
    assert not any("DELE" in each for each in server.commands)


def test_addresses_are_checked():
    with Scripted() as server, over("curl"):
        transport = transport_for(server.port, ftp="yes", resolve="")
        with pytest.raises(NotFetched, match="blocked address"):
            transport.get(asked(f"ftp://b.test:{server.port}/", address="169.254.0.1"), slot())
    assert not server.commands


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_only_with_the_key(transport):
    with Scripted() as server, over(transport):
        with pytest.raises(NotFetched) as error:
            transport_for(server.port, ftp="no").get(asked(f"ftp://127.0.0.1:{server.port}/f"), slot())
        assert error.value.reason == "ftp" and not server.commands
        answer = transport_for(server.port, ftp="yes").get(asked(f"ftp://127.0.0.1:{server.port}/f"), slot())
        assert answer.status == 200
