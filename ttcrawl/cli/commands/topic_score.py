"""`ttcrawl topic score`: by which rules, and of what."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ttcrawl.cli.commands.topic_options import OF_TERMS
from ttcrawl.cli.configuration import file_of, overrides
from ttcrawl.config import Config, Override, Topic, read
from ttcrawl.errors import DONE, UsageError
from ttcrawl.output.display import ReadProgress, tell

if TYPE_CHECKING:
    from ttcrawl.inspect.topic.judgment import Judge

#: Options that are keys of [topic].
KEYS = ("terms", "model", "algorithm", "hierarchy", "stop_words", "sites_ok", "compatible", "languages")


def score_topic(options: argparse.Namespace, crawled: Callable[[argparse.Namespace], Path]) -> int:
    """Returns the exit status. `crawled`: crawls the seeds in the options. Raises UsageError, CrawlFailedError."""
    from ttcrawl.cli.commands.topic import Scoring
    from ttcrawl.snapshot.snapshot import view

    named = Path(options.target)
    if named.is_dir():
        with view(named) as db:
            config = db.config
        if options.save:
            return _save(options, named)
        scoring = Scoring(_judge(options, named, config), limit=options.limit or 20, format=options.format)
        return scoring.pages(named, options.urls) if options.urls else scoring.crawl(named)
    if options.save or options.urls:
        raise UsageError(f"{named} is no directory of a crawl: name one page, or a crawl and pages of it")
    scoring = Scoring(_judge(options, None, read(file_of(options))), format=options.format)
    if named.exists() or "://" not in options.target:
        return scoring.file(named)
    options.seeds = [options.target]
    options.progress = "none"
    options.temporary = True
    with TemporaryDirectory(prefix="ttcrawl-") as folder:
        options.directory = Path(folder) / "crawl"
        options.set = [*options.set, "crawl.max_pages=1", "fetch.retries=0"]
        return scoring.fetched(crawled(options), options.target)


def _judge(options: argparse.Namespace, directory: Path | None, config: Config) -> Judge:
    """What decides by the options, over what the crawl in the directory has itself. Raises UsageError."""
    from ttcrawl.inspect.topic.judges import ByAssessor
    from ttcrawl.topic.files import assessor_of, copied

    own = copied(config.topic, directory) if directory else config.topic
    settings = replace(own, **changes(options, directory))
    if not settings.terms:
        _belong_to_terms(options)
    assessor, remarks = assessor_of(settings)
    if assessor is None:
        why = "the hook for pages decides about this crawl: " if settings.hook else ""
        raise UsageError(f"{why}name a list of terms with --terms, or a model with --model")
    for line in remarks:
        tell(line)
    return ByAssessor(assessor, compatible=settings.compatible)


def changes(options: argparse.Namespace, directory: Path | None) -> dict[str, Any]:
    """Key of [topic] -> its value, of the keys that the command line sets: by their options, or by --set topic.KEY.

    A list without a model decides alone. Raises UsageError, ConfigError.
    """
    result = _set(overrides(options), directory / "config.ini" if directory else file_of(options))
    for key in KEYS:
        value = getattr(options, key)
        if isinstance(value, frozenset):
            result[key] = " ".join(sorted(value))
        elif value:
            result[key] = str(value) if isinstance(value, Path) else value
    return {"model": "", **result} if "terms" in result else result


def _set(every: Sequence[Override], file: Path | None) -> dict[str, Any]:
    own = [each for each in every if each[0].startswith("topic.")]
    settings: Topic = read(file, own).topic
    return {key: getattr(settings, key) for key in (each[0].removeprefix("topic.") for each in own)}


def _belong_to_terms(options: argparse.Namespace) -> None:
    for name in OF_TERMS:
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} belongs to --terms, not to --model")


def _save(options: argparse.Namespace, directory: Path) -> int:
    from ttcrawl.maintain.save_topics import save

    with ReadProgress() as progress:
        saved = save(directory, changes(options, directory), progress)
    print(saved.text(directory))
    return DONE
