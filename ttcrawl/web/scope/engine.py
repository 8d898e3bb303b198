"""All rules at once: RE2 matches a set of patterns in one pass over the URL, however many there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import re2

from ttcrawl.errors import ConfigError
from ttcrawl.web.scope import patterns
from ttcrawl.web.scope.rule import Rule
from ttcrawl.web.url import host, registrable_domain, split_port

#: Maximum bytes of one set of compiled patterns with the state cache of RE2. A process has two: of URLs and of hosts.
MEMORY = 64 << 20

#: Maximum hosts whose rules are cached, and ends of paths.
HOSTS = ENDINGS = 4096

#: Characters of an end that is cached.
LONGEST = 40


class PatternSet:
    """A set of numbered patterns that are matched together."""

    def __init__(self, numbered: Sequence[tuple[int, str]], memory: int) -> None:
        self._numbered = numbered
        self._set = re2.Set.SearchSet(patterns.options(memory))
        # The empty pattern matches everything: RE2 returns "none" when it runs out of memory, which must differ from no
        # match.
        self._set.Add("")
        for _, pattern in numbered:
            self._set.Add(pattern)
        try:
            self._set.Compile()
        except re2.error:
            raise ConfigError(
                f"the {len(numbered):,} scope rules are too large: compiled, they need more than {memory >> 20} MB"
            ) from None

    def matches(self, text: str) -> list[int]:
        """The numbers of the matching patterns, unordered."""
        indexes = self._set.Match(text)
        if len(indexes) == 1:
            return []
        if not indexes:
            compiled = patterns.options(patterns.MAX_MEMORY)
            return [number for number, pattern in self._numbered if re2.search(pattern, text, compiled)]
        return [self._numbered[each - 1][0] for each in indexes if each]


class Engine:
    """Finds the last matching rule."""

    def __init__(self, rules: Sequence[Rule], memory: int) -> None:
        self._rules, self._memory = rules, memory
        self._urls = self._set_of("url")
        self._endings: dict[str, list[int]] = {}  # -> the rules that match, where only the end of a path counts
        self._only_endings = all(patterns.is_of_extensions(rule.pattern) for _, rule in self._of("url"))
        self._names = self._set_of("host")
        self._domains: dict[str, list[int]] = {}
        for number, rule in self._of("domain"):
            self._domains.setdefault(rule.pattern, []).append(number)
        self._depths, self._hops = list(self._of("depth")), list(self._of("hops"))
        self._sections = {rule.section for rule in rules}
        self._has_host_rules = bool(self._domains) or self._names is not None or bool(self._sections - {""})
        self._rules_of_host = lru_cache(maxsize=HOSTS)(self._find_rules_of_host)

    def _of(self, subject: str) -> Iterable[tuple[int, Rule]]:
        return ((number, rule) for number, rule in enumerate(self._rules) if rule.subject == subject)

    def _set_of(self, subject: str) -> PatternSet | None:
        numbered = [(number, rule.pattern) for number, rule in self._of(subject)]
        return PatternSet(numbered, self._memory) if numbered else None

    def last(self, url: str, depth: int, off_domain: int) -> Rule | None:
        """The last rule that matches a canonical URL; `depth` is its distance from the seeds, `off_domain` from their
        domains."""
        numbers = self._matches(self._urls, url) if self._urls is not None else []
        sections: frozenset[str] | None = None
        if self._has_host_rules:
            of_host, sections = self._rules_of_host(host(url))
            numbers = numbers + of_host
        if self._depths:
            numbers = numbers + [number for number, rule in self._depths if (depth > rule.limit) is not rule.allow]
        if self._hops:
            numbers = numbers + [number for number, rule in self._hops if (off_domain > rule.limit) is not rule.allow]
        if not numbers:
            return None
        if sections is None:
            return self._rules[max(numbers)]
        in_sections = [number for number in numbers if self._rules[number].section in sections]
        return self._rules[max(in_sections)] if in_sections else None

    def _matches(self, rules: PatternSet, url: str) -> list[int]:
        if not self._only_endings:
            return rules.matches(url)
        ending = patterns.ending(url)
        numbers = self._endings.get(ending)
        if numbers is None:
            numbers = rules.matches(url)
            if len(self._endings) >= ENDINGS:
                self._endings.clear()
            if len(ending) <= LONGEST:
                self._endings[ending] = numbers
        return numbers

    def _find_rules_of_host(self, name: str) -> tuple[list[int], frozenset[str]]:
        """The rules that match a host with any URL, and the sections that it belongs to."""
        numbers = list(self._domains.get(registrable_domain(name), ()))
        if self._names is not None:
            numbers += self._names.matches(split_port(name)[0])
        return numbers, frozenset(each for each in self._sections if not each or patterns.covers(each, name))
