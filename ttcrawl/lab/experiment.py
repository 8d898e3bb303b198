"""Policies side by side on one recorded web."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from ttcrawl.config import Override
from ttcrawl.errors import REPORT, UsageError, require
from ttcrawl.lab.candidates import Score
from ttcrawl.lab.curves import Curves, Measure
from ttcrawl.lab.own import own_policy, policy_of
from ttcrawl.lab.policies import POLICIES, Policy
from ttcrawl.lab.record import RecordedWeb
from ttcrawl.lab.settings import NO_TRAPS, config_of
from ttcrawl.lab.trial import trial
from ttcrawl.output.number import counted
from ttcrawl.snapshot.snapshot import View

#: The setting of a policy that turns all traps off.
TRAPS_OFF = "traps=off"


class Tried(Struct, frozen=True, kw_only=True):
    """A policy with settings of its own. `name` is as it was written."""

    name: str
    policy: Policy
    settings: Sequence[Override] = ()


def tried_of(text: str | Score) -> Tried:
    """Return the policy that a text names: NAME or FILE.py:FUNCTION, and settings such as
    ``,politeness.delay=5``; or the one of a function. Raises UsageError."""
    if not isinstance(text, str):
        name, code = getattr(text, "__name__", "function"), getattr(text, "__code__", None)
        return Tried(name=name, policy=policy_of(text, name, ranked="pagerank" in getattr(code, "co_names", ())))
    name, *parts = text.split(",")
    policy = own_policy(name) if ":" in name else POLICIES.get(name)
    if policy is None:
        raise UsageError(f"there is no policy {name!r}: {', '.join(POLICIES)}, or FILE.py:FUNCTION")
    settings: list[Override] = []
    for part in parts:
        key, equals, value = part.partition("=")
        if part == TRAPS_OFF:
            settings += NO_TRAPS.items()
        elif equals and "." in key:
            settings.append((key.strip(), value))
        else:
            raise UsageError(f"policy {text!r}: {part!r} is neither SECTION.KEY=VALUE nor {TRAPS_OFF}")
    if policy.ranked:
        require(*REPORT)
    return Tried(name=text, policy=policy, settings=settings)


class Experiment(Struct, frozen=True, kw_only=True):
    """The curves of all trials, and what the record has. `curves`: policies in their order, each with its seeds."""

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
    seeds: int = 1,
    settings: Sequence[Override] = (),
    progress: Callable[[str, int, int], None] = lambda step, done, of: None,
) -> Experiment:
    """Try policies on the web that a crawl has recorded. `seeds`: trials of each policy: the first one takes the
    recorded times, each other one draws them from those of the hosts. `settings`: of all trials.

    Raises UsageError, ConfigError, CrawlFailedError.
    """
    web = RecordedWeb(view)
    measure, curves = Measure(web), list[Curves]()
    for number, (tried, seed) in enumerate(_trials(policies, seeds)):
        progress("trials", number, len(policies) * seeds)
        if tried.policy.name == "relevant" and not web.relevant:
            raise UsageError(
                f"{view.directory} has no relevant pages, which the policy {tried.name} looks for: score them with"
                " ttcrawl topic score DIR --save"
            )
        config = config_of(view.config_path, tried.policy.settings, settings, tried.settings)
        curves.append(measure.curves(trial(web, tried.name, tried.policy, config, seed)))
    return Experiment(curves=curves, pages=len(web.pages), relevant=len(web.relevant), unanswered=web.unanswered)


def _trials(policies: Sequence[Tried], seeds: int) -> Iterator[tuple[Tried, int]]:
    return ((tried, seed) for tried in policies for seed in range(seeds))


def limits_of(experiment: Experiment) -> list[str]:
    """Return lines about what the record cannot tell."""
    lines = []
    if most := max(each.last.missing for each in experiment.curves):
        lines.append(
            f"the record lacks the answers of {counted(experiment.unanswered, 'queued or refused URL')}: a trial"
            f" requested up to {most:,} of them, and each may have been a page"
        )
    return lines
