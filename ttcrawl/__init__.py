"""ttcrawl: a polite crawler for people who study, archive or search the web.

>>> import ttcrawl
>>> ttcrawl.open("/nowhere")
Traceback (most recent call last):
    ...
ttcrawl.NotACrawl: /nowhere is no crawl directory: it does not exist

What is in `__all__`, and the public methods of what it returns, is what programs build on; docs/library.md tells of it.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own would be an import, and this module has none: the command is started often
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from ttcrawl.ask.graph.network import Network
    from ttcrawl.ask.library.archive import Response
    from ttcrawl.ask.library.crawl import Crawl
    from ttcrawl.ask.library.rows import Document, Duplicate, Growth, Image, Link, Page, Record, Site, Url, Visit
    from ttcrawl.ask.library.same import Same
    from ttcrawl.ask.library.whole import Whole
    from ttcrawl.ask.report.summary import Summary
    from ttcrawl.ask.study.study import Study
    from ttcrawl.ask.view.errors import NotACrawl, NotThere
    from ttcrawl.config import Config
    from ttcrawl.engine.counters import Snapshot
    from ttcrawl.errors import CrawlFailedError, UsageError

__version__ = "0.1.0"

#: Where the classes are, which are imported when they are first asked for.
_CLASSES = {
    "ttcrawl.config": ("Config",),
    "ttcrawl.errors": ("UsageError", "CrawlFailedError"),
    "ttcrawl.ask.view.errors": ("NotACrawl", "NotThere"),
    "ttcrawl.engine.counters": ("Snapshot",),
    "ttcrawl.ask.library.crawl": ("Crawl",),
    "ttcrawl.ask.graph.network": ("Network",),
    "ttcrawl.ask.library.archive": ("Response",),
    "ttcrawl.ask.library.same": ("Same",),
    "ttcrawl.ask.library.whole": ("Whole",),
    "ttcrawl.ask.report.summary": ("Summary",),
    "ttcrawl.ask.study.study": ("Study",),
    "ttcrawl.ask.library.rows": (
        *("Document", "Duplicate", "Growth", "Image", "Link", "Page", "Record", "Site", "Url", "Visit"),
    ),
}

__all__ = [
    "Config",
    "Crawl",
    "CrawlFailedError",
    "Document",
    "Duplicate",
    "Growth",
    "Image",
    "Link",
    "Network",
    "NotACrawl",
    "NotThere",
    "Page",
    "Record",
    "Response",
    "Same",
    "Site",
    "Snapshot",
    "Study",
    "Summary",
    "Url",
    "UsageError",
    "Visit",
    "Whole",
    "__version__",
    "crawl",
    "escape_untrusted",
    "open",
    "plot",
    "tables",
]


def crawl(
    seeds: str | Iterable[str],
    directory: str | os.PathLike[str] | None = None,
    *,
    config: Config | None = None,
    settings: Mapping[str, object] | None = None,
    on_progress: Callable[[Snapshot], None] | None = None,
) -> Crawl:
    """Crawl from one or more URLs into a new directory, until the crawl ends; the crawl, opened for reading.

    It is the crawl of the command `ttcrawl crawl`, with the same processes and lines on stderr, but for its report and
    the config.ini of the current directory, which is not read: `config` is the configuration (None: the defaults), over
    which `settings` go as `Config.changed` has them. Without `directory` it is named by the first host, in the current
    directory. `on_progress` is called four times a second, and at the end, with the counters; what it raises ends the
    crawl as a kill does.

    In the main thread Ctrl-C, SIGTERM and SIGHUP end it in order (a second one at once), and KeyboardInterrupt is
    raised when all is committed; `ttcrawl resume` goes on. A limit such as crawl.max_pages ends it without an error:
    `Crawl.finished` says which. Raises UsageError before anything was written, CrawlFailedError where the crawl cannot
    begin or go on.
    """
    from ttcrawl.engine.api import crawl as run

    ended = open(run(seeds, directory, config, settings or {}, on_progress))
    if ended.finished == "interrupted":
        raise KeyboardInterrupt(f"ttcrawl resume {ended.directory} goes on")
    return ended


def open(directory: str | os.PathLike[str]) -> Crawl:
    """The crawl in a directory, for reading only, also while it runs. Raises NotACrawl."""
    from ttcrawl.ask.library.crawl import Crawl

    return Crawl(directory)


def tables(studies: Mapping[str, Study], *parts: str, form: str = "markdown") -> str:
    """Tables of the report, of one or more crawls side by side: {name: ttcrawl.open(DIR).study()}.

    `parts` are fields of a study: "laws", "graph" ...; none: all. `form` is markdown or text. Raises UsageError.
    """
    from ttcrawl.ask.study.render import tables

    return tables(studies, parts, form)


def plot(
    studies: Mapping[str, Study],
    figures: str | Sequence[str],
    out: str | os.PathLike[str],
    *,
    heaps: Sequence[tuple[float, float]] = (),
) -> list[Path]:
    """Figures of `ttcrawl plot` of one or more crawls, written into the directory `out`, each as PNG and as SVG.

    Figures are growth, laws, discovery, zipf, degrees, content and lsh. `heaps` are laws K n^beta, as (K, beta), to be
    drawn beside those of the crawls. Raises UsageError for a figure that there is not.
    """
    from ttcrawl.ask.plots.run import plot_studies

    return plot_studies(studies, [figures] if isinstance(figures, str) else figures, out, heaps)


def escape_untrusted(text: str) -> str:
    """One line for a terminal of a text from the web: what would move the cursor or turn the direction is escaped."""
    from ttcrawl.web.shown import shown

    return shown(text)


if not TYPE_CHECKING:  # or every name would be there

    def __getattr__(name: str) -> object:
        for module, names in _CLASSES.items():
            if name in names:
                from importlib import import_module

                return getattr(import_module(module), name)
        raise AttributeError(f"module 'ttcrawl' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
