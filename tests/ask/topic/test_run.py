"""`ttcrawl topic score`: files, pages of a crawl, a URL; what it prints and how it ends."""

import json

import pytest

from tests.ask.library.sample_crawl import make
from tests.mesh import mesh
from tests.site import Web
from ttcrawl.cli import main

LIST = "40: sundew[^\\s]*=CP.Drosera\n60: carnivorous plant=CP\n-10: baseball=CP\n"
PAGE = (
    "<!doctype html><title>Sundews</title><meta name=description content='A carnivorous plant'>"
    "<h1>Sundew</h1><p>It is a carnivorous plant; no baseball."
)


@pytest.fixture
def terms(tmp_path):
    path = tmp_path / "terms.txt"
    path.write_text(LIST)
    return path


def score(capsys, *words):
    status = main(["topic", "score", *map(str, words)])
    return status, *capsys.readouterr()


def test_a_file_is_explained(capsys, tmp_path, terms):
    (tmp_path / "page.html").write_text(PAGE)
    status, out, _ = score(capsys, tmp_path / "page.html", "--terms", terms)
    assert status == 0 and "accepted: the kept classes have" in out
    assert "    400.00      1      40  title          1  sundew[^\\s]* = CP.Drosera" in out
    status, out, _ = score(capsys, tmp_path / "page.html", "--terms", terms, "--format", "json")
    (shown,) = json.loads(out)
    assert [(each["term"], each["where"], each["points"]) for each in shown["matches"]][:2] == [
        ("sundew[^\\s]*", "title", 400),
        ("carnivorous plant", "metadata", 240),
    ]
    (tmp_path / "other.txt").write_text("nothing")
    assert score(capsys, tmp_path / "other.txt", "--terms", terms)[0] == 1


def test_a_crawl(capsys, tmp_path, terms):
    make(tmp_path / "crawl")
    status, out, _ = score(capsys, tmp_path / "crawl", "--terms", terms)
    assert status == 1 and ": 0 of " in out
    terms.write_text("1000: \\w+=P\n")
    status, out, _ = score(capsys, tmp_path / "crawl", "--terms", terms, "--format", "json")
    best = json.loads(out)["best"]
    url = best[0]["url"]
    assert status == 0 and best[0]["accepted"]
    status, out, _ = score(capsys, tmp_path / "crawl", url, "--terms", terms)
    assert status == 0 and out.startswith(f"{url}\n  accepted")
    status, _, err = score(capsys, tmp_path / "crawl", "http://never.test/", "--terms", terms)
    assert status == 1 and "never.test" in err


def test_a_url_is_fetched(capsys, tmp_path, terms):
    terms.write_text("1000: \\w+=P\n")
    with Web(mesh(["a.test"], 3, seed=2)) as web:
        resolve = ["--set", f"fetch.resolve={' '.join(web.resolve)}", "--set", "politeness.delay=0"]
        status, out, _ = score(capsys, web.url("a.test", "/"), "--terms", terms, *resolve)
    assert status == 0 and out.startswith(f"{web.url('a.test', '/')}\n  accepted")


@pytest.mark.parametrize(
    ("target", "content", "message"),
    [
        ("page.html", "wrong", "terms.txt, line 1, column 1: a line begins with a number"),
        ("missing", LIST, "No such file or directory; name a file"),
        ("binary", LIST, "is a binary file"),
        ("empty", LIST, "is not a crawl directory"),
    ],
)
def test_errors_are_one_line(capsys, tmp_path, terms, target, content, message):
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "binary").write_bytes(b"\x7fELF\0\1\2")
    (tmp_path / "empty").mkdir()
    terms.write_text(content)
    status, out, err = score(capsys, tmp_path / target, "--terms", terms)
    assert (status, out) == (2, "") and message in err and err.count("\n") == 1
