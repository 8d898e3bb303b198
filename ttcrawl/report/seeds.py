"""What became of the seeds: by outcome, and of each with the host it stands for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ttcrawl.output.forms import tables_as
from ttcrawl.output.json_form import records_json
from ttcrawl.output.layout import Row, Section
from ttcrawl.output.steps import Progress, silent
from ttcrawl.output.terminal import ANYWHERE, Screen
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.store.ended import seed_end
from ttcrawl.vocabulary.state import MOVED

HEADS = ("state", "reason", "pages of the host", "queued", "failed", "errors")

#: Of each site of `?`: URLs that answered with a status of 2xx, are queued, failed, answered with an error.
OF_SITES = """
    SELECT site, coalesce(sum(page.status BETWEEN 200 AND 299), 0), sum(state = 'queued'), sum(state = 'failed'),
           coalesce(sum(page.status >= 400), 0)
    FROM url LEFT JOIN page ON page.url = url.id WHERE site IN (SELECT value FROM json_each(?)) GROUP BY site"""

SEEDS = "SELECT url, state, reason, site FROM url WHERE id IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A seed, and numbers of URLs of its host."""

    url: str
    state: str  # 'not there': the crawl stopped before it was recorded
    reason: str
    pages: int
    queued: int
    failed: int
    errors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Seeds that ended alike. `end`: of the last URL of their redirects, such as "refused: scope: host"; "": none."""

    state: str
    reason: str
    end: str
    seeds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeds:
    outcomes: tuple[Outcome, ...]  # the most frequent first
    without_pages: int  # seeds of hosts that answered no page
    number: int
    seeds: tuple[Seed, ...]  # in the order of the user

    def first(self, limit: int | None) -> Seeds:
        """Without the seeds after the first `limit`; None: with all. The counts are of all."""
        return replace(self, seeds=self.seeds[:limit])


def seeds(directory: Path, progress: Progress = silent) -> Seeds:
    """Read the seeds of a crawl. Raises NotACrawl."""
    with view(directory) as db:
        progress("seeds", 0, 0)
        ids = db.seed_ids
        rows = {url: tuple(row) for url, *row in db.execute(SEEDS, (json.dumps(list(ids.values())),))}
        progress("URLs of their hosts", 0, 0)
        sites = json.dumps(sorted({site for _, _, site in rows.values()}))
        hosts = {site: tuple(counts) for site, *counts in db.execute(OF_SITES, (sites,))}
        listed = tuple(_seed(url, rows.get(url), hosts) for url in db.seeds)
        progress("redirects of seeds", 0, 0)
        ends = Counter((each.state, each.reason, _end(db, ids, each)) for each in listed)
    return Seeds(
        outcomes=tuple(
            Outcome(state=state, reason=reason, end=end, seeds=count)
            for (state, reason, end), count in ends.most_common()
        ),
        without_pages=sum(not each.pages for each in listed),
        number=len(listed),
        seeds=listed,
    )


def _end(db: View, ids: Mapping[str, int], seed: Seed) -> str:
    """Return state and reason of the last URL of a seed's redirects, "" if there are none."""
    if seed.state != MOVED:
        return ""

    def find(key: int) -> int | None:
        id: int | None = db.execute(f"SELECT {db.id_of('?1')}", (key,)).fetchone()[0]
        return id

    end = seed_end(db, find, ids[seed.url])
    return f"{end.end}: {end.reason}".removesuffix(": ") if end.target else ""


def _seed(url: str, row: tuple[str, str, int] | None, hosts: Mapping[int, tuple[int, int, int, int]]) -> Seed:
    if row is None:
        return Seed(url=url, state="not there", reason="", pages=0, queued=0, failed=0, errors=0)
    state, reason, site = row
    pages, queued, failed, errors = hosts[site]
    return Seed(url=url, state=state, reason=reason, pages=pages, queued=queued, failed=failed, errors=errors)


def render(crawls: Sequence[Seeds], names: Sequence[str], form: str, screen: Screen = ANYWHERE) -> str:
    """One crawl after the other. `form` is json (all fields; a list for several crawls) or one of FORMS."""
    if form == "json":
        return records_json(map(asdict, crawls), names)
    return tables_as(sections(crawls, names), [""], form, screen)


def sections(crawls: Sequence[Seeds], names: Sequence[str]) -> list[Section]:
    """One crawl after the other."""
    tables = []
    for name, crawl in zip(names, crawls, strict=True):
        totals = [("Seeds", crawl.number), ("  of hosts without a page", crawl.without_pages)]
        totals += [(f"  {_label(each)}", each.seeds) for each in crawl.outcomes]
        rows = tuple(Row(label=label, values=(value,)) for label, value in totals)
        tables.append(Section(title=f"Seeds of {escape_untrusted(name)}", rows=rows))
        detail = tuple(
            Row(
                label=each.url,
                values=(each.state, each.reason, each.pages, each.queued, each.failed, each.errors),
            )
            for each in crawl.seeds
        )
        tables.append(Section(title="Seed", rows=detail, columns=HEADS, subject="seed"))
    return tables


def _label(outcome: Outcome) -> str:
    """
    >>> _label(Outcome(state="moved", reason="http 301", end="refused: scope: host", seeds=1))
    'moved: http 301, to refused: scope: host'
    """
    return f"{outcome.state}: {outcome.reason}".removesuffix(": ") + (f", to {outcome.end}" if outcome.end else "")
