"""The compiled robots.txt of hosts, within a limit of memory; others are compiled again when they are used."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from ttcrawl.frontier.work import STEP, Work
from ttcrawl.web.robots import Compiling, Rules

#: Bytes of memory for all rules: enough for some ten thousand hosts with usual ones.
MEMORY = 24 << 20

#: Texts up to this length, in characters, are compiled even while another text is half compiled.
SMALL = 30_000

#: No site.
NONE = -1


class Rulebook:
    """Rules by site. `compiling(text)` begins to compile a robots.txt, `text_of(site)` returns an earlier one.

    Only one text at a time stays half compiled, because its state in memory is several times as long.
    """

    def __init__(
        self,
        compiling: Callable[[str], Compiling],
        text_of: Callable[[int], str] = lambda site: "",
        memory: int = MEMORY,
    ) -> None:
        self._text_of = text_of
        self._compiling = compiling
        self._memory = memory
        self._rules: OrderedDict[int, Rules] = OrderedDict()  # the least recently used first
        self._begun: Compiling | None = None
        self.begun = NONE  # the site of the text that is half compiled
        self._steps = 0  # compile steps of that text up to now
        self._unused: dict[int, int] = {}  # work spent on the rules of a site and not yet repaid by their use
        self.size = 0

    def of(self, site: int, work: Work) -> Rules | None:
        """Return the rules of a site; None: the work did not suffice to compile them, call again."""
        rules = self._rules.get(site)
        if rules is None:
            return self._compiled(site, None, work)
        self._rules.move_to_end(site)
        return rules

    def may_continue(self, site: int, spent: int) -> bool:
        """Whether a site that has used up a slice of `spent` units continues before others that wait behind.

        Otherwise the rules of the others might displace its rules from memory, and these would be compiled again.
        """
        if site == self.begun:
            return True
        remaining = self._unused.get(site, 0) - spent
        if remaining > 0:
            self._unused[site] = remaining
        else:
            self._unused.pop(site, None)
        return remaining > 0

    def read(self, site: int, text: str, work: Work) -> Rules | None:
        """Compile a new text of a site; return its rules, like `of`."""
        self.forget(site)
        return self._compiled(site, text, work)

    def forget(self, site: int) -> None:
        """Drop the rules of a site."""
        rules = self._rules.pop(site, None)
        self.size -= rules.size if rules is not None else 0
        self._unused.pop(site, None)
        if self.begun == site:
            self._begun = None
            self.begun = NONE
            self._steps = 0

    def _compiled(self, site: int, text: str | None, work: Work) -> Rules | None:
        steps = self._begun if self.begun == site else None
        if steps is None:
            text = self._text_of(site) if text is None else text
            if self._begun is not None and len(text) > SMALL:
                work.remaining = 0
                return None
            steps = self._compiling(text)
        done = self._steps if self.begun == site else 0
        while work.remaining > 0:
            work.remaining -= STEP
            done += 1
            rules = next(steps)
            if rules is not None:
                self.forget(site)
                self._keep(site, rules, done * STEP)
                return rules
        if self._begun is None or self.begun == site:
            self._begun = steps
            self.begun = site
            self._steps = done
        return None

    def _keep(self, site: int, rules: Rules, work: int) -> None:
        self._rules[site] = rules
        self._unused[site] = work
        self.size += rules.size
        while self.size > self._memory and len(self._rules) > 1:
            oldest, rules = self._rules.popitem(last=False)
            self._unused.pop(oldest, None)
            self.size -= rules.size
