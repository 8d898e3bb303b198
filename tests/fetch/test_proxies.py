"""Several proxies: which one a request takes, and what a dead one costs, over both transports."""

import pytest

from tests.fetch.requests import asked
from tests.fetch.transports import TRANSPORTS, new_transport, over, slot
from tests.support.web.proxies import running
from tests.support.web.site import Answer, Web, page
from ttcrawl.config import ConfigError, read
from ttcrawl.config.proxies import proxy_rules, resolves
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.fetch.proxies import AWAY, Proxies

ONE, TWO, TOR = "http://one.test:1", "http://two.test:2", "socks5h://tor.test:3"


def chosen(text, *urls, now=0.0):
    proxies = Proxies(proxy_rules(text), {})
    found = [proxies.of(url, now) for url in urls]
    return [each and each.host.removesuffix(".test") for each in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [None, None, None]),
        (ONE, ["one", "one", "one"]),
        (f"{ONE} {TWO}", ["one", "two", "one"]),
        (f"{ONE},{TWO}", ["one", "two", "one"]),
        (f"host:*.onion={TOR} {ONE}", ["one", "one", "tor"]),
        (f"{ONE} host:*.onion={TOR}", ["one", "one", "tor"]),
        (f"host:b.test=direct {ONE}", ["one", None, "one"]),
        (f"*.test/*={ONE},direct", ["one", None, None]),
    ],
)
def test_which_one_is_next(text, found):
    assert chosen(text, "http://a.test/", "http://b.test/", "http://c.onion/") == found


def test_a_password_may_have_signs_of_the_list():
    (rule,) = proxy_rules("http://me:p=w,x@one.test:1,socks5://two.test:2")
    found = [(each.host, each.login and each.login.password) for each in rule.proxies]
    assert found == [("one.test", "p=w,x"), ("two.test", None)]


def test_a_dead_one_has_no_turn_for_a_minute():
    proxies = Proxies(proxy_rules(f"{ONE} {TWO}"), {})
    first = proxies.of("http://a.test/", 0.0)
    proxies.failed(first, 0.0)
    assert {proxies.of("http://a.test/", AWAY - 1).host for _ in range(4)} == {"two.test"}
    assert {proxies.of("http://a.test/", AWAY).host for _ in range(4)} == {"one.test", "two.test"}
    proxies.failed(first, AWAY)
    proxies.failed(proxies.of("http://a.test/", AWAY), AWAY)
    assert proxies.of("http://a.test/", AWAY) is not None  # all are dead: one of them is tried


@pytest.mark.parametrize(
    ("text", "host", "found"),
    [
        ("", "a.test", False),
        (ONE, "a.test", True),
        ("socks5://p.test:1", "a.test", False),
        (f"host:a.test={ONE}", "a.test", True),
        (f"host:a.test={ONE}", "b.test", False),
        (f"https://*={ONE}", "a.test", False),
        (f"host:a.test=direct {ONE}", "a.test", False),
    ],
)
def test_who_looks_up_a_name(text, host, found):
    assert resolves(proxy_rules(text), host) == found


@pytest.mark.parametrize(
    "text", ["host:a b=http://p.test:1", "x=ftp://p.test:1", "http://me:s3cret@p.test", "http://p.test:1,"]
)
def test_wrong_entries(text):
    with pytest.raises(ConfigError) as refused:
        read(None, [("fetch.proxy", text)])
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_requests_take_turns_and_a_dead_proxy_is_no_dead_host(transport):
    pages = {("127.0.0.1", "/"): Answer(body=page())}
    with Web(pages, address="127.0.0.1") as web, running("http") as one, running("http") as two, over(transport):
        urls = [f"http://127.0.0.1:{port}" for port in (one.port, two.port)]
        config = read(None, [("fetch.proxy", f"{urls[0]} http://127.0.0.1:1 {urls[1]}")])
        fetcher = new_transport(config, {("127.0.0.1", "127.0.0.1")})
        outcomes = []
        for _ in range(6):
            try:
                outcomes.append(fetcher.get(asked(f"http://127.0.0.1:{web.port}/"), slot()).status)
            except NotFetched as error:
                outcomes.append(error.reason)
        counts = len(one.log), len(two.log)
    assert outcomes == [200, "proxy", 200, 200, 200, 200] and min(counts) >= 2
