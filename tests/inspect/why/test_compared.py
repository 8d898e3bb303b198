"""The number that was too much beside its limit."""

from dataclasses import fields

import pytest

from ttcrawl.inspect.why.facts import UrlRow
from ttcrawl.inspect.why.life import compared


@pytest.mark.parametrize(
    ("reason", "rule_text", "said"),
    [
        ("depth", "[crawl] max_depth = 5", "depth 6 > 5"),
        ("scope: depth", "exclude depth:>4 (config.ini, line 9)", "depth 6 > 4"),
        ("scope: depth", "max_depth = 3 ([host:a.test])", "depth 6 > 3"),
        ("redirects", "[scope] max_redirects = 10", "redirects 11 > 10"),
        ("scope: hops", "exclude hops:>2 (config.ini, line 9)", "hops 3 > 2"),
        ("scope: length", "[scope] max_url = 2000", "length 2100 > 2000"),
        ("topic", "[topic] tunnel = 2", "irrelevant pages 4 > 2"),
        ("scope: rule", "exclude */x=5* (config.ini, line 9)", ""),
        ("depth", "", ""),
        ("depth", "[crawl] max_depth = 8", ""),
    ],
)
def test_numbers_beside_their_limits(reason, rule_text, said):
    numbers = {"depth": 6, "redirects": 11, "off_domain": 3, "off_topic": 4}
    others = dict.fromkeys((field.name for field in fields(UrlRow)), 0)
    row = UrlRow(**others | numbers | {"url": "x" * 2100, "reason": reason, "rule": rule_text})
    assert compared(row) == said
