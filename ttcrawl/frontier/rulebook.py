"""The compiled robots.txt of hosts, within a limit of memory; others are compiled again when they are used.

Hosts with the same text share its rules: software and providers give theirs to thousands of hosts.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from ttcrawl.frontier.work import STEP, Work
from ttcrawl.web.robots import Compiling, Rules

#: Bytes of memory for all rules: enough for some ten thousand hosts with usual ones.
MEMORY = 24 << 20

#: Texts up to this length, in characters, are compiled even while another text is half compiled.
SMALL = 30_000

#: No site.
NONE = -1

#: Bytes for a site, besides its rules.
SITE = 250


class Shared(Struct, eq=False):
    """The rules of a text, and how many sites use them."""

    digest: bytes
    rules: Rules
    sites: int = 0


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
        self._rules: OrderedDict[int, Shared] = OrderedDict()  # by site, the least recently used first
        self._shared: dict[bytes, Shared] = {}  # by the digest of the text
        self._begun: Compiling | None = None
        self._digest = b""  # of the text that is half compiled
        self.begun = NONE  # the site of the text that is half compiled
        self._steps = 0  # compile steps of that text up to now
        self._unused: dict[int, int] = {}  # work spent on the rules of a site and not yet repaid by their use
        self.size = 0

    def of(self, site: int, work: Work) -> Rules | None:
        """Return the rules of a site; None: the work did not suffice to compile them, call again."""
        shared = self._rules.get(site)
        if shared is None:
            return self._compiled(site, None, work)
        self._rules.move_to_end(site)
        return shared.rules

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
        if site in self._rules:
            self._drop(site)
        if self.begun == site:
            self._begun, self._digest = None, b""
            self.begun = NONE
            self._steps = 0

    def _compiled(self, site: int, text: str | None, work: Work) -> Rules | None:
        steps = self._begun if self.begun == site else None
        if steps is None:
            text = self._text_of(site) if text is None else text
            # a host must not be able to give its rules to others: no quick hash
            digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
            if (shared := self._shared.get(digest)) is not None:
                return self._keep(site, shared, 0)
            if self._begun is not None and len(text) > SMALL:
                work.remaining = 0
                return None
            steps = self._compiling(text)
        else:
            digest = self._digest
        done = self._steps if self.begun == site else 0
        while work.remaining > 0:
            work.remaining -= STEP
            done += 1
            rules = next(steps)
            if rules is not None:
                self.forget(site)
                return self._keep(site, self._shared.get(digest) or Shared(digest, rules), done * STEP)
        if self._begun is None or self.begun == site:
            self._begun, self._digest = steps, digest
            self.begun = site
            self._steps = done
        return None

    def _keep(self, site: int, shared: Shared, work: int) -> Rules:
        """Note the rules of a site that has none, and the work that they have cost."""
        self._rules[site] = shared
        if work:
            self._unused[site] = work
        self.size += SITE
        if not shared.sites:
            self._shared[shared.digest] = shared
            self.size += shared.rules.size
        shared.sites += 1
        while self.size > self._memory and len(self._rules) > 1:
            self._drop(next(iter(self._rules)))
        return shared.rules

    def _drop(self, site: int) -> None:
        shared = self._rules.pop(site)
        self._unused.pop(site, None)
        self.size -= SITE
        shared.sites -= 1
        if not shared.sites:
            del self._shared[shared.digest]
            self.size -= shared.rules.size
