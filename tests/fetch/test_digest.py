"""HTTP Digest over both transports: a server verifies each response of ours, and libcurl's own Digest the server."""

import shutil
import subprocess

import pytest

from tests.fetch.requests import asked
from tests.fetch.transports import TRANSPORTS, over, slot, transport_for
from tests.support.web.digest import DigestServer
from ttcrawl.config import Login
from ttcrawl.fetch.digest import Challenge, authorization, challenge

SERVERS = {
    "MD5": {},
    "SHA-256": {"algorithm": "SHA-256", "qop": "auth"},
    "SHA-512-256": {"algorithm": "SHA-512-256"},
    "MD5-sess": {"algorithm": "MD5-sess"},
    "SHA-256-sess": {"algorithm": "SHA-256-sess"},
    "RFC 2069": {"qop": ""},
    "hashed user": {"algorithm": "SHA-256", "hashed_user": True},
    "Basic offered": {"basic": True},
    "other letters": {"user": "Jäsøn", "password": "Secret, or ü?"},
}


def fetched(server, paths, password="", **keys):
    """The status of each path, as one fetch process gets it."""
    encoded = (password or server.password).replace(" ", "%20")
    login = f"digest:a.test:{server.port}={server.user}:{encoded}"
    transport = transport_for(server.port, login=login, **keys)
    return [transport.get(asked(server.url(path)), slot()) for path in paths]


def test_the_examples_of_the_rfc():
    """RFC 7616 section 3.9.1, both algorithms; RFC 2617 section 3.5 has the first, too."""
    login = Login(user="Mufasa", password="Circle of Life")
    wanted = challenge(
        [
            'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256,'
            ' nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",'
            ' opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
        ]
    )
    nonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
    value = authorization(wanted, login, "GET", "/dir/index.html", count=1, client_nonce=nonce)
    assert 'response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"' in value
    first = Challenge(**{name: getattr(wanted, name) for name in wanted.__struct_fields__} | {"algorithm": "MD5"})
    value = authorization(first, login, "GET", "/dir/index.html", count=1, client_nonce=nonce)
    assert 'response="8ca523f5e9506fed4657c9700eebdbec"' in value


@pytest.mark.parametrize(
    ("values", "realm"),
    [
        (['Basic realm="x"'], None),
        (["Negotiate", "NTLM TlRMTVNTUAACAAAA=="], None),
        (['Digest realm="a", nonce="n", algorithm=SHA-3'], None),
        (['Digest realm="a", nonce="n", qop="auth-int"'], None),
        (['Digest realm="a"'], None),
        (['Digest realm="a", nonce="n", algorithm=SHA-3', 'Digest realm="b", nonce="n", algorithm=MD5'], "b"),
        (['Basic realm="x, Digest", digest Nonce=n, realm = "c"'], "c"),
        ([""], None),
        (['"'], None),
        (['Digest realm="d", nonce="n"' + "," * 100_000], "d"),  # each comma is read once
        (['Digest realm="e", nonce="n", x' + " " * 100_000], "e"),
    ],
)
def test_challenges(values, realm):
    found = challenge(values)
    assert (found and found.realm) == realm


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("name", SERVERS)
def test_the_server_accepts_each_response(name, transport):
    with DigestServer(**SERVERS[name]) as server, over(transport):
        answers = fetched(server, ["/", "/1?a=b&c=%C3%A9", "/2"])
        assert [each.status for each in answers] == [200, 200, 200]
    assert [each.why for each in server.seen] == ["no Authorization", "", "", ""]
    assert [each.requests for each in answers] == [2, 1, 1]
    assert b"Authorization: (removed)" in answers[1].head.request


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_stale_nonce_is_replaced_and_the_request_sent_again(transport):
    with DigestServer(uses=2) as server, over(transport):
        assert [each.status for each in fetched(server, ["/", "/1", "/2", "/3"])] == [200] * 4
    assert [each.why for each in server.seen] == ["no Authorization", "", "", "stale", "", ""]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_next_nonce_is_used_for_the_next_request(transport):
    with DigestServer(uses=1, following=True) as server, over(transport):
        assert [each.status for each in fetched(server, ["/", "/1", "/2"])] == [200] * 3
    assert [each.why for each in server.seen] == ["no Authorization", "", "", ""]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_wrong_password_is_sent_once(transport):
    """Many servers lock an account after a few."""
    with DigestServer() as server, over(transport):
        assert [each.status for each in fetched(server, ["/", "/1", "/2"], password="wrong")] == [401] * 3
    assert [each.why for each in server.seen].count("wrong response") == 1


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_head_and_get_have_responses_of_their_own(transport):
    with DigestServer() as server, over(transport):
        (answer,) = fetched(server, ["/1"], head_first="yes")
    assert answer.status == 200 and answer.method == "GET"
    assert [each.why for each in server.seen] == ["no Authorization", "", ""]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_no_other_host_gets_a_response(transport):
    with DigestServer() as server, DigestServer() as other, over(transport):
        login = f"digest:a.test:{server.port}=Mufasa:Circle%20of%20Life"
        transport = transport_for(server.port, resolve=f"a.test:{other.port}:127.0.0.1", login=login)
        assert transport.get(asked(other.url("/")), slot()).status == 401
    assert other.heads == [""]


def test_a_hashed_user():
    """RFC 7616 section 3.9.2, as erratum 4897 corrects it."""
    wanted = challenge(['Digest realm="api@example.org", nonce="n", algorithm=SHA-512-256, userhash=true'])
    value = authorization(wanted, Login(user="Jäsøn Doe", password="x"), "GET", "/", count=1, client_nonce="c")
    assert 'username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"' in value


#: Before 8.11 libcurl takes SHA-512-256 for SHA-256.
@pytest.mark.parametrize("name", [each for each in SERVERS if each != "SHA-512-256"])
def test_the_server_of_these_tests_agrees_with_libcurl(name):
    program = shutil.which("curl")
    if program is None:
        pytest.skip("curl is not installed")
    with DigestServer(**SERVERS[name]) as server:
        login = f"{server.user}:{server.password}"
        arguments = ["-s", "-o", "/dev/null", "-w", "%{http_code}", "--digest", "-u", login]
        resolve = ["--resolve", f"a.test:{server.port}:127.0.0.1", "--noproxy", "*"]
        done = subprocess.run([program, *arguments, *resolve, server.url("/1?a=b")], capture_output=True, text=True)
    assert done.stdout == "200", server.seen
