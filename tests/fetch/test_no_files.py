"""[files] download = no: of files that are no pages only the head is received."""

import pytest

from tests.fetch.requests import asked as request
from tests.fetch.transports import new_transport, slot
from tests.support.cases import some_fast
from tests.support.web.site import Answer, Web, moved
from ttcrawl.config import read
from ttcrawl.ring.messages import PAGE, ROBOTS

pytestmark = pytest.mark.usefixtures("transports")


def of(kind, **fields):
    return Answer(headers=(("Content-Type", kind),), body=b"x" * 500, **fields)


PDF, HTML, BYTES = of("application/pdf"), of("text/html"), of("application/octet-stream")
CHUNKED = Answer(headers=(("Content-Type", "application/pdf"), ("Transfer-Encoding", "chunked")))
NO_TYPE = Answer(fate="raw", body=b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage")  # nothing, to a HEAD

CASES = [  # path, its answer or those to the first request and the next -> why the body is refused, its length, methods
    ("a.pdf", PDF, "type", 0, "H"),
    ("a.PDF?page=1", PDF, "type", 0, "H"),
    ("b.docx", BYTES, "type", 0, "H"),
    ("b.zip", NO_TYPE, "type", 0, "HG"),
    ("c.pdf", CHUNKED, "type", 0, "H"),
    ("d.pdf", [Answer(status=405), PDF], "type", 0, "HG"),
    ("e.pdf", [Answer(status=405), HTML], "", 500, "HG"),
    ("f.pdf", [Answer(fate="close"), PDF], "type", 0, "HG"),
    ("g.pdf", moved("/a.pdf"), "", 0, "H"),
    ("h.pdf", HTML, "", 500, "HG"),  # a page about the file
    ("i.pdf", Answer(status=404, headers=HTML.headers, body=b"none"), "", 4, "HG"),
    # the extension says nothing
    ("file", PDF, "type", 0, "G"),
    ("file?name=a.pdf", PDF, "type", 0, "G"),
    ("bytes", BYTES, "type", 0, "G"),
    ("chunked", CHUNKED, "type", 0, "G"),
    ("image", of("image/png"), "type", 0, "G"),
    ("nothing", Answer(status=204, headers=PDF.headers), "", 0, "G"),
    ("nothing.pdf", Answer(status=204, headers=PDF.headers), "", 0, "HG"),
    ("lost", of("application/pdf", status=404), "", 500, "G"),
    ("none", NO_TYPE, "", 4, "G"),
    *((f"text/{n}", of(kind), "", 500, "G") for n, kind in enumerate(("text/plain", "text/css", "application/json"))),
    *((f"page/{n}", of(kind), "", 500, "G") for n, kind in enumerate(("text/html", "application/rss+xml", "text/xml"))),
]


@pytest.fixture(scope="module")
def web(transports):
    with Web({("a.test", f"/{path}"): answers for path, answers, *_ in CASES}) as web:
        yield web


def transport_of(web, **keys):
    keys = {
        "files.download": "no",
        "fetch.resolve": f"a.test:{web.port}:127.0.0.1",
        "safety.allow": "127.0.0.0/8",
    } | keys
    return new_transport(read(None, list(keys.items())))


def asked(transport, web, path, kind=PAGE, **fields):
    """Why the body was refused, its length, and the methods of the requests."""
    before = len(web.log())
    answer = transport.get(request(web.url("a.test", path), kind=kind, **fields), slot(1 << 20))
    return answer.refused, answer.body_size, "".join(hit.method[0] for hit in web.log()[before:] if hit.path == path)


@pytest.mark.parametrize(
    "case", some_fast(CASES, *CASES[::2]), ids=[f"{path} {expected}" for path, _, *expected in CASES]
)
def test_files_are_looked_at(web, case):
    path, _, *expected = case
    transport = transport_of(web, **{"fetch.max_body": "1m"})
    assert asked(transport, web, f"/{path}") == tuple(expected)
    assert asked(transport, web, "/none") == ("", 4, "G")  # the connection is of use


def test_what_is_downloaded_nevertheless(web):
    transport = transport_of(web, **{"links.page_requisites": "yes"})
    assert asked(transport, web, "/a.pdf") == ("type", 0, "H")
    assert asked(transport, web, "/a.pdf", requisite=1) == ("", 500, "G")
    assert asked(transport, web, "/a.pdf", kind=ROBOTS) == ("", 500, "G")
    assert asked(transport, web, "/a.pdf", sitemap=True) == ("", 500, "G")
    assert asked(transport, web, "/a.pdf", renew=True) == ("type", 0, "G")  # a HEAD may be why the last request failed
    no_requisites = transport_of(web)
    assert asked(no_requisites, web, "/a.pdf", requisite=1) == ("type", 0, "H")
