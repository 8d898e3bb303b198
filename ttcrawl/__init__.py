"""ttcrawl: a polite crawler for people who study, archive or search the web.

>>> import ttcrawl
>>> ttcrawl.open("/nowhere")
Traceback (most recent call last):
    ...
ttcrawl.NotACrawl: /nowhere is not a crawl directory: it does not exist

Programs may rely on the names in `__all__` and on the public methods of the objects they return: see docs/library.md.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would slow the start of the command
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Literal, Unpack, overload

    from pandas import DataFrame

    from ttcrawl.config import Config
    from ttcrawl.engine.run.api import HookFunctions
    from ttcrawl.engine.run.following import AsyncCrawl, Event
    from ttcrawl.errors import CrawlFailedError, UsageError
    from ttcrawl.inspect.changes.diff import Change
    from ttcrawl.inspect.search.hits import Hit
    from ttcrawl.lab.candidates import Score
    from ttcrawl.library.crawl import Crawl
    from ttcrawl.library.network import Network
    from ttcrawl.output.counters import Snapshot
    from ttcrawl.parse.hooks.page import HookLink, HookPage, HookResult
    from ttcrawl.report.study import Study
    from ttcrawl.report.summary import Summary
    from ttcrawl.snapshot.duplicate_groups import DuplicateGroup
    from ttcrawl.snapshot.errors import NotACrawl, NotThere
    from ttcrawl.snapshot.history import Answer
    from ttcrawl.snapshot.page_rows import PageRows
    from ttcrawl.snapshot.responses import Response
    from ttcrawl.snapshot.rows import (
        Document,
        Duplicate,
        Growth,
        Image,
        Link,
        Metadata,
        Overview,
        Page,
        Site,
        Topic,
        Url,
        Visit,
    )

__version__ = "1.0.0"

#: Module -> classes. Each module is imported at the first use of one of its classes.
_CLASSES = {
    "ttcrawl.config": ("Config",),
    "ttcrawl.errors": ("UsageError", "CrawlFailedError"),
    "ttcrawl.snapshot.errors": ("NotACrawl", "NotThere"),
    "ttcrawl.output.counters": ("Snapshot",),
    "ttcrawl.engine.run.following": ("AsyncCrawl", "Event"),
    "ttcrawl.library.crawl": ("Crawl",),
    "ttcrawl.library.network": ("Network",),
    "ttcrawl.inspect.changes.diff": ("Change",),
    "ttcrawl.snapshot.history": ("Answer",),
    "ttcrawl.snapshot.responses": ("Response",),
    "ttcrawl.snapshot.duplicate_groups": ("DuplicateGroup",),
    "ttcrawl.snapshot.page_rows": ("PageRows",),
    "ttcrawl.report.summary": ("Summary",),
    "ttcrawl.inspect.search.hits": ("Hit",),
    "ttcrawl.parse.hooks.page": ("HookLink", "HookPage", "HookResult"),
    "ttcrawl.report.study": ("Study",),
    "ttcrawl.snapshot.rows": (
        "Document",
        "Duplicate",
        "Growth",
        "Image",
        "Link",
        "Metadata",
        "Overview",
        "Page",
        "Site",
        "Topic",
        "Url",
        "Visit",
    ),
}

__all__ = [
    "Answer",
    "AsyncCrawl",
    "Change",
    "Config",
    "Crawl",
    "CrawlFailedError",
    "Document",
    "Duplicate",
    "DuplicateGroup",
    "Event",
    "Growth",
    "Hit",
    "HookLink",
    "HookPage",
    "HookResult",
    "Image",
    "Link",
    "Metadata",
    "Network",
    "NotACrawl",
    "NotThere",
    "Overview",
    "Page",
    "PageRows",
    "Response",
    "Site",
    "Snapshot",
    "Study",
    "Summary",
    "Topic",
    "Url",
    "UsageError",
    "Visit",
    "__version__",
    "crawl",
    "escape_untrusted",
    "open",
    "plot",
    "policy_visits",
    "read_seeds",
    "resume",
    "tables",
    "try_policies",
]


if TYPE_CHECKING:

    @overload
    def crawl(
        seeds: str | Iterable[str],
        directory: str | os.PathLike[str] | None = None,
        *,
        config: Config | None = None,
        settings: Mapping[str, object] | None = None,
        on_progress: Callable[[Snapshot], None] | None = None,
        asynchronous: Literal[False] = False,
        **hooks: Unpack[HookFunctions],
    ) -> Crawl: ...

    @overload
    def crawl(
        seeds: str | Iterable[str],
        directory: str | os.PathLike[str] | None = None,
        *,
        config: Config | None = None,
        settings: Mapping[str, object] | None = None,
        on_progress: Callable[[Snapshot], None] | None = None,
        asynchronous: Literal[True],
        **hooks: Unpack[HookFunctions],
    ) -> AsyncCrawl: ...


def crawl(
    seeds: str | Iterable[str],
    directory: str | os.PathLike[str] | None = None,
    *,
    config: Config | None = None,
    settings: Mapping[str, object] | None = None,
    on_progress: Callable[[Snapshot], None] | None = None,
    asynchronous: bool = False,
    **hooks: Unpack[HookFunctions],
) -> Crawl | AsyncCrawl:
    """Crawl from one or more URLs into a new directory until the crawl ends. Returns the crawl, opened for reading.

    The function works like the command `ttcrawl crawl`: the same processes, the same lines on stderr. Unlike the
    command, it prints no report and does not read the config.ini of the current directory. `config` is the
    configuration (None: the defaults); `settings` override it as in `Config.changed`. Without `directory`, the name of
    the first host names a new directory in the current one. `on_progress` is called with the counters four times a
    second and at the end. An exception that it raises ends the crawl as a kill does. The other keywords, `page`, `url`
    and `outcome`, are hooks: functions in a file that other processes import, called for every page, URL and outcome
    (docs/hooks.md). With `asynchronous`, the crawl is an asynchronous iterator of its events, for asyncio.

    In the main thread, Ctrl-C, SIGTERM and SIGHUP stop the crawl in order; a second one stops it at once. The function
    then commits everything and raises KeyboardInterrupt; `ttcrawl resume` continues the crawl. A limit such as
    crawl.max_pages ends the crawl without an error; `Crawl.finished` names the limit. Raises UsageError before anything
    is written, and CrawlFailedError if the crawl cannot start or continue.
    """
    from ttcrawl.engine.run import api

    job = api.job_of(seeds, directory, config, settings or {}, on_progress, hooks)
    if asynchronous:
        from ttcrawl.engine.run.following import AsyncCrawl

        return AsyncCrawl(job.directory, lambda followed: api.crawl(job, followed))
    api.crawl(job)
    return _ended(job.directory)


def read_seeds(file: str | os.PathLike[str], *, column: str = "") -> list[str]:
    """Return the URLs in a file, for `crawl`: a list in any of the forms that --seeds reads; "-" is standard input.

    `column` names the column of a table ("": url). Lines that are not URLs are named on stderr and left out. Raises
    UsageError for a file that cannot be read, or that has no URL.
    """
    from ttcrawl.engine.run.seeds import read_seeds as read

    return list(read(str(file), column))


if TYPE_CHECKING:

    @overload
    def resume(
        directory: str | os.PathLike[str],
        *,
        settings: Mapping[str, object] | None = None,
        on_progress: Callable[[Snapshot], None] | None = None,
        asynchronous: Literal[False] = False,
    ) -> Crawl: ...

    @overload
    def resume(
        directory: str | os.PathLike[str],
        *,
        settings: Mapping[str, object] | None = None,
        on_progress: Callable[[Snapshot], None] | None = None,
        asynchronous: Literal[True],
    ) -> AsyncCrawl: ...


def resume(
    directory: str | os.PathLike[str],
    *,
    settings: Mapping[str, object] | None = None,
    on_progress: Callable[[Snapshot], None] | None = None,
    asynchronous: bool = False,
) -> Crawl | AsyncCrawl:
    """Continue the crawl in a directory, however it stopped, until it ends. Returns it, opened for reading.

    It works like the command `ttcrawl resume`. `settings` change keys of its config.ini from now on. `on_progress`,
    `asynchronous`, Ctrl-C and errors are as for `crawl`.
    """
    from ttcrawl.engine.run import api

    if asynchronous:
        from pathlib import Path

        from ttcrawl.engine.run.following import AsyncCrawl

        return AsyncCrawl(
            Path(directory), lambda followed: api.resume(directory, settings or {}, on_progress, followed)
        )
    api.resume(directory, settings or {}, on_progress)
    return _ended(directory)


def _ended(directory: str | os.PathLike[str]) -> Crawl:
    ended = open(directory)
    if ended.finished == "interrupted":
        from ttcrawl.engine.run import api

        raise api.interrupted(ended.directory)
    return ended


def open(directory: str | os.PathLike[str]) -> Crawl:
    """Open the crawl in a directory for reading only, also while it runs. Raises NotACrawl.

    Of a cluster, all rings are read as one crawl; they are joined first, unless they were before.
    """
    from ttcrawl.cluster.results import crawl_to_read
    from ttcrawl.library.crawl import Crawl

    return Crawl(crawl_to_read(directory))


def tables(studies: Mapping[str, Study], *parts: str, form: str = "markdown") -> str:
    """Tables of the report, for one or more crawls side by side: {name: ttcrawl.open(DIR).study()}.

    `parts` are fields of a study, such as "laws" or "graph"; without them, all fields. `form` is "markdown",
    "text", "csv" or "latex". Raises UsageError.
    """
    from ttcrawl.report.forms import tables

    return tables(studies, parts, form)


def plot(
    studies: Mapping[str, Study],
    figures: str | Sequence[str],
    out: str | os.PathLike[str],
    *,
    heaps: Sequence[tuple[float, float]] = (),
) -> list[Path]:
    """Write figures of `ttcrawl plot`, for one or more crawls, into the directory `out`, each as PNG and as SVG.

    Figures are growth, laws, discovery, zipf, degrees, content and lsh. `heaps` are laws K n^beta, as pairs (K, beta);
    they are drawn beside the laws of the crawls. Raises UsageError for an unknown figure.
    """
    from ttcrawl.report.plots.drawing import plot_studies

    return plot_studies(studies, [figures] if isinstance(figures, str) else figures, out, heaps)


def try_policies(
    directory: str | os.PathLike[str],
    *policies: str | Score,
    trials: int = 1,
    settings: Mapping[str, object] | None = None,
) -> DataFrame:
    """Try policies on the web that a crawl has recorded, without a request. Returns a frame: a row for each point of
    the curves of each trial.

    `policies` are written as for `ttcrawl lab`, or are functions that take a candidate and return a number, larger is
    first. `trials` is the number of trials of each; `settings` are keys of config.ini. Raises NotACrawl, UsageError.
    """
    from ttcrawl.lab.frame import curve_frame

    return curve_frame(directory, policies, trials, settings or {})


def policy_visits(
    directory: str | os.PathLike[str],
    *policies: str | Score,
    trials: int = 1,
    settings: Mapping[str, object] | None = None,
) -> DataFrame:
    """Try policies as `try_policies` does. Returns a frame: a row for each visit in its order, so that programs can
    measure what they want: policy, trial, url, outcome ("page", "moved", "error", "not recorded"), seconds, requests,
    bytes.
    """
    from ttcrawl.lab.frame import visit_frame

    return visit_frame(directory, policies, trials, settings or {})


def escape_untrusted(text: str) -> str:
    """Return text from the web as one line for a terminal: characters that move the cursor or turn the text direction
    are escaped.
    """
    from ttcrawl.output import untrusted

    return untrusted.escape_untrusted(text)


if not TYPE_CHECKING:  # a type checker would otherwise accept every name

    def __getattr__(name: str) -> object:
        for module, names in _CLASSES.items():
            if name in names:
                from importlib import import_module

                return getattr(import_module(module), name)
        raise AttributeError(f"module 'ttcrawl' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
