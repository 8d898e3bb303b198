"""URLs for people."""

import pytest

from ttcrawl.output.readable import readable


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("/plain/", "/plain/"),
        ("/%D7%AA%D7%99%D7%A7/%E6%97%A5/", "/תיק/日/"),
        ("http://a.test/caf%c3%a9", "http://a.test/café"),
        ("/100%25/%2F/%3F/", "/100%25/%2F/%3F/"),  # decoded, it would be another URL
        ("/%E9/", "/%E9/"),  # Latin-1
        ("/%C3%A9%FF/", "/%C3%A9%FF/"),
        ("/%E2%80%AE/%C2%80/%E2%80%8B", "/%E2%80%AE/%C2%80/%E2%80%8B"),
        ("/%C2%A0/%EE%80%80", "/%C2%A0/%EE%80%80"),  # a blank that looks like one, a private character
        ("", ""),
    ],
)
def test_letters_are_shown_as_they_are(url, shown):
    assert readable(url) == shown
