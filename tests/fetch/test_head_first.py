"""Types that are wanted, HEAD before GET, and headers of one request alone."""

import contextlib
import socket
import struct
import threading
import time

import pytest

from tests.fetch.requests import asked as request
from tests.fetch.transports import outcome, outcomes, slot, transport_for
from tests.support.cases import one_in
from tests.support.faults.killing import until
from tests.support.web.site import Answer, Web, moved, page
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.ring.messages import PAGE, ROBOTS

pytestmark = pytest.mark.usefixtures("transports")

HTML, IMAGE = (("Content-Type", "Text/HTML; charset=utf-8"),), (("Content-Type", "image/png"),)
CHUNKED, LONG = ("Transfer-Encoding", "chunked"), ("Content-Length", "9000")


FOUND = Answer(headers=HTML, body=b"page")

TYPES = [  # answer, kind of request -> why the body was refused, bytes kept
    (FOUND, PAGE, "", 4),
    (Answer(headers=IMAGE, body=b"x" * 4000), PAGE, "type", 0),
    (Answer(headers=IMAGE, body=b"x" * 9000), PAGE, "type", 0),
    (Answer(headers=IMAGE, body=b"x", length=9000), PAGE, "type", 0),
    (Answer(headers=IMAGE), PAGE, "type", 0),
    (Answer(headers=(*IMAGE, *HTML), body=b"x"), PAGE, "", 1),  # of several the last counts
    (Answer(headers=(*HTML, *IMAGE), body=b"x"), PAGE, "type", 0),
    (Answer(headers=IMAGE, body=b"x"), ROBOTS, "", 1),
    (Answer(status=404, headers=IMAGE, body=b"x"), PAGE, "", 1),
    (Answer(status=301, headers=(*IMAGE, ("Location", "/")), body=b"x"), PAGE, "", 1),
    (Answer(fate="raw", body=b"HTTP/1.1 200 OK\r\n\r\nno type"), PAGE, "", 7),
]

BOTH = (200, "", 4, 2, "GET")
HEADS = [  # answer to HEAD, to GET -> outcome, methods asked with
    (FOUND, FOUND, BOTH, "HG"),
    (Answer(), FOUND, BOTH, "HG"),
    (Answer(headers=(*HTML, CHUNKED)), FOUND, BOTH, "HG"),
    (Answer(headers=(*HTML, ("Connection", "close"))), FOUND, BOTH, "HG"),
    # the HEAD decides
    (Answer(headers=IMAGE), FOUND, (200, "type", 0, 1, "HEAD"), "H"),
    (Answer(headers=(*HTML, LONG)), FOUND, (200, "too large", 0, 1, "HEAD"), "H"),
    (moved("/x"), FOUND, (301, "", 0, 1, "HEAD"), "H"),
    (Answer(status=302, headers=(("Location", "/x"), CHUNKED)), FOUND, (302, "", 0, 1, "HEAD"), "H"),
    (Answer(status=429), FOUND, (429, "", 0, 1, "HEAD"), "H"),
    (Answer(status=503, headers=(*IMAGE, LONG)), FOUND, (503, "", 0, 1, "HEAD"), "H"),
    # it does not
    *((Answer(status=status), FOUND, BOTH, "HG") for status in (204, 300, 304, 403, 404, 405, 500, 501)),
    (Answer(status=404, headers=(*IMAGE, LONG)), FOUND, BOTH, "HG"),
    (Answer(fate="close"), FOUND, BOTH, "HG"),
    (Answer(fate="reset"), FOUND, BOTH, "HG"),
    # the GET does
    (FOUND, Answer(headers=IMAGE, body=b"x"), (200, "type", 0, 2, "GET"), "HG"),
    (FOUND, Answer(headers=HTML, body=b"x" * 9000), (200, "too large", 0, 2, "GET"), "HG"),
    (FOUND, Answer(status=503), (503, "", 0, 2, "GET"), "HG"),
    (FOUND, Answer(fate="stall"), ("timeout: read", "", 0, 2, ""), "HG"),
    (FOUND, Answer(fate="close"), ("kept connection closed", "", 0, 2, ""), "HG"),
    (Answer(fate="close"), Answer(fate="close"), ("disconnected", "", 0, 2, ""), "HG"),
    # silence is an answer
    (Answer(fate="stall"), FOUND, ("timeout: read", "", 0, 1, ""), "H"),
]

