"""The web that crawls of clusters share."""

import pytest

from tests.cluster.clusters import web_of


@pytest.fixture(scope="module")
def web():
    with web_of() as web:
        yield web
