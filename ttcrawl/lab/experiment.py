"""Policies side by side on one recorded web."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from ttcrawl.config import Override
from ttcrawl.errors import UsageError
from ttcrawl.lab.bench import Bench, Tried
from ttcrawl.lab.curves import Curves
from ttcrawl.lab.record import RecordedWeb
from ttcrawl.lab.side_by_side import side_by_side
from ttcrawl.output.number import counted
from ttcrawl.ring.sizes import processors
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.lock import crawled_by

#: A record with fewer pages is tried before other processes have begun.
SMALL = 2_000


class Experiment(Struct, frozen=True, kw_only=True):
    """The curves of all trials, and what the record has. `curves`: policies in their order, each with its trials."""

    curves: Sequence[Curves]
    pages: int  # of the record, with status 2xx
    relevant: int
    unanswered: int  # URLs of the record that were never answered, and may be requested here

    def of(self, name: str) -> list[Curves]:
        return [each for each in self.curves if each.name == name]

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(each.name for each in self.curves))


def experiment(
    view: View,
    policies: Sequence[Tried],
    *,
    trials: int = 1,
    settings: Sequence[Override] = (),
    processes: int = 0,
    progress: Callable[[str, int, int], None] = lambda step, done, of: None,
) -> Experiment:
    """Try policies on the web that a crawl has recorded. `trials`: of each policy: the first one takes the
    recorded times, each other one draws them from those of the hosts. `settings`: of all trials. `processes`: how many
    trials run at once, which changes no result; 0: one for each processor, of a small record one.

    Raises UsageError, ConfigError, CrawlFailedError.
    """
    bench = Bench(view, settings)
    web = bench.web
    for each in policies:
        require_scores(each, web, view)
    planned = [(each, seed) for each in policies for seed in range(trials)]
    processes = processes or (processors() if len(web.pages) >= SMALL else 1)
    elsewhere = [each for each in planned if not each[0].called_here]
    curves = dict[tuple[str, int], Curves]()
    if min(processes, len(elsewhere)) > 1 and not crawled_by(view.directory):  # a crawl that runs differs in each
        shared = (view.directory.absolute(), tuple(settings))
        names = [(tried.name, seed) for tried, seed in elsewhere]
        done = side_by_side(shared, names, processes, lambda number: progress("trials", number, len(planned)))
        curves.update(zip(names, done, strict=True))
    for tried, seed in planned:
        if (tried.name, seed) not in curves:
            progress("trials", len(curves), len(planned))
            curves[tried.name, seed] = bench.curves(tried, seed)
    ordered = [curves[tried.name, seed] for tried, seed in planned]
    return Experiment(curves=ordered, pages=len(web.pages), relevant=len(web.relevant), unanswered=web.unanswered)


def require_scores(tried: Tried, web: RecordedWeb, view: View) -> None:
    """Raise UsageError if a policy looks for relevant pages and the record has none."""
    if tried.policy.name == "relevant" and not web.relevant:
        raise UsageError(
            f"{view.directory} has no relevant pages, which the policy {tried.name} looks for: score them with"
            " ttcrawl topic score DIR --save"
        )


def limits_of(experiment: Experiment) -> list[str]:
    """Return lines about what the record cannot tell."""
    lines = []
    if most := max(each.last.missing for each in experiment.curves):
        lines.append(
            f"the record lacks the answers of {counted(experiment.unanswered, 'queued or refused URL')}: a trial"
            f" requested up to {most:,} of them, and each may have been a page"
        )
    return lines
