"""The entries of fetch.proxy: which proxies the requests for a URL take."""

from __future__ import annotations

from collections.abc import Sequence

from ttcrawl.config.credentials import Proxy, proxy
from ttcrawl.frozen import frozen
from ttcrawl.web.late import late

#: In place of a URL: without a proxy.
DIRECT = "direct"

#: A pattern before URLs, and what is between two URLs: passwords may have = and commas.
OF_PATTERN = late(r"(.+)=((?:[A-Za-z0-9]+://|direct(?:,|$)).*)")
NEXT = late(r",(?=[A-Za-z0-9]+://|direct(?:,|$))")


@frozen
class ProxyRule:
    """The proxies for URLs of a pattern."""

    pattern: str  # as in [scope]; "": all URLs
    proxies: tuple[Proxy | None, ...]  # in turn; None: no proxy


def proxy_rules(text: str) -> tuple[ProxyRule, ...]:
    """Return the rules of entries [PATTERN=]URL[,URL...], separated by white space. Raises ValueError.

    Entries without a pattern are one rule, which comes last.

    >>> [rule.pattern for rule in proxy_rules("http://p.test:1 host:*.onion=socks5h://q.test:2 http://p.test:3")]
    ['host:*.onion', '']
    """
    rules: list[ProxyRule] = []
    others: list[Proxy | None] = []
    for entry in text.split():
        if match := OF_PATTERN.fullmatch(entry):
            from ttcrawl.web.scope.chosen import pattern_of  # most crawls have no patterns here

            pattern_of(match[1])
            rules.append(ProxyRule(pattern=match[1], proxies=_proxies(match[2])))
        else:
            others += _proxies(entry)
    return (*rules, ProxyRule(pattern="", proxies=tuple(others))) if others else tuple(rules)


def _proxies(urls: str) -> tuple[Proxy | None, ...]:
    return tuple(None if each == DIRECT else proxy(each) for each in NEXT.split(urls))


def candidates(rules: Sequence[ProxyRule], url: str) -> tuple[Proxy | None, ...]:
    """Return the proxies that a request for a URL may take, at least one; None: no proxy."""
    for rule in rules:
        if not rule.pattern:
            return rule.proxies
        from ttcrawl.web.scope.chosen import pattern_of  # as above

        if pattern_of(rule.pattern).search(url):
            return rule.proxies
    return (None,)


def resolves(rules: Sequence[ProxyRule], host: str) -> bool:
    """Whether only proxies look up the name of a host."""
    every = [each for scheme in ("http", "https") for each in candidates(rules, f"{scheme}://{host}/")]
    return all(each is not None and each.resolves for each in every)
