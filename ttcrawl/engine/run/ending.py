"""How a run ends: its directory in order, and what is said of it, with what to do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from ttcrawl import config
from ttcrawl.engine.archive_moving import move_archive
from ttcrawl.engine.loop import VISITED
from ttcrawl.engine.run import directory
from ttcrawl.engine.run.job import Job
from ttcrawl.engine.run.seeds import examples
from ttcrawl.errors import DONE, STOPPED, CrawlFailedError
from ttcrawl.output.display import tell
from ttcrawl.output.number import counted
from ttcrawl.output.shell import command_line
from ttcrawl.store.database import StoreError
from ttcrawl.store.ended import SeedEnd
from ttcrawl.store.seeds import redirects_of
from ttcrawl.store.sqlite import Store
from ttcrawl.store.trim import trim_archive
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import family
from ttcrawl.vocabulary.state import FAILED, MOVED
from ttcrawl.web.scope.redirects import Redirect, counting
from ttcrawl.web.url import key

#: Characters of a URL that are shown.
SHOWN = 100


def end(job: Job, store: Store, pages: int, finished: str, known: Sequence[Redirect]) -> int:
    """Leave the directory in order, and report how the crawl ended. `known`: redirects of seeds before this run.

    Raises CrawlFailedError."""
    nothing = ""
    try:
        store.must_be_there()
        if job.permitted is None:
            new = seed_redirects(store)[len(known) :]
            if line := _redirected_line(new, job.config.scope):
                tell(line)
        if finished != "done":
            store.rollback()
        elif job.permitted is None:
            if job.membership is None and (nothing := store.answers.why_nothing()):
                finished = f"failed: {nothing}"
            elif line := _unfetched_line(store.answers.seed_ends(map(key, job.seeds)), job.directory):
                tell(line)
        trim_archive(job.directory, store)
        if root := job.config.store.warc_move_to:
            move_archive(job.directory, store, root, tell)
        store.set(finished=finished, in_flight="")
        store.close()
    except (OSError, StoreError, CrawlFailedError) as error:
        finished = finished if finished.startswith("failed: ") else f"failed: {directory.trouble(job.directory, error)}"
    if finished.startswith("failed: "):
        has_data = pages and store.there and job.membership is None and not job.temporary
        command = "resume" if job.recrawl is None else "recrawl"
        again = command_line(command, job.directory)
        hint = f"; committed data is kept: continue with {again}" if has_data else ""
        if nothing and job.recrawl is None and not job.temporary:  # nothing is queued, so resume alone requests nothing
            requeue = command_line("requeue", job.directory, "--reason", "*")
            hint = f"; {requeue} and {again} try again, {again} SEED adds a seed"
        raise CrawlFailedError(finished.removeprefix("failed: ") + hint)
    return DONE if finished in ("done", VISITED) else STOPPED


def seed_redirects(store: Store) -> Sequence[Redirect]:
    """Return the redirects of seeds so far."""
    return redirects_of(store.about())


def _unfetched_line(ends: Iterable[SeedEnd], directory: Path) -> str:
    """Return the line, "" if all seeds have pages."""
    groups: dict[tuple[bool, str, str], list[SeedEnd]] = defaultdict(list)
    seeds = 0
    for each in ends:
        seeds += 1
        if not each.has_page:
            groups[bool(each.target), each.end, each.reason].append(each)
    missing = sum(map(len, groups.values()))
    if not missing:
        return ""
    ordered = sorted(groups.values(), key=lambda group: -len(group))
    remedy = _remedy(ordered, directory)
    if missing == 1:
        (seed,) = ordered[0]
        return f"no page was fetched from {_example(seed)} ({_why(seed)}){remedy}"
    parts = (f"{len(group):,} {_why(group[0])} ({examples([_example(each) for each in group])})" for group in ordered)
    return f"no page was fetched from {missing:,} of {counted(seeds, 'seed')}: {', '.join(parts)}{remedy}"


def _redirected_line(redirects: Sequence[Redirect], settings: config.Scope) -> str:
    """Return a line about redirects of seeds whose targets count as seeds, "" if there are none."""
    mode = settings.redirected_seeds
    pairs = counting(mode, settings.scope, redirects)
    if not pairs:
        return ""
    what = "the target counts as a seed" if len(pairs) == 1 else "the targets count as seeds"
    shown = examples([f"{_short(source)} to {_short(target)}" for source, target in pairs])
    return f"{counted(len(pairs), 'redirect')} of seeds: {what} ([scope] redirected_seeds = {mode}): {shown}"


def _why(seed: SeedEnd) -> str:
    if seed.end == MOVED:
        return "redirected in a circle"
    redirected = "redirected out of scope" if family(seed.reason) is Family.SCOPE else "redirected"
    return f"{redirected}: {seed.reason}" if seed.target else seed.reason


def _example(seed: SeedEnd) -> str:
    url = _short(seed.url)
    return f"{url} to {_short(seed.target)}" if seed.target else url


def _short(url: str) -> str:
    return url if len(url) <= SHOWN else f"{url[:SHOWN]}..."


def _remedy(groups: Iterable[list[SeedEnd]], directory: Path) -> str:
    """Return what to do, once for each kind of cause."""
    resume, remedies = command_line("resume", directory), dict[str, None]()
    for seed, *_ in groups:
        if family(seed.reason) is Family.SCOPE and seed.target:
            remedies[f"{resume} --set scope.redirected_seeds=always admits the targets of redirects"] = None
        elif family(seed.reason) is Family.SCOPE:
            remedies[f"{resume} --allow PATTERN admits what is out of scope"] = None
        elif seed.end == FAILED:
            again = command_line("requeue", directory, "--state", "failed")
            remedies[f"{again} and {resume} try again"] = None
    listed = f"{command_line('report', directory, '--seeds')} lists all"
    return "; " + "; ".join([*remedies, listed])
