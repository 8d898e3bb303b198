"""A crawl of a site with the same bytes in many places, and copies of it to delete from."""

import shutil
from pathlib import Path

import pytest

from tests.support.crawls.crawling import Crawled, crawl
from tests.support.web.identical_bodies import pages
from tests.support.web.site import Web

OPTIONS = ("--scope", "any", "--no-obey-delay", "--set", "files.save=yes")


@pytest.fixture(scope="session")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Crawled, int]:
    """The crawl, and the port of its server."""
    with Web(pages()) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path_factory.mktemp("identical") / "c", *OPTIONS)
    assert done.status == 0, done.err
    return done, web.port


@pytest.fixture
def directory(first: tuple[Crawled, int], tmp_path: Path) -> Path:
    return shutil.copytree(first[0].directory, tmp_path / "c")
