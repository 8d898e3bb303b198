"""Now: sentences, curves, problems, and events that carry what has changed."""

import http.client

import pytest

from tests.library.sample_crawl import make
from tests.support.window import window


@pytest.fixture(scope="module")
def each(tmp_path_factory):
    directory = tmp_path_factory.mktemp("now") / "crawl"
    make(directory)
    with window(directory) as one:
        yield one


def test_now_shows_what_status_prints(each):
    text = each.get("/crawl/").text
    assert "<title>Now: " in text and "ttcrawl status" in text


def test_an_event_is_the_live_part_of_the_page(each):
    connection = http.client.HTTPConnection("127.0.0.1", each.port)
    connection.request("GET", "/crawl/events", headers={"cookie": f"{each.safety.cookie_name}={each.safety.cookie}"})
    response = connection.getresponse()
    assert response.headers["content-type"].startswith("text/event-stream")
    lines = []
    while (line := response.readline().decode()) != "\n":
        assert line.startswith("data: ")
        lines.append(line.removeprefix("data: "))
    connection.close()
    assert lines[0].startswith("<div id=") and "".join(lines).strip() in each.get("/crawl/").text
