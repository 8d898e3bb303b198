from collections.abc import Iterator
from pathlib import Path

import pytest

import ttcrawl
from tests.library.sample_crawl import make
from ttcrawl.library.crawl import Crawl


@pytest.fixture(scope="session")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("library") / "crawl")


@pytest.fixture
def opened(directory: Path) -> Iterator[Crawl]:
    with ttcrawl.open(directory) as crawl:
        yield crawl
