"""On which condition a robots.txt is asked for again."""

import pytest

from ttcrawl.frontier.version import NO_VERSION, version

URL = "http://a.test/robots.txt"

#: The moment of the answer, and dates before it, less than a minute before, and after it.
AT, OLD = 784111777.0, "Sun, 06 Nov 1994 08:48:37 GMT"
NOW, FUTURE = "Sun, 06 Nov 1994 08:49:07 GMT", "Mon, 07 Nov 2094 08:49:37 GMT"


@pytest.mark.parametrize(
    ("etag", "modified", "headers"),
    [
        ("", "", {}),
        ('"1"', "", {"If-None-Match": '"1"'}),
        ("", OLD, {"If-Modified-Since": OLD}),
        ('W/"1"', OLD, {"If-None-Match": 'W/"1"', "If-Modified-Since": OLD}),
        ("x" * 1024, "x" * 1025, {"If-None-Match": "x" * 1024}),
        # what a server may not make us send
        ('"1"\r\nHost: b.test', '"1"\nX: y', {}),
        ("caf\xe9", "\x00", {}),
        ("\t", "\x7f", {}),
        # what might be answered with 304 for ever, whatever the rules have become
        ('""', FUTURE, {}),
        ("*", NOW, {}),
        ('W/""', "yesterday", {}),
    ],
)
def test_condition(etag, modified, headers):
    assert dict(version(URL, etag, modified, AT).condition(URL)) == headers
    assert version(URL, etag, modified, AT).condition(URL + "?") == ()


def test_what_was_not_read_has_none():
    assert NO_VERSION.condition(URL) == NO_VERSION.condition("") == ()
