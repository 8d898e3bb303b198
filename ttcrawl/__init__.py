"""ttcrawl: a polite crawler for people who study, archive or search the web.

>>> import ttcrawl
>>> ttcrawl.open("/nowhere")
Traceback (most recent call last):
    ...
ttcrawl.ask.view.errors.NotACrawl: /nowhere is no crawl directory: it does not exist
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own would be an import, and this module has none: the command is started often
if TYPE_CHECKING:
    import os

    from ttcrawl.ask.library.crawl import Crawl

__version__ = "0.1.0"

__all__ = ["__version__", "open"]


def open(directory: str | os.PathLike[str]) -> Crawl:
    """The crawl in a directory, for reading only, also while it runs. Raises ttcrawl.ask.view.errors.NotACrawl."""
    from ttcrawl.ask.library.crawl import Crawl

    return Crawl(directory)
