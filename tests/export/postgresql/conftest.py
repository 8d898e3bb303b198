from collections.abc import Iterator

import pytest

from tests.support.crawls.postgresql import Postgresql, postgresql


@pytest.fixture(scope="session")
def running_server() -> Iterator[Postgresql]:
    with postgresql() as server:
        yield server


@pytest.fixture
def server(running_server: Postgresql) -> Postgresql:
    """A server whose database is empty."""
    running_server.clear()
    return running_server