LENGTHS = {"9" * 30_000: (200, "too large", 0), "0" * 30_000 + "4": (200, "", 4), "4, 4": (200, "", 4)}
LENGTHS |= dict.fromkeys(("-1", "x", "\xb2"), ("protocol", "", 0))


def with_length(said):
    return Answer(fate="raw", body=f"HTTP/1.1 200 OK\r\nContent-Length: {said}\r\n\r\npage".encode("latin-1"))


@pytest.fixture(scope="module")
def web(transports):
    pages = {
        ("a.test", "/next"): Answer(headers=HTML, body=b"next"),
        ("a.test", "/slow"): Answer(body=page(), delay=0.05),
        ("a.test", "/204"): Answer(status=204, headers=(CHUNKED,)),
        ("a.test", "/304"): Answer(status=304, headers=(CHUNKED,)),
        **{("a.test", f"/type/{n}"): answer for n, (answer, *_) in enumerate(TYPES)},
        **{("a.test", f"/head/{n}"): [head, get] for n, (head, get, *_) in enumerate(HEADS)},
        **{("a.test", f"/length/{n}"): with_length(said) for n, said in enumerate(LENGTHS)},
    }
    with Web(pages) as web:
        yield web


def asked(web, path):
    return [hit for hit in web.log() if hit.path == path]


@pytest.mark.parametrize("case", range(len(TYPES)))
def test_types(web, case):
    answer, kind, refused, size = TYPES[case]
    transport = transport_for(web.port, types="text/*")
    status = 200 if answer.fate == "raw" else answer.status
    assert outcome(transport, web.url("a.test", f"/type/{case}"), kind) == (status, refused, size, 1, "GET")
    assert outcome(transport, web.url("a.test", "/next")) == (200, "", 4, 1, "GET")


@pytest.mark.parametrize("case", one_in(2, range(len(HEADS))))
def test_head_first(web, case):
    _, _, expected, methods = HEADS[case]
    transport = transport_for(web.port, types="text/*", head_first="yes")
    assert outcome(transport, web.url("a.test", f"/head/{case}")) == expected
    assert "".join(hit.method[0] for hit in asked(web, f"/head/{case}")) == methods
    assert outcome(transport, web.url("a.test", "/next")) == BOTH
    assert outcome(transport, web.url("a.test", "/next"), ROBOTS) == (200, "", 4, 1, "GET")


def test_both_are_one_exchange(web):
    transport = transport_for(web.port, head_first="yes")
    moment = time.time() + 0.1
    answer = transport.get(request(web.url("a.test", "/slow"), moment), slot())
    first, last = asked(web, "/slow")
    assert moment <= answer.started <= first.arrived < last.arrived < last.answered <= answer.ended
    assert last.arrived - first.answered < 0.05


def test_a_failed_connection_is_the_failure():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    assert outcome(transport_for(port, head_first="yes"), f"http://a.test:{port}/") == (
        "connection refused",
        "",
        0,
        1,
        "",
    )


def test_a_connection_that_does_not_come_about_is_the_failure():
    """It is cut off in the middle of the TLS handshake, and not tried again for the GET."""
    accepted = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def cut():
            with contextlib.suppress(OSError):
                while True:
                    accepted.append(listening.accept()[0])
                    accepted[-1].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    accepted[-1].close()

        thread = threading.Thread(target=cut)
        thread.start()
        port = listening.getsockname()[1]
        assert outcome(transport_for(port, head_first="yes"), f"https://a.test:{port}/")[0] in ("reset", "tls")
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()
    assert len(accepted) == 1


