"""The keys of section [revisit]."""

from __future__ import annotations

from ttcrawl.config.key import key
from ttcrawl.config.lines import NO_LINES, Lines
from ttcrawl.frozen import frozen

#: What the policies are called that spend a budget (`ttcrawl.recrawl.interval`).
SPENDING = ("uniform", "proportional", "important", "freshness", "age", "harmonic")


@frozen
class Revisit:
    """When `ttcrawl recrawl` requests pages again (docs/recrawl.md)."""

    policy: str = key(
        "none",
        "when a page is visited again: none (never: ttcrawl recrawl needs another policy), fixed (after interval);"
        " uniform, proportional, important, freshness, age, harmonic (how a budget of visits is spent)",
        choices=("none", "fixed", *SPENDING),
    )
    interval: float = key(86400.0, "seconds from one visit of a page to the next, by the policy fixed", low=1)
    budget: float = key(
        0.0, "maximum visits in 24 hours; the policies other than fixed spend it, under fixed 0 is no limit", low=0
    )
    shortest: float = key(600.0, "minimum seconds from one visit to the next, by the policies other than fixed", low=1)
    longest: float = key(
        2592000.0,
        "maximum of these, and the seconds after which a URL that failed or answered an error is visited",
        low=1,
    )
    after_failure: float = key(
        0.0,
        "seconds to the next visit after one without an answer about the page (no connection, 429, 5xx); 0: as after"
        " any other visit, and longest if the URL has never answered",
        low=0,
    )
    after_error: float = key(0.0, "seconds to the next visit of a URL that is stored as 4xx or gone; 0: longest", low=0)
    after_robots: float = key(
        0.0,
        "seconds until a URL that robots.txt has refused has its next turn; 0: as after any other visit, and longest if"
        " the URL has never answered",
        low=0,
    )
    obey_expiry: bool = key(
        False,
        "no visit while Cache-Control or Expires of the last answer call it fresh, but after longest at the latest",
    )

    signals: bool = key(
        False, "pages become due that a sitemap or feed calls changed; these are visited after interval, if not sooner"
    )
    ignore: Lines = key(
        NO_LINES,
        "text that does not count as a change, one per line: regex:EXPRESSION, searched in the title and the main text,"
        " or css:SELECTOR, whose elements are left out; see docs/recrawl.md",
    )
    keep_answers: int = key(
        0, "answers of a URL that the tables keep, with the latest (the WARC files keep all); 0: all", low=0
    )
    keep_days: float = key(0.0, "days that they keep an answer after the next one came; 0: for ever", low=0)

    @property
    def on(self) -> bool:
        """Whether pages are visited again."""
        return self.policy != "none"

    @property
    def furthest(self) -> float:
        """The longest time from a visit to the next, seconds."""
        return max(self.longest, self.interval, self.after_failure, self.after_error, self.after_robots)

    @property
    def plan(self) -> str:
        """What decides when pages are visited, as text."""
        budget = f"budget {self.budget:g} a day, {self.shortest:g} to {self.longest:g} s"
        return f"{self.policy}, {budget if self.spends else f'{self.interval:g} s'}"

    @property
    def drops(self) -> bool:
        """Whether earlier answers leave the tables."""
        return self.keep_answers > 0 or self.keep_days > 0

    @property
    def spends(self) -> bool:
        """Whether a budget decides."""
        return self.policy in SPENDING

    def check(self) -> None:
        """Raises ValueError."""
        if self.spends and not self.budget:
            raise ValueError(f"policy = {self.policy} needs budget, the visits a day")
        if self.shortest > self.longest:
            raise ValueError("shortest must not be longer than longest")
        if self.ignore:
            from ttcrawl.web.ignored import compile_ignored  # most commands need no patterns

            compile_ignored(self.ignore)
