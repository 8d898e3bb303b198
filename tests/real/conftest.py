"""The documentation sites and the independent walk over them, once a session."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from benchmarks.docsites import ADDRESS, DocSites, Missing, docsites
from tests.real.walk import walk


@pytest.fixture(scope="session")
def sites() -> Iterator[DocSites]:
    try:
        serving = docsites()
        running = serving.__enter__()
    except Missing as missing:
        if os.environ.get("CI") == "true":  # there the real input is part of the bargain
            raise
        pytest.skip(str(missing))
    yield running
    serving.__exit__(None, None, None)


@pytest.fixture(scope="session")
def walked(sites: DocSites) -> dict[str, int]:
    """URL -> status of all three sites."""
    return walk(sites.seeds, ADDRESS, sites.port)
