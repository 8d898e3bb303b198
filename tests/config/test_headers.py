"""Lines of fetch.headers: what they may say, and where secrets come from."""

import pytest

from ttcrawl.config import ConfigError, Line, headers, read, resolved
from ttcrawl.config.public import public_settings, shows_secrets


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Accept-Language", "write NAME: VALUE"),
        ("a b Accept-Language: de", "write NAME: VALUE"),
        ("X-Empty:", "write NAME: VALUE"),
        ("Host: a.test", "Host cannot be set here: it belongs to the connection"),
        ("user-agent: x", "it is [agent] user_agent"),
        ("Range: bytes=0-", "cannot be set here"),
        ("X: caf\u00e9", "the value of X is not printable ASCII"),
        ("X: a\tb", "the value of X is not printable ASCII"),
        ("host:a.test authorization: Bearer abc", "write ${NAME} for an environment variable"),
        ("host:a.test Cookie: a=b", "Cookie is a secret"),
        ("Authorization: Bearer ${TOKEN}", "write host:NAME or https://NAME/* before it"),
        ("*a.test* X-Key: ${TOKEN}", "write host:NAME or https://NAME/* before it"),
        ("https://*.a.test/* X-Key: ${TOKEN}", "write host:NAME or https://NAME/* before it"),
        ("https://a.test* X-Key: ${TOKEN}", "write host:NAME or https://NAME/* before it"),
        ("path:/a X-Key: ${TOKEN}", "write host:NAME or https://NAME/* before it"),
        ("regex:( X: 1", "regex:(: missing ): ("),
    ],
)
def test_a_line_that_cannot_be_used(text, said):
    with pytest.raises(ConfigError) as error:
        headers([Line(text=text, file="config.ini", number=7)])
    assert str(error.value).startswith("config.ini, line 7: ") and said in str(error.value)
    assert "abc" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "pattern", "name", "value"),
    [
        ("Accept-Language:de", "", "Accept-Language", "de"),
        ("accept:  text/plain ", "", "Accept", "text/plain"),
        ("https://a.test/* X: http://b.test: c", "https://a.test/*", "X", "http://b.test: c"),
        ("host:a.test X: y", "host:a.test", "X", "y"),
    ],
)
def test_a_line_is_a_pattern_a_name_and_a_value(text, pattern, name, value):
    [header] = headers([Line(text=text)])
    assert (header.pattern, header.name, header.value, header.secret) == (pattern, name, value, False)


def secret(text):
    return headers([Line(text=f"host:a.test Authorization: {text}")])[0]


def test_secrets_come_from_the_environment_and_from_files(tmp_path):
    (tmp_path / "token").write_text("  t0ken \nmore\n")
    header = secret("A ${USER_1} ${file:" + str(tmp_path / "token") + "}")
    assert resolved(header, {"USER_1": "me"}).value == "A me t0ken"


@pytest.mark.parametrize(
    ("reference", "content", "said"),
    [
        ("${NOTHING}", None, "needs the environment variable NOTHING"),
        ("${file:FILE}", None, "No such file or directory"),
        ("${file:FILE}", b"\n\nx", "its first line is empty"),
        ("${file:FILE}", b"\xff", "it is not text"),
        ("${file:FILE}", "s3cret \u00e9".encode(), "is not printable ASCII"),
        ("${ODD}", None, "is not printable ASCII"),
    ],
)
def test_a_secret_that_is_missing_or_cannot_be_sent(tmp_path, reference, content, said):
    if content is not None:
        (tmp_path / "file").write_bytes(content)
    header = secret(reference.replace("FILE", str(tmp_path / "file")))
    with pytest.raises(ConfigError) as error:
        resolved(header, {"ODD": "s3cret\r\nX: y"})
    assert said in str(error.value) and "s3cret" not in str(error.value)


def test_a_cookie_and_those_of_servers_are_not_mixed():
    cookie = ("fetch.headers", "host:a.test Cookie: ${SID}")
    with pytest.raises(ConfigError, match="headers has a Cookie, and cookies = kept"):
        read(None, [cookie, ("fetch.cookies", "kept")])
    config = read(None, [cookie])
    assert shows_secrets(config) and public_settings(config) == ["fetch.headers = host:a.test Cookie: ${SID}"]
