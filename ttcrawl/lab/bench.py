"""What all trials on a recorded web share, and the policies that are tried on it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ttcrawl.config import Override
from ttcrawl.errors import REPORT, UsageError, require
from ttcrawl.lab.candidates import Score
from ttcrawl.lab.curves import Curves, Measure
from ttcrawl.lab.own import own_policy, policy_of
from ttcrawl.lab.policies import POLICIES, Policy
from ttcrawl.lab.record import RecordedWeb
from ttcrawl.lab.settings import NO_TRAPS, config_of
from ttcrawl.lab.trial import Trial, trial
from ttcrawl.snapshot.snapshot import View

#: The setting of a policy that turns all traps off.
TRAPS_OFF = "traps=off"


class Tried(Struct, frozen=True, kw_only=True):
    """A policy with settings of its own. `name` is as it was written. `called_here`: it is a function of this
    program, which another process cannot call."""

    name: str
    policy: Policy
    settings: Sequence[Override] = ()
    called_here: bool = False


def tried_of(text: str | Score) -> Tried:
    """Return the policy that a text names: NAME or FILE.py:FUNCTION, and settings such as
    ``,politeness.delay=5``; or the one of a function. Raises UsageError."""
    if not isinstance(text, str):
        name, code = getattr(text, "__name__", "function"), getattr(text, "__code__", None)
        return Tried(name=name, policy=policy_of(text, name, getattr(code, "co_names", ())), called_here=True)
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
    if policy.computed:
        require(*REPORT)
    return Tried(name=text, policy=policy, settings=settings)


class Bench:
    """`settings`: of all trials."""

    def __init__(self, view: View, settings: Sequence[Override]) -> None:
        """Raises UsageError for a crawl without a page."""
        self.web = RecordedWeb(view)
        self._config_path, self._settings = view.config_path, settings
        self._measure = Measure(self.web)

    def curves(self, tried: Tried, seed: int) -> Curves:
        """Return the curves of a trial. Raises UsageError, ConfigError, CrawlFailedError."""
        return self._measure.curves(self.trial(tried, seed))

    def trial(self, tried: Tried, seed: int) -> Trial:
        """Return the visits of a trial. Raises UsageError, ConfigError, CrawlFailedError."""
        config = config_of(self._config_path, tried.policy.settings, self._settings, tried.settings)
        return trial(self.web, tried.name, tried.policy, config, seed)
