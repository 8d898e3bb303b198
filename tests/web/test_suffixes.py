"""Registrable domains by the rules of one top-level domain, beside those by the whole list."""

from __future__ import annotations

from pathlib import Path

import pytest
from publicsuffixlist import PSLFILE, PublicSuffixList

from ttcrawl.web.suffixes import suffixes

#: Of no rule, of one label, without labels, and of rules with wildcards and exceptions.
NAMES = (
    "test",
    "a.test",
    "b.a.test",
    "localhost",
    "",
    "a..com",
    "ck",
    "www.ck",
    "a.ck",
    "city.kobe.jp",
    "a.b.kobe.jp",
    "a.xn--p1ai",
    "a.xn--",
)


@pytest.fixture(scope="module")
def whole() -> PublicSuffixList:
    return PublicSuffixList()


def rules() -> list[str]:
    lines = Path(PSLFILE).read_text(encoding="utf-8").splitlines()
    return [line.split(" ")[0] for line in lines if line.strip() and not line.startswith("//")]


def test_every_rule_decides_as_in_the_whole_list(whole: PublicSuffixList) -> None:
    names = {rule.lstrip("!").replace("*", "x").encode("idna").decode() for rule in rules()}
    assert len(names) > 9_000
    for name in names:
        for each in (name, f"a.{name}", f"b.a.{name}"):
            own = suffixes(each)
            assert own.privatesuffix(each) == whole.privatesuffix(each), each
            assert own.is_public(each) == whole.is_public(each), each


@pytest.mark.parametrize("name", NAMES)
def test_other_names_are_decided_as_by_the_whole_list(whole: PublicSuffixList, name: str) -> None:
    assert suffixes(name).privatesuffix(name) == whole.privatesuffix(name)
    assert suffixes(name).is_public(name) == whole.is_public(name)


def test_unknown_top_level_domains_share_their_rules() -> None:
    assert suffixes("a.one-that-is-not-there") is suffixes("a.another")
