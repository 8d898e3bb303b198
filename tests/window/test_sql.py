"""`ttcrawl view DIR --sql`: Datasette starts, refuses strangers, and answers the queries."""

import http.client
import json
import re
import subprocess
import sys
from urllib.parse import urlencode, urlsplit

import pytest

from tests.library.sample_crawl import HOME, OLD, OTHER, make
from ttcrawl.export.datasette import QUERIES

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def datasette(tmp_path_factory):
    """Port and cookie."""
    pytest.importorskip("datasette")
    directory = tmp_path_factory.mktemp("sql") / "crawl"
    make(directory)
    command = [sys.executable, "-m", "ttcrawl", "view", str(directory), "--sql"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        address = urlsplit(process.stdout.readline().strip())
        while "Uvicorn running" not in process.stderr.readline():
            assert process.poll() is None
        connection = http.client.HTTPConnection(address.netloc)
        connection.request("GET", f"{address.path}?{address.query}")
        cookie = connection.getresponse().headers["set-cookie"].partition(";")[0]
        yield address.netloc, cookie
        process.send_signal(2)
        process.stderr.read()


def get(netloc, path, cookie=""):
    connection = http.client.HTTPConnection(netloc)
    connection.request("GET", path, headers={"cookie": cookie})
    response = connection.getresponse()
    return response.status, response.read().decode()


def test_strangers_see_nothing(datasette):
    netloc, _ = datasette
    assert [get(netloc, path)[0] for path in ("/", "/crawl", "/crawl/url.json", "/crawl.db")] == [403] * 4


def test_internal_and_empty_tables_are_hidden_and_rows_have_labels(datasette):
    netloc, cookie = datasette
    tables = {each["name"]: each["hidden"] for each in json.loads(get(netloc, "/crawl.json", cookie)[1])["tables"]}
    assert tables["by_key"] and tables["earlier_page"] and not tables["url"] and not tables["visit"]
    assert "a.test" in re.sub("<[^>]+>", " ", get(netloc, "/crawl/url/1", cookie)[1])


@pytest.mark.parametrize("name", QUERIES)
def test_each_query_answers(datasette, name):
    netloc, cookie = datasette
    query = urlencode({"url": OTHER, "host": "a.test", "_shape": "array"})
    status, text = get(netloc, f"/crawl/{name}.json?{query}", cookie)
    rows = json.loads(text)
    assert status == 200 and rows
    if name == "inlinks":
        assert {each["source"] for each in rows} == {HOME, OLD}
    if name == "failed":
        assert rows == [{"reason": "dns", "urls": 1}]
