"""What cannot be settled, or not be kept, is the fault of its URL alone: that fails, and the crawl goes on.

Messages hold only what a database takes (`ttcrawl.web.storable`), so this should never happen. When it does there are
things in memory that were not written, and the other way round: the crawl goes back to its last commit, as after a
kill, and takes another outcome for this URL the next time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ttcrawl.errors import CrawlFailedError
from ttcrawl.ring.messages import Failed, Fetched
from ttcrawl.store.batches import REFUSALS, UnstorableError
from ttcrawl.store.database import StoreError
from ttcrawl.vocabulary.reason import STORE_ERROR, filled
from ttcrawl.web.storable import replace

#: Errors of the machine, or of the crawl as a whole.
OF_ALL = (OSError, MemoryError, CrawlFailedError, UnstorableError)


@contextlib.contextmanager
def blamed(url: str) -> Iterator[None]:
    """What is raised while a message about a URL ("": about none) is settled. Raises UnstorableError for it."""
    try:
        yield
    except OF_ALL:
        raise
    except Exception as error:
        if not url or (isinstance(error, StoreError) and not isinstance(error, REFUSALS)):
            raise
        raise UnstorableError({url: type(error).__name__}) from error


def instead(message: Any, why: str) -> Any:
    """What stands for a message of which something could not be kept."""
    if isinstance(message, Fetched):
        return replace(message, set_cookies=())
    if isinstance(message, Failed):
        return message
    return Failed(token=message.token, reason=filled(STORE_ERROR, why), detail="", stage="parse")
