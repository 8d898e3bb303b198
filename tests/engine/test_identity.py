"""How the crawler identifies itself, by the log of the server."""

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web, robots
from ttcrawl import __version__
from ttcrawl.config import Agent
from ttcrawl.engine.run.checks import NO_CONTACT, identity_hint

CUT = "for Google's parser of robots.txt and its like, {} is {}"


@pytest.mark.parametrize(
    ("agent", "hint"),
    [
        (Agent(), f"; {NO_CONTACT}"),
        (Agent(contact="a@b.test"), ""),
        (Agent(user_agent="cis5550-crawler"), ""),
        (Agent(name="cis5550-crawler", contact="a@b.test"), f"; {CUT.format('cis5550-crawler', 'cis')}"),
        (Agent(name="401", user_agent="x"), f"; {CUT.format('401', 'no name')}"),
    ],
)
def test_hints(agent, hint):
    assert identity_hint(agent) == hint


@pytest.mark.parametrize("transport", ["curl", "urllib3"])
@pytest.mark.parametrize(
    ("settings", "header"),
    [
        (("agent.name=cis5550-crawler",), f"cis5550-crawler/{__version__}"),
        (("agent.name=cis5550-crawler", "agent.user_agent=cis5550-crawler"), "cis5550-crawler"),
        (
            ("agent.name=cis5550-crawler", "agent.user_agent=Mozilla/5.0 (x)", "agent.contact=a@b.test"),
            "Mozilla/5.0 (x)",
        ),
    ],
)
def test_the_header_and_the_name_in_robots_txt(tmp_path, transport, settings, header):
    rules = robots("User-agent: cis5550-crawler", "Disallow: /no", "", "User-agent: *", "Disallow: /")
    pages = {("a.test", "/robots.txt"): rules, ("a.test", "/"): Answer(body=b"<a href=/no>x</a><a href=/yes>x</a>")}
    options = [word for each in (*settings, f"fetch.transport={transport}") for word in ("--set", each)]
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *options)
        sent = [(each.path, each.agent) for each in web.log()]
    assert done.status == 0, done.err
    assert set(sent) == {(path, header) for path in ("/robots.txt", "/", "/yes")}
