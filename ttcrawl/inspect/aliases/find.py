"""The aliases of a crawl, finished, stopped or running."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ttcrawl.config import Config, alias_map
from ttcrawl.inspect.aliases.evidence import are_one_server, redirects
from ttcrawl.inspect.aliases.evidence_tables import Evidence
from ttcrawl.inspect.aliases.groups import Group, entries, groups, preference
from ttcrawl.output.steps import Progress, silent
from ttcrawl.snapshot.snapshot import View, view


@dataclass(frozen=True, slots=True, kw_only=True)
class Aliases:
    """`entries` are the new entries for config.ini; `aliases` is the value of [url] aliases with them."""

    origins: int  # that were examined
    pages: int
    groups: tuple[Group, ...]
    examples: dict[int, str]  # the example URLs of members
    entries: tuple[str, ...]
    aliases: str
    twice: int  # pages of aliases equal to the page of the canonical origin
    redirects: int  # from aliases to the canonical origin
    queued: int  # URLs of aliases


def find(directory: Path, progress: Progress = silent) -> Aliases:
    """All from one snapshot. Raises NotACrawl, also for damage."""
    with view(directory) as db:
        return _find(db, db.config, progress)


def _find(db: View, config: Config, progress: Progress) -> Aliases:
    progress("contents by host", 0, 0)
    evidence = Evidence(db)
    origins = evidence.origins
    progress("pairs of hosts", 0, 0)
    compared = evidence.compare(evidence.comparable(sorted(origins.values(), key=preference)))
    pairs = [(origins[one], origins[other]) for one, other in compared]
    same_server = [(one, other) for one, other in pairs if are_one_server(one, other, compared[one.id, other.id])]
    progress("redirects between hosts", 0, 0)
    moved = {ids: each for ids, each in evidence.redirects_between().items() if redirects(each)}
    alias_groups = groups(same_server, moved, origins, evidence.compare)
    members = [member for group in alias_groups for member in group.aliases]
    examples = {each for member in members for each in member.examples}
    new = entries(alias_groups, origins.values(), config.url.strip_www, alias_map(config.url.aliases))
    return Aliases(
        origins=len(origins),
        pages=sum(each.pages for each in origins.values()),
        groups=tuple(alias_groups),
        examples={each: db.url_of(each) for each in examples},
        entries=tuple(new),
        aliases=" ".join(filter(None, [config.url.aliases, *new])),
        twice=sum(member.compared.same for member in members),
        redirects=sum(member.redirected.moved for member in members if member.redirected),
        queued=evidence.queued(member.origin for member in members),
    )
