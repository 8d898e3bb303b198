"""A crawl with each kind of secret: who got it, by the logs of the servers, and every file that the crawl wrote."""

import base64
import contextlib
import gzip
import ssl
import zlib
from urllib.parse import quote, quote_plus

import pytest

from tests.support.crawls.preforked import run
from tests.support.web.clients import client_files, server_for_clients
from tests.support.web.digest import DigestServer
from tests.support.web.members import PASSWORD, Members
from tests.support.web.proxies import running
from tests.support.web.site import Answer, Web, at, moved, page

SECRET = "Xq7%3 s3cret+/zZ"
TOKEN = "Xq7-s3cret-zZ"
PAGES = {
    ("a.test", "/"): Answer(body=page("/1", "/moved", at("b.test", "/linked"))),
    ("a.test", "/1"): Answer(body=page()),
    ("a.test", "/moved"): moved(at("b.test", "/target")),
    ("b.test", "/linked"): Answer(body=page()),
    ("b.test", "/target"): Answer(body=page()),
}
OF_WEB = {
    "header": ("X-Api-Key", ["--header", "host:a.test:{port} X-Api-Key: ${{SECRET}}"]),
    "cookie": ("Cookie", ["--cookies", "{outside}/cookies.txt"]),
    "basic": ("Authorization", ["--set", "fetch.login=a.test:{port}=me:${{SECRET}}"]),
    "bearer": ("Authorization", ["--set", "fetch.login=bearer:a.test:{port}=${{file:{outside}/token}}"]),
}


def forms_of(secret, user="me"):
    """A secret as it may stand in a file."""
    basic = base64.b64encode(f"{user}:{secret}".encode()).decode()
    return [each.encode() for each in (secret, quote(secret, ""), quote_plus(secret), basic)]


def crawled(directory, seed, resolve, *options):
    """The output of a crawl with all that it can write, and of commands that read it."""
    begin = ("crawl", seed, "-d", directory, "--scope", "any", *resolve, "--set", "politeness.delay=0")
    more = ("--set", f"hooks.events={directory}.events", "--set", f"crawl.metrics={directory}.metrics", *options)
    outputs = [run(*begin, *more, "--set", "politeness.address_delay=0", cwd=directory.parent, timeout=120)]
    assert outputs[0].returncode == 0, outputs[0].stderr
    exports = (("export", directory), ("export", directory, "-o", f"{directory}.sqlite"))
    for command in (("status", directory), ("report", directory), *exports):
        outputs.append(run(*command, cwd=directory.parent, timeout=120))
    return "".join(each.stdout + each.stderr for each in outputs).encode()


def without_gzip(data):
    """The members of a file of gzip, one after the other."""
    with contextlib.suppress(OSError, EOFError, zlib.error):
        return data + gzip.decompress(data)
    return data


def assert_nowhere(directory, output, secrets):
    files = [path for path in directory.parent.rglob("*") if path.is_file()]
    assert any(path.suffix == ".gz" for path in files) and any(path.name == "crawl.db" for path in files)
    for name, data in [("output", output), *((path.name, without_gzip(path.read_bytes())) for path in files)]:
        assert [each for each in secrets if each in data] == [], name


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["curl", "urllib3"])
@pytest.mark.parametrize("kind", OF_WEB)
def test_what_is_sent_with_each_request(tmp_path, monkeypatch, kind, transport):
    header, options = OF_WEB[kind]
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    secret = SECRET if kind in ("header", "basic") else TOKEN
    monkeypatch.setenv("SECRET", SECRET)
    (outside / "token").write_text(TOKEN)
    (outside / "cookies.txt").write_text(f"a.test\tFALSE\t/\tFALSE\t0\tsid\t{TOKEN}\n")
    with Web(PAGES, address="127.0.0.1") as web:
        resolve = [part for entry in web.resolve for part in ("--resolve", entry)]
        words = [each.format(port=web.port, outside=outside) for each in options]
        output = crawled(inside / "c", web.url("a.test", "/"), resolve, f"--set=fetch.transport={transport}", *words)
        got = {(hit.host, hit.path): hit.head.get(header.lower(), "") for hit in web.log()}
    needles = [each.decode() for each in forms_of(secret)]
    told = {host for (host, _), value in got.items() if any(each in value for each in needles)}
    assert told == {"a.test"} and {host for host, _ in got} == {"a.test", "b.test"}
    assert_nowhere(inside / "c", output, forms_of(secret))


