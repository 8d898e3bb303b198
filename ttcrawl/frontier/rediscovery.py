"""What changes when a URL is discovered again, on another path. Pure.

A reason may cease to hold; depth, redirects and rank shrink. Neither the state nor the path of a URL depends on the
order in which its paths are found.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ttcrawl.frontier.bounds import Bounds, waits
from ttcrawl.store.rows import Row, UrlPath
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import FOREIGN, NONE, UNTIL_RECYCLE, Code, family
from ttcrawl.vocabulary.requisite import on_every_page, refuses_discovery, stronger
from ttcrawl.vocabulary.state import ANSWERED, FETCHED, REFUSED


class Decision(Struct, frozen=True, kw_only=True):
    """`queue`: the URL is queued after all, on this path. `refused`, `rule`: why it is refused from now on. `path`: its
    path from now on. `spread`: it was answered, and its links must be updated."""

    queue: UrlPath | None = None
    refused: Code = NONE
    rule: str = ""
    path: UrlPath | None = None
    spread: bool = False


#: Nothing changes.
UNCHANGED = Decision()


def rediscovered(
    row: Row, path: UrlPath, bounds: Bounds, refused: Code = NONE, rule: str = "", *, seed: bool = False
) -> Decision:
    """Return what changes. `refused`, `rule`: why the link is refused on every path. `seed`: a user names the URL: it
    may have been out of scope, or in a trap, before."""
    if stronger(refused, row.reason):
        return _linked_at_last(row, path, bounds, refused, rule)
    if path.requisite:
        return _required(row, path, bounds, refused)
    if _only_required(row) and (refused or bounds.limit(row.url, path)[0]):
        return UNCHANGED
    now, reason = row.path.joined(path), NONE
    if row.reason == FOREIGN:  # its host is ours since then, and no other ring has processed it
        path = now
    if row.state == REFUSED and not refused and _may_cease(row, path, bounds, seed=seed):
        against = bounds.refusal(row.url, path)[0]
        if not against:
            return Decision(queue=path._replace(rank=now.rank, sitemap=now.sitemap, requisite=now.requisite))
        if bounds.replaces(against, row.reason):
            reason = against
            if reason == UNTIL_RECYCLE:  # recycling queues it on this path, as a link that is followed does now
                now = path._replace(rank=now.rank, sitemap=now.sitemap, requisite=now.requisite)
    return _nearer(row, path, now, bounds, refused, reason)


def _may_cease(row: Row, path: UrlPath, bounds: Bounds, *, seed: bool) -> bool:
    """Whether the reason of a refused URL may not hold on this path."""
    return (
        bounds.depends_on_path(row.reason, sitemap=path.sitemap > 0)
        or (seed and family(row.reason) in (Family.SCOPE, Family.TRAP))
        or (row.reason == UNTIL_RECYCLE and not waits(path))
        or row.reason == FOREIGN
    )


def _nearer(row: Row, path: UrlPath, now: UrlPath, bounds: Bounds, refused: Code, reason: Code) -> Decision:
    """Shorten the path of a URL to `now`. `reason`: why it is refused from now on; NONE: as before."""
    before, unchanged = row.path, Decision(refused=reason) if reason else UNCHANGED
    if now.depth is None or now == before:
        return unchanged
    if not (refused or refuses_discovery(row.reason)) and bounds.ignored(row.url, before, path):
        return unchanged
    # a page hands down its own score; a redirect and a sitemap hand down the score of the links to them
    score = before.score if row.state == FETCHED and not row.sitemap else now.score
    spread = row.state in ANSWERED and now._replace(rank=before.rank, score=score) != before
    return Decision(refused=reason, path=now, spread=spread)


def _only_required(row: Row) -> bool:
    """Whether a URL is requested as a page requisite alone."""
    return row.requisite > 0 and row.depth is None and not refuses_discovery(row.reason)


def _required(row: Row, path: UrlPath, bounds: Bounds, refused: Code) -> Decision:
    """Return what changes for a URL that belongs to the display of a page.

    A page stays a page. If links to the URL are refused, it is requested as a page requisite, and has no depth: a
    link that is permitted makes it a page later.
    """
    before, now = row.path, row.path.joined(path)
    if refuses_discovery(row.reason) and not (refused or on_every_page(row.reason) or bounds.refusal(row.url, path)[0]):
        on = before if row.reason == UNTIL_RECYCLE else path._replace(sitemap=row.sitemap)
        return Decision(queue=on._replace(requisite=now.requisite))
    return UNCHANGED if now == before else Decision(path=now, spread=row.state in ANSWERED)


def _linked_at_last(row: Row, path: UrlPath, bounds: Bounds, refused: Code, rule: str) -> Decision:
    """Decide about a URL without a link that is followed, once there is one."""
    if not refused:
        refused, rule = bounds.refusal(row.url, path)
    if not refused:
        return Decision(queue=path._replace(requisite=row.path.joined(path).requisite))
    now = rediscovered(replace(row, reason=refused), path, bounds, refused).path
    return Decision(refused=refused, rule=rule, path=now)
