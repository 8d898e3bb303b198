from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.library.sample_crawl import make
from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web
from ttcrawl.cli import main
from ttcrawl.snapshot.snapshot import View, view


@pytest.fixture(scope="session")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("export") / "crawl")


@pytest.fixture
def db(directory: Path) -> Iterator[View]:
    with view(directory) as db:
        yield db


@pytest.fixture
def export(directory: Path, tmp_path: Path) -> Callable[..., Path]:
    """`ttcrawl export --format FORMAT -o FILE ...`, which ends well; returns the file."""

    def export(form: str, *options: str, name: str = "out", crawl: Path = directory) -> Path:
        assert main(["export", str(crawl), "--format", form, "-o", str(tmp_path / name), *options]) == 0
        return tmp_path / name

    return export


LONG = b" ".join(b"word%d" % n for n in range(60))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Web, Path]]:
    """A small web and its crawl: a redirect, a style sheet, a copy, an error, an entry of robots.txt."""
    home = (
        b'<title>Home</title><link rel=stylesheet href=/s.css><a href="/b?x=1&amp;y=2">the b</a> <a href=/old>old</a>'
    )
    pages = {
        ("a.test", "/"): Answer(
            body=home + b"<a href=/copy>copy</a><a href=/gone>gone</a><a href=/secret>s</a><p>" + LONG
        ),
        ("a.test", "/b?x=1&y=2"): Answer(body=b'<title>\xc3\xa9</title><a href="/">home again</a><p>' + LONG + b" b"),
        ("a.test", "/copy"): Answer(body=b'<title>\xc3\xa9</title><a href="/">home again</a><p>' + LONG + b" b"),
        ("a.test", "/old"): Answer(status=301, headers=(("Location", "/new"),)),
        ("a.test", "/new"): Answer(body=b"<meta name=robots content=noindex><p>new " + LONG),
        ("a.test", "/s.css"): Answer(headers=(("Content-Type", "text/css"),), body=b"b {}"),
        ("a.test", "/secret"): Answer(body=b"secret"),
        ("a.test", "/robots.txt"): Answer(body=b"User-agent: *\nDisallow: /secret\n"),
    }
    directory = tmp_path_factory.mktemp("site") / "crawl"
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), directory, "--no-obey-delay", "--set", "links.kinds=+stylesheet")
        assert done.status == 0, done.err
        yield web, directory


XHTML = b'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title></head><body><p>text</p></body></html>'


@pytest.fixture(scope="session")
def xhtml(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A crawl of one page in XHTML, and the bytes of the page."""
    directory = tmp_path_factory.mktemp("xhtml") / "crawl"
    pages = {("a.test", "/"): Answer(headers=(("Content-Type", "application/xhtml+xml"),), body=XHTML)}
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), directory, "--no-obey-delay")
    assert done.status == 0, done.err
    return directory, XHTML
