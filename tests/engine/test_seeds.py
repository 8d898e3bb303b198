from __future__ import annotations

import pytest

from ttcrawl import UsageError
from ttcrawl.config import Config, Line
from ttcrawl.engine.seeds import seed_urls
from ttcrawl.web.canon import compile_canon

CANON = compile_canon(Config().url)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://a.test", "http://a.test/"),
        ("HTTPS://A.test/x#y", "https://a.test/x"),
        # without a scheme, as Chromium does with what is typed: TypedNavigationUpgradeThrottle
        ("example.org", "https://example.org/"),
        ("example.org/docs?a=1", "https://example.org/docs?a=1"),
        ("bücher.example", "https://xn--bcher-kva.example/"),
        ("example.org:443/x", "https://example.org/x"),
        ("example.org:80", "http://example.org/"),
        ("example.org:8000", "http://example.org:8000/"),
        ("localhost", "http://localhost/"),
        ("docs.localhost:8000/x", "http://docs.localhost:8000/x"),
        ("127.0.0.1", "http://127.0.0.1/"),
        ("[::1]:8080/", "http://[::1]:8080/"),
    ],
)
def test_a_seed_as_it_is_written(text: str, url: str) -> None:
    assert seed_urls([Line(text=text)], CANON, pytest.fail) == (url,)


@pytest.mark.parametrize(
    "text", ["example", "/docs", "mailto:a@b.test", "ftp://a.test/", "a b", "javascript:1", "?x.y"]
)
def test_what_is_no_seed(text: str) -> None:
    with pytest.raises(UsageError, match="is not an http or https URL"):
        seed_urls([Line(text=text)], CANON, pytest.fail)


def test_a_wrong_line_of_a_file_ends_nothing() -> None:
    said: list[str] = []
    texts = ["a.test", "", "b.test", "a b", "https://a.test/"]
    lines = [Line(text=text, file="seeds.txt", number=number) for number, text in enumerate(texts, 1)]
    assert seed_urls(lines, CANON, said.append) == ("https://a.test/", "https://b.test/")
    assert said == [
        "seeds.txt, line 2: the seed '' is not an http or https URL and 1 more; continuing with the other seeds"
    ]