HEAD, BODY = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n", b"spil"


@contextlib.contextmanager
def server(answers, tls=None):
    """Answers every HEAD in the pieces given as (seconds before, bytes), and every GET as it should.

    Gives its port and, growing, the methods that it was asked with, those of one connection in one list.
    """
    listening = socket.create_server(("127.0.0.1", 0))
    methods, connections = [], []

    def serve(plain, asked):
        with contextlib.suppress(OSError), tls.wrap_socket(plain, server_side=True) if tls else plain as connection:
            while request := connection.recv(65536):
                asked.append(request[:1].decode())
                for wait, piece in answers if request.startswith(b"HEAD") else [(0, HEAD + b"page")]:
                    time.sleep(wait)
                    connection.sendall(piece)

    def accept():
        with contextlib.suppress(OSError):
            while True:
                connections.append(listening.accept()[0])
                methods.append([])
                threading.Thread(target=serve, args=(connections[-1], methods[-1]), daemon=True).start()

    thread = threading.Thread(target=accept)
    thread.start()
    try:
        yield listening.getsockname()[1], methods
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        for each in (listening, *connections):
            each.close()
        thread.join()


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([(0, HEAD)], ["HGHGHG"]),
        ([(0, HEAD + BODY)], ["H", "GH", "GH", "G"]),
        ([(0, HEAD + BODY * 10_000)], ["H", "GH", "GH", "G"]),
        ([(0, HEAD + b"HTTP/1.1 200 OK\r\n\r\nspil")], ["H", "GH", "GH", "G"]),
        ([(0, HEAD), (0.02, BODY)], None),  # after the GET was sent, most often
    ],
    ids=["no body", "one packet", "many", "an answer", "late"],
)
def test_a_body_after_a_head_is_taken_for_nothing(tls, scheme, answers, expected):
    with server(answers, tls if scheme == "https" else None) as (port, methods):
        transport = transport_for(port, head_first="yes", verify_tls="no")
        said = []
        for _ in range(3):
            *_, last = both = outcomes(transport, f"{scheme}://a.test:{port}/")
            assert last[:3] == (200, "", 4) and last[4] == "GET"
            said.extend(requests for *_, requests, _ in both)
            # A request that was given up is counted when its thread reads it, maybe after the next one was answered.
            until(lambda: sum(map(len, methods)) >= sum(said))
            assert sum(map(len, methods)) == sum(said)
    assert expected is None or ["".join(asked) for asked in methods] == expected


@pytest.mark.parametrize("status", [204, 304])
def test_a_chunked_answer_without_a_body(web, status):
    """What must have no body is not waited for, whatever the head says."""
    assert outcome(transport_for(web.port), web.url("a.test", f"/{status}")) == (status, "", 0, 1, "GET")


def test_headers_of_one_request_alone(web):
    transport = transport_for(web.port)
    headers = (("If-None-Match", '"1"'), ("Cookie", "a=b"))
    transport.get(request(web.url("a.test", "/next?1"), headers=headers), slot())
    transport.get(request(web.url("a.test", "/next?1")), slot())
    first, second = (hit.head for hit in asked(web, "/next?1"))
    assert (first["if-none-match"], first["cookie"]) == ('"1"', "a=b")
    assert set(first) - set(second) == {"if-none-match", "cookie"}


@pytest.mark.parametrize("value", ["a\r\nb", "\u20ac"])
def test_a_header_that_cannot_be_sent_is_a_failure_and_no_more(web, value):
    with pytest.raises(NotFetched):
        transport_for(web.port).get(request(web.url("a.test", "/next"), headers=(("Cookie", value),)), slot())


@pytest.mark.parametrize(("case", "wanted"), list(enumerate(LENGTHS.values())))
@pytest.mark.parametrize("head_first", ["no", "yes"])
def test_odd_lengths(web, case, wanted, head_first):
    transport = transport_for(web.port, head_first=head_first)
    assert outcome(transport, web.url("a.test", f"/length/{case}"))[:3] == wanted
