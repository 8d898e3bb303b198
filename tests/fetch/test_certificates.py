"""Certificates of the client over both transports: the server verifies them, and no other host sees them."""

import ssl

import pytest

from tests.fetch.requests import asked
from tests.fetch.transports import TRANSPORTS, new_transport, over, slot
from tests.support.web.clients import client_files, server_for_clients
from ttcrawl.config import ConfigError, read
from ttcrawl.config.certificates import certificates
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.web.line import Line

PASSPHRASE = "s3cret phrase"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """An authority, and the directory with files of a certificate of the client."""
    ca = client_files(tmp_path, PASSPHRASE)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    monkeypatch.setenv("PASSPHRASE", PASSPHRASE)
    return ca, tmp_path


def status(port, host, line):
    resolve = " ".join(f"{name}.test:{port}:127.0.0.1" for name in "ab")
    keys = [("safety.allow", "127.0.0.0/8"), ("fetch.resolve", resolve), ("login.certificates", line)]
    try:
        return new_transport(read(None, keys)).get(asked(f"https://{host}:{port}/"), slot()).status
    except NotFetched as error:
        return error.reason


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("line", ["me.pem {0}/me.key ${{PASSPHRASE}}", "both.pem"])
def test_a_server_that_wants_one_gets_it(files, transport, line):
    ca, directory = files
    with server_for_clients(ca, ssl.CERT_REQUIRED) as (port, seen), over(transport):
        own = f"a.test:{port} {directory}/{line.format(directory)}"
        assert status(port, "a.test", own) == 200
        assert status(port, "b.test", own) != 200
    assert seen == [["me@example.test"]]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_no_other_host_sees_it(files, transport):
    ca, directory = files
    with server_for_clients(ca, ssl.CERT_OPTIONAL) as (port, seen), over(transport):
        resolve = " ".join(f"{name}.test:{port}:127.0.0.1" for name in "ab")
        line = f"a.test:{port} {directory}/both.pem"
        keys = [("safety.allow", "127.0.0.0/8"), ("fetch.resolve", resolve), ("login.certificates", line)]
        transport = new_transport(read(None, keys))
        for host in ("a.test", "b.test", "a.test", "b.test"):
            assert transport.get(asked(f"https://{host}:{port}/"), slot()).status == 200
    assert seen == [["me@example.test"], [], ["me@example.test"], []]


@pytest.mark.parametrize(
    ("text", "environment", "why"),
    [
        ("a.test {0}/me.pem {0}/me.key", {}, "the passphrase is missing or wrong"),
        ("a.test {0}/me.pem {0}/me.key ${{P}}", {"P": "wrong"}, "the passphrase is missing or wrong"),
        ("a.test {0}/me.pem {0}/me.key ${{P}}", {}, "needs the environment variable P"),
        ("a.test {0}/none.pem", {}, "No such file"),
        ("a.test {0}/ca.pem", {}, "not a PEM certificate with its key"),
        ("a.test", {}, "write HOST FILE"),
        ("https://a.test/ x.pem", {}, "the host as in its URLs"),
        ("a.test x.pem $PASSPHRASE", {}, "write HOST FILE"),
    ],
)
def test_wrong_lines(files, text, environment, why):
    with pytest.raises(ConfigError, match=why):
        for each in certificates([Line(text=text.format(files[1]))]):
            each.checked(environment)
