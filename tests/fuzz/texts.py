"""Strategies for texts that are nearly URLs."""

from hypothesis import strategies as st

ADDRESSES = (
    *(
        "http://",
        "https:",
        "//",
        "/",
        "..",
        "./",
        "@",
        ":",
        "[",
        "]",
        "?",
        "#",
        "%",
        "%00",
        "%zz",
        "xn--",
        "a.test",
        "\t",
    ),
    *(
        "www.",
        ".co.uk",
        "127.0.0.1",
        "0x7f.1",
        "[::1]",
        "\u3002",
        "ß",
        "\u202e",
        "\ud800",
        "\\",
        "javascript:",
        "data:,",
        ":99999",
    ),
)


def made_of(pieces):
    return st.lists(st.one_of(st.sampled_from(pieces), st.text(max_size=5)), max_size=20).map("".join)


BASE = "http://a.test/x/y?z"
