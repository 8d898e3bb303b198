"""What becomes of a response whose parsing raised an error."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.ring.messages import Broken, Failed
from ttcrawl.vocabulary.reason import PARSE_ERROR, filled


def failed(token: int, error: Exception) -> Failed:
    """Any error of a library or a hostile page loses at most this page."""
    return Failed(token=token, reason=filled(PARSE_ERROR, type(error).__name__), detail=str(error), stage="parse")


def unreadable(archive: Path, error: OSError) -> Broken:
    """A file of the archive that cannot be read ends the crawl."""
    return Broken(message=f"cannot read {error.filename or archive}: {error.strerror or error}; restore the file")