@pytest.mark.slow
@pytest.mark.parametrize(("transport", "enctype"), [("curl", ""), ("curl", "multipart/form-data"), ("urllib3", "")])
def test_the_password_of_a_form(tmp_path, monkeypatch, transport, enctype):
    monkeypatch.setenv("SECRET", PASSWORD)
    with Members(lifetime=2, enctype=enctype) as site:
        site.links = (f"http://b.test:{site.port}/",)
        form = f"login.form={site.url('/login')} user=me password=${{SECRET}}"
        output = crawled(
            tmp_path / "c", site.url("/"), site.resolve, f"--set=fetch.transport={transport}", "--set", form
        )
    names = ("password=", 'name="password"')
    told = {(each.method, each.path) for each in site.seen if any(name in each.body + each.path for name in names)}
    assert told == {("POST", "/session?from=form")} and site.logins > 1
    others = [each for each in site.seen if each.head["host"].startswith("b.test")]
    assert others and not any("cookie" in each.head for each in others)
    assert_nowhere(tmp_path / "c", output, forms_of(PASSWORD))


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["curl", "urllib3"])
def test_a_password_for_digest(tmp_path, monkeypatch, transport):
    monkeypatch.setenv("SECRET", SECRET)
    with DigestServer(user="me", password=SECRET, uses=2) as server:
        login = f"fetch.login=digest:a.test:{server.port}=me:${{SECRET}}"
        resolve = ["--resolve", f"a.test:{server.port}:127.0.0.1"]
        output = crawled(tmp_path / "c", server.url("/"), resolve, f"--set=fetch.transport={transport}", "--set", login)
    responses = [part.split('"')[1] for head in server.heads for part in head.split(", ") if "response=" in part]
    assert [each.status for each in server.seen].count(200) == 4 and responses
    assert not any(each.decode() in head for each in forms_of(SECRET) for head in server.heads)
    assert_nowhere(tmp_path / "c", output, [*forms_of(SECRET), *(each.encode() for each in responses)])


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["curl", "urllib3"])
@pytest.mark.parametrize("scheme", ["http", "socks5h"])
def test_the_password_of_a_proxy(tmp_path, monkeypatch, scheme, transport):
    """Its server has a fixed one."""
    monkeypatch.setenv("SECRET", "p:w")
    pages = {("127.0.0.1", "/"): Answer(body=page("/1")), ("127.0.0.1", "/1"): Answer(body=page())}
    with Web(pages, address="127.0.0.1") as web, running(scheme, login=True) as proxy:
        through = f"fetch.proxy={scheme}://m%C3%A9:${{SECRET}}@127.0.0.1:{proxy.port}"
        allow = ("--set", "safety.allow=127.0.0.0/8", "--set", through, f"--set=fetch.transport={transport}")
        output = crawled(tmp_path / "c", f"http://127.0.0.1:{web.port}/", [], *allow)
        heads = [hit.head for hit in web.log()]
    assert proxy.log and heads and not any("proxy-authorization" in each for each in heads)
    assert_nowhere(tmp_path / "c", output, [each for each in forms_of("p:w", "mé") if len(each) > 5])


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["curl", "urllib3"])
def test_the_passphrase_of_a_certificate(tmp_path, monkeypatch, transport):
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    ca = client_files(outside, SECRET)
    monkeypatch.setenv("SSL_CERT_FILE", str(outside / "ca.pem"))
    monkeypatch.setenv("SECRET", SECRET)
    with server_for_clients(ca, ssl.CERT_REQUIRED) as (port, seen):
        line = f"login.certificates=a.test:{port} {outside}/me.pem {outside}/me.key ${{SECRET}}"
        options = (f"--set=fetch.transport={transport}", "--set", line)
        resolve = ["--resolve", f"a.test:{port}:127.0.0.1"]
        output = crawled(inside / "c", f"https://a.test:{port}/", resolve, *options)
    assert seen and all(each == ["me@example.test"] for each in seen)
    assert_nowhere(inside / "c", output, forms_of(SECRET))
