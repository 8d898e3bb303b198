"""pywb replays the archive of a crawl, and its WACZ: a part of the documentation of Python, with page requisites."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

from tests.real.installed import documentation, program
from tests.real.pywb import PYWB, fetched, replayed
from tests.support.crawls.crawling import query

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

PARTS = ("faq", "installing", "_static", "_images")

#: A redirect, and a page with the bytes of another one.
REDIRECT, COPY, ORIGINAL = "moved.html", "faq/copy.html", "faq/index.html"

#: What a browser loads to show a page.
REQUISITES = re.compile(
    r"""<(?:link\b[^>]*\brel="(?:stylesheet|icon)"[^>]*\bhref|img\b[^>]*\bsrc|script\b[^>]*\bsrc)="([^"]+)"""
)


class Site(SimpleHTTPRequestHandler):
    """The files, and one redirect."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path != f"/{REDIRECT}":
            super().do_GET()
            return
        self.send_response(301)
        self.send_header("Location", f"/{ORIGINAL}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serving(files: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Site, directory=str(files))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


class Crawl:
    """The directory of a crawl, and the files that were served."""

    def __init__(self, directory: Path, files: Path, url: str) -> None:
        self.directory, self.files, self.url = directory, files, url

    def file(self, url: str) -> bytes:
        path = self.files / url.removeprefix(self.url).partition("?")[0]
        return (path / "index.html" if path.is_dir() else path).read_bytes()


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    program("wayback", PYWB)
    base = tmp_path_factory.mktemp("pywb")
    files = base / "site"
    source = documentation("python3.11-doc")
    for part in PARTS:
        shutil.copytree(source / part, files / part)
    shutil.copy(files / ORIGINAL, files / COPY)
    links = "".join(f'<a href="{each}">{each}</a>' for each in (REDIRECT, ORIGINAL, COPY, "installing/index.html"))
    images = "".join(f'<img src="_images/{each.name}">' for each in sorted((files / "_images").iterdir())[:3])
    (files / "index.html").write_text(f"<!DOCTYPE html><title>Parts</title>{links}{images}")
    with serving(files) as url:
        command = [sys.executable, "-m", "ttcrawl", "crawl", url, "-d", str(base / "crawl"), "--page-requisites"]
        # one after the other: of pages that come together both bodies are stored
        command += ["--inline", "--no-obey-delay", "--set", "politeness.address_delay=0", "--progress", "none"]
        done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return Crawl(base / "crawl", files, url)


def check(replay: str, crawl: Crawl) -> None:
    """Every answer comes back byte for byte; a page shown by pywb loads only what pywb has."""
    pages = query(
        crawl.directory, "SELECT u.url, status, type, payload FROM page JOIN url u ON u.id = page.url ORDER BY 1"
    )
    types = {kind for _, status, kind, _ in pages if status == 200}
    assert {"text/html", "text/css", "image/png"} <= types and len(pages) > 20
    for url, status, _, _ in pages:
        answer = fetched(f"{replay}id_/{url}")
        assert answer[0] == status, url
        if status == 200:
            assert answer[2] == crawl.file(url), url
    assert {url for url, _, _, payload in pages if payload is not None} >= {f"{crawl.url}{COPY}"}
    moved = fetched(f"{replay}id_/{crawl.url}{REDIRECT}")
    assert moved[0] == 301 and moved[1]["Location"].endswith(f"/{ORIGINAL}")
    home = f"{replay}mp_/{crawl.url}{COPY}"
    status, _, page = fetched(home)
    loaded = [urljoin(home, each) for each in REQUISITES.findall(page.decode())]
    of_page = [each for each in loaded if "/c/" in each]
    assert status == 200 and len(of_page) > 3, loaded
    here = replay.removesuffix("c/")
    assert all(each.startswith(here) for each in loaded), "the page loads something from the web"
    assert {fetched(each)[0] for each in of_page} == {200}


def test_the_warc_files_replay(crawl: Crawl, tmp_path: Path) -> None:
    with replayed(tmp_path, *sorted((crawl.directory / "warc").iterdir())) as replay:
        check(replay, crawl)


def test_the_index_replays(crawl: Crawl, tmp_path: Path) -> None:
    """The export cdxj is the index of a collection as it is."""
    index = tmp_path / "crawl.cdxj"
    command = [sys.executable, "-m", "ttcrawl", "export", str(crawl.directory), "--format", "cdxj", "-o", str(index)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (tmp_path / "replay").mkdir()
    with replayed(tmp_path / "replay", *sorted((crawl.directory / "warc").iterdir()), index=index) as replay:
        check(replay, crawl)


def test_the_wacz_replays(crawl: Crawl, tmp_path: Path) -> None:
    wacz = tmp_path / "crawl.wacz"
    command = [sys.executable, "-m", "ttcrawl", "export", str(crawl.directory), "--format", "wacz", "-o", str(wacz)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (tmp_path / "replay").mkdir()
    with replayed(tmp_path / "replay", wacz) as replay:
        check(replay, crawl)
