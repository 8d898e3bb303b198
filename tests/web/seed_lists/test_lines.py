"""A line of a list: the URL in it, and what follows."""

import pytest

from ttcrawl.web.seed_lists.lines import url_of

A = "http://a.test/a"


@pytest.mark.parametrize(
    ("line", "url", "rest"),
    [
        (A, A, ""),
        (f"  {A}\t\n", A, ""),
        (f"{A} # the first", A, ""),
        (f"{A}\t# the first", A, ""),
        (f"{A}#x", f"{A}#x", ""),
        (f"{A}#x # why", f"{A}#x", ""),
        (f"{A}\tIts title", A, ""),
        (f"{A} Its title", A, "Its title"),
        (f"{A} tag=x # Heritrix keeps annotations there", A, "tag=x # Heritrix keeps annotations there"),
        ("a.test/x its title", "a.test/x", "its title"),
        ("localhost:8000 x", "localhost:8000", "x"),
        ("[::1]:8000/x y", "[::1]:8000/x", "y"),
        ("", "", ""),
        ("   ", "", ""),
        ("# why", "", ""),
        ("---", "", ""),
        ("seeds:", "", ""),
        (f"- {A}", A, ""),
        (f"* {A}", A, ""),
        (f"+ {A}", A, ""),
        (f"12. {A}", A, ""),
        (f"- url: {A}", A, ""),
        (f"    url: '{A}'", A, ""),
        (f"<{A}>", A, ""),
        (f'"{A}",', A, ""),
        (f"'{A}'", A, ""),
        (f"“{A}”", A, ""),
        (f"- [Its title]({A})", A, ""),
        (f'[t]({A} "Its title")', A, ""),
        (f"200 CRAWLED {A} http://a.test/b", A, ""),
        ("no seed", "no seed", ""),
        ("no seed # why", "no seed", ""),
        ("+http://(org,example,", "+http://(org,example,", ""),
        ("mailto:a@b.test x", "mailto:a@b.test x", ""),
        ('"unclosed', '"unclosed', ""),
    ],
)
def test_the_url_of_a_line(line, url, rest):
    assert url_of(line) == (url, rest)
