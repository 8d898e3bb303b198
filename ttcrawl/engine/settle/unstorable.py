"""An outcome that cannot be processed or stored affects its URL alone: the URL fails, and the crawl continues.

Messages have only values that a database accepts (`ttcrawl.web.storable`), so this should never happen. If it does,
memory and database differ: the crawl returns to its last commit, as after a kill, and takes another outcome for this
URL the next time.
"""

from __future__ import annotations

from typing import Any

from ttcrawl.errors import CrawlFailedError
from ttcrawl.ring.messages import Failed, Fetched
from ttcrawl.store.batches import REFUSALS, UnstorableError
from ttcrawl.store.database import StoreError
from ttcrawl.vocabulary.reason import STORE_ERROR, filled
from ttcrawl.web.storable import replace

#: Errors of the machine, or of the crawl as a whole.
OF_ALL = (OSError, MemoryError, CrawlFailedError, UnstorableError)


def concerns_all(error: Exception) -> bool:
    """Whether an error while a message is processed does not depend on its URL."""
    return isinstance(error, OF_ALL) or (isinstance(error, StoreError) and not isinstance(error, REFUSALS))


def instead(message: Any, why: str) -> Any:
    """Return a replacement for a message that could not be stored."""
    if isinstance(message, Fetched):
        return replace(message, set_cookies=())
    if isinstance(message, Failed):
        return message
    return Failed(token=message.token, reason=filled(STORE_ERROR, why), detail="", stage="parse")
