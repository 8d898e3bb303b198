"""Headers of the configuration: who gets them, over both transports, and what an archive has of them."""

import pytest

from tests.fetch.requests import asked
from tests.fetch.transports import TRANSPORTS, over, slot, transport_for
from tests.support.web.site import Answer, Web, page
from ttcrawl.config import read
from ttcrawl.fetch.own_headers import OwnHeaders, without

TEXT = """
Accept-Language: de
path:/en/ Accept-Language: en
host:a.test Authorization: Bearer ${TOKEN}
host:a.test X-Key: ${TOKEN}-2
accept: text/plain
"""


@pytest.mark.parametrize(
    ("url", "more"),
    [
        ("http://a.test/", {"Authorization": "Bearer t0ken", "X-Key": "t0ken-2"}),
        ("http://b.test/en/1", {"Accept-Language": "en"}),
        ("http://b.test/?http://a.test/", {}),
        ("http://xa.test/", {}),
    ],
)
def test_who_gets_them(url, more):
    config = read(None, [("fetch.headers", TEXT), ("fetch.login", "b.test=me:secret")])
    own = OwnHeaders(config, {"TOKEN": "t0ken"})
    assert own.of_all == {"Accept-Language": "de", "Accept": "text/plain"}
    login = {"Authorization": "Basic bWU6c2VjcmV0"} if url.startswith("http://b.test/") else {}
    assert own.of(url, url.split("/")[2]) == login | more


@pytest.mark.parametrize("names", [[], ["X-Key"], ["x-key", "Cookie"]])
@pytest.mark.parametrize(
    "name", ["Authorization", "authorization", "AUTHORIZATION", "Proxy-Authorization", "X-Key", "Cookie"]
)
def test_secrets_are_removed_from_a_request_and_nothing_else(names, name):
    request = "GET /Authorization:1 HTTP/1.1\r\nX: Authorization: y\r\n{}: {}\r\nA: b\r\nX-Keys: c\r\n\r\n"
    secret = "authorization" in name.lower() or name.lower() in map(str.lower, names)
    kept = request.format(name, "(removed)" if secret else "s3cret=").encode()
    assert without(names)(request.format(name, "s3cret=").encode()) == kept


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_both_transports_send_them_once_and_archive_no_secret(transport, monkeypatch):
    monkeypatch.setenv("TOKEN", "t0ken")
    with Web({("a.test", "/"): Answer(body=page()), ("b.test", "/en/"): Answer(body=page())}) as web, over(transport):
        resolve = " ".join(f"{host}:{web.port}:127.0.0.1" for host in ("a.test", "b.test"))
        for url in (web.url("a.test", "/"), web.url("b.test", "/en/")):
            fetcher = transport_for(web.port, resolve=resolve, headers=TEXT)
            answer = fetcher.get(asked(url, headers=(("If-None-Match", "x"),)), slot())
            assert answer.head.request.count(b"Accept: ") == 1 and b"t0ken" not in answer.head.request
        of_a, of_b = (hit.head for hit in web.log())
    assert (of_a["authorization"], of_a["x-key"], of_a["accept"]) == ("Bearer t0ken", "t0ken-2", "text/plain")
    assert (of_b["accept-language"], of_b["if-none-match"]) == ("en", "x") and "authorization" not in of_b
