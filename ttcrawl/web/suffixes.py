"""The Public Suffix List, a top-level domain at a time.

Rules decide about names under their own top-level domain only. The library needs 40 ms for the 10,000 rules of all of
them, most of it for names in other scripts, and a crawl meets a few: they take 6 ms for all, and 0.7 ms for .com.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path

from publicsuffixlist import PSLFILE, PublicSuffixList


def suffixes(name: str) -> PublicSuffixList:
    """The rules for a host name (lower case, IDNA, without a dot at its end)."""
    top = name.rpartition(".")[2]
    if top.startswith("xn--"):
        with suppress(UnicodeError):
            top = top.encode().decode("idna")
    return _under(top if top in _lines() else "")


@cache  # as many as there are top-level domains
def _under(top: str) -> PublicSuffixList:
    lines = _lines().get(top, ())
    # that of ASCII is the same: to find it out takes most of the time, and a module for names in other scripts
    return PublicSuffixList(lines, accept_encoded_idn=not all(map(str.isascii, lines)))


@cache
def _lines() -> dict[str, list[str]]:
    """Top-level domain, as the list writes it -> the lines with its rules."""
    found = dict[str, list[str]]()
    for line in Path(PSLFILE).read_text(encoding="utf-8").splitlines():
        if rule := line.partition(" ")[0]:
            found.setdefault(rule.rpartition(".")[2], []).append(line)
    return found
