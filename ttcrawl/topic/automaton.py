"""Many strings in one pass over a text."""

from __future__ import annotations

from collections.abc import Sequence

import ahocorasick_rs

#: Up to so many strings a deterministic automaton is used: the fastest, and the largest.
DETERMINISTIC = 20_000


def automaton(strings: Sequence[str]) -> ahocorasick_rs.AhoCorasick:
    """Return the automaton of Aho and Corasick; its matches may overlap."""
    few = len(strings) <= DETERMINISTIC
    return ahocorasick_rs.AhoCorasick(strings, implementation=ahocorasick_rs.Implementation.DFA if few else None)
