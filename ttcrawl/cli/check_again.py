"""`ttcrawl check SEED`: a new crawl, or visits to all URLs of the one that an earlier check of these seeds has begun.

Visits are conditional requests (RFC 9110 section 13), so unchanged pages are not sent again.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.configuration import overrides, read_for
from ttcrawl.cli.crawling import of_requests, seeds_of
from ttcrawl.config import Override
from ttcrawl.errors import UsageError
from ttcrawl.output.display import tell
from ttcrawl.ring import fork_server
from ttcrawl.store.check_db import NAME, open_check
from ttcrawl.store.regular import is_regular, is_there

if TYPE_CHECKING:
    from ttcrawl.engine.run.job import Job

#: A crawl of a check is not visited unless somebody asks for it.
VISITS: Sequence[Override] = (("revisit.policy", "fixed"),)


def crawled(args: argparse.Namespace, keys: Sequence[Override] = ()) -> Path:
    """The directory of the crawl. `keys`: what the command itself sets for seeds that are sitemaps."""
    config = read_for(args, [*of_requests(args), *keys])
    fork_server.prepare(fetch_first=True)  # it imports as much as the command does, so both import at the same time
    from ttcrawl.engine.run.directory import usual_directory
    from ttcrawl.engine.run.session import begin, job_of

    are_sitemaps = bool(keys and args.seeds)
    if are_sitemaps:  # also packed ones
        extensions = (each for each in config.scope.extensions.split() if each.lower().strip(".") != "gz")
        config = config.changed({"scope.extensions": " ".join(extensions)})
    job = replace(job_of(seeds_of(args), args.directory, config, args.progress), sitemaps=are_sitemaps)
    earlier = args.directory or usual_directory(job.seeds[0])
    if _seeds_in(earlier) == job.seeds:
        _visit(earlier, args)
        return earlier
    begin(job)
    _keep_seeds(job)
    return job.directory


def _visit(directory: Path, args: argparse.Namespace) -> None:
    from ttcrawl.engine.recrawl.recrawls import Recrawl
    from ttcrawl.engine.run.changes import Changes
    from ttcrawl.engine.run.session import resume

    if args.config is not None:
        raise UsageError(f"-c is for a new crawl, and {directory} has its configuration: leave it out, or use --set")
    tell(f"visiting the pages in {directory} again")
    changes = Changes(overrides=[*VISITS, *overrides(args), *of_requests(args)])
    resume(directory, changes, args.progress, inline=False, recrawl=Recrawl(wall=time.time, once=True, everything=True))


def _seeds_in(directory: Path) -> tuple[str, ...]:
    """The seeds of the check that has begun the crawl in a directory; () if none has."""
    if not (is_there(directory / "crawl.db") and is_regular(directory / NAME)):
        return ()
    with closing(open_check(directory / NAME)) as db:
        row = db.execute("SELECT seeds FROM site").fetchone()
    return tuple(row[0].split("\n")) if row else ()


def _keep_seeds(job: Job) -> None:
    with closing(open_check(job.directory / NAME)) as db:
        db.execute("INSERT INTO site VALUES (?)", ("\n".join(job.seeds),))
