"""Scope: pure, from the URL and the seeds alone."""

import pytest

from ttcrawl.config import Scope
from ttcrawl.scope import compile_scope

SEEDS = ["http://www.a.co.uk/", "http://b.test:8080/x"]


@pytest.mark.parametrize(
    ("settings", "url", "reason"),
    [
        (Scope(scope="host"), "http://www.a.co.uk/p", ""),
        (Scope(scope="host"), "https://www.a.co.uk/p", ""),
        (Scope(scope="host"), "http://a.co.uk/p", "scope: host"),
        (Scope(scope="host"), "http://b.test/x", "scope: host"),
        (Scope(scope="host"), "http://b.test:8080/", ""),
        (Scope(scope="domain"), "http://other.a.co.uk/p", ""),
        (Scope(scope="domain"), "http://b.co.uk/p", "scope: domain"),
        (Scope(scope="domain"), "http://sub.b.test:99/", ""),
        (Scope(scope="any"), "http://anywhere.example/", ""),
        (Scope(scope="any", max_url=30), "http://anywhere.example/" + "x" * 30, "scope: length"),
        (Scope(scope="list", domains="Example.org, c.test"), "http://www.example.org/", ""),
        (Scope(scope="list", domains="example.org c.test"), "http://c.test:81/", ""),
        (Scope(scope="list", domains="example.org"), "http://notexample.org/", "scope: list"),
    ],
)
def test_refusal(settings, url, reason):
    assert compile_scope(settings, SEEDS).refusal(url) == reason
