from __future__ import annotations

import pytest

from ttcrawl import UsageError
from ttcrawl.config import Config, Line
from ttcrawl.config.compiled import compile_canon
from ttcrawl.engine.run.seeds import seed_urls

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


@pytest.mark.parametrize(
    ("wrong", "more"),
    [
        (1, ""),
        (2, "; nor is the seed of line 5"),
        (3, "; nor are the seeds of lines 5, 6"),
        (30, "; nor are the seeds of lines " + ", ".join(map(str, range(5, 25))) + " and 9 more"),
    ],
)
def test_wrong_lines_of_a_file_end_nothing(wrong: int, more: str) -> None:
    said: list[str] = []
    texts = ["a.test", "b.test", "https://a.test/", *["a b"] * wrong]
    lines = [Line(text=text, file="seeds.txt", number=number) for number, text in enumerate(texts, 1)]
    assert seed_urls(lines, CANON, said.append) == ("https://a.test/", "https://b.test/")
    first = "seeds.txt, line 4: the seed 'a b' is not an http or https URL"
    assert said == [f"{first}{more}; continuing with the other seeds"]
