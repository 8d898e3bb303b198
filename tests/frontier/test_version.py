"""On which condition a robots.txt is asked for again."""

import pytest

from ttcrawl.frontier.version import NO_VERSION, version

URL = "http://a.test/robots.txt"


@pytest.mark.parametrize(
    ("etag", "modified", "headers"),
    [
        ("", "", {}),
        ('"1"', "", {"If-None-Match": '"1"'}),
        ("", "yesterday", {"If-Modified-Since": "yesterday"}),
        ('W/"1"', "yesterday", {"If-None-Match": 'W/"1"', "If-Modified-Since": "yesterday"}),
        ("x" * 1024, "x" * 1025, {"If-None-Match": "x" * 1024}),
        # what a server may not make us send
        ('"1"\r\nHost: b.test', '"1"\nX: y', {}),
        ("caf\xe9", "\x00", {}),
        ("\t", "\x7f", {}),
    ],
)
def test_condition(etag, modified, headers):
    assert dict(version(URL, etag, modified).condition(URL)) == headers
    assert version(URL, etag, modified).condition(URL + "?") == ()


def test_what_was_not_read_has_none():
    assert NO_VERSION.condition(URL) == NO_VERSION.condition("") == ()
