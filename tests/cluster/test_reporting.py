"""What a cluster tells others while it crawls: metrics of all rings in one file, and events of each."""

import contextlib
import json
import re
import shutil
import socket
import subprocess
import threading
import time
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.cluster.clusters import clustered, web_of
from tests.support.crawls.crawling import query
from tests.support.faults.killing import until
from ttcrawl.engine.reporting.metrics import METRICS, Series, text
from ttcrawl.output.counters import Snapshot

DASHBOARD = Path(__file__).parents[2] / "docs" / "deploy" / "grafana.json"


@pytest.mark.slow
def test_rings_tell_what_they_do(tmp_path):
    options = (f"--set=crawl.metrics={tmp_path / 'all.prom'}", f"--set=hooks.events={tmp_path / 'events.jsonl'}")
    with web_of(6) as web:
        done = clustered(web, tmp_path / "c", 2, "--no-obey-delay", "--scope", "any", *options)
    assert done.status == 0, done.err
    families = text_string_to_metric_families((tmp_path / "all.prom").read_text())
    read = {(each.name, each.labels["ring"]): each.value for family in families for each in family.samples}
    for ring in done.rings():
        path = tmp_path / "c" / f"ring-{ring}"
        ((pages,),) = query(path, "SELECT count(*) FROM page JOIN url ON url.id = page.url WHERE state = 'fetched'")
        assert read["ttcrawl_pages", str(ring)] == pages > 0 and read["ttcrawl_running", str(ring)] == 0
        events = [json.loads(line) for line in (tmp_path / f"events-ring-{ring}.jsonl").read_text().splitlines()]
        outcomes = dict(query(path, "SELECT url, state FROM url WHERE processed IS NOT NULL AND attempts > 0"))
        assert {each["url"]: each["state"] for each in events if each["url"] in outcomes} == outcomes
    assert not (tmp_path / "events.jsonl").exists()


def queries():
    """(Title, query) of each panel, of all crawls."""
    board = json.loads(DASHBOARD.read_text())
    for panel in board["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"].replace("$directory", ".*")


def test_the_dashboard_asks_for_metrics_that_there_are():
    names = {name for _, expression in queries() for name in re.findall(r"ttcrawl_\w+", expression)}
    assert names <= METRICS.keys() | {"ttcrawl_running", "ttcrawl_written_seconds"}


class Growing(BaseHTTPRequestHandler):
    """Metrics of two rings, which have ten pages more each time they are asked."""

    asked = 0

    def do_GET(self):
        Growing.asked += 1
        grown = Snapshot(pages=10 * self.asked, errors=self.asked, distinct_urls=30 * self.asked, bytes=self.asked)
        rings = [Series({"directory": "news", "ring": ring}, {}, grown) for ring in "12"]
        body = text(rings, time.time(), running=True).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def prometheus(directory, target):
    """Run Prometheus over a server of metrics; yield what asks it a query."""
    config = {
        "scrape_configs": [{"job_name": "crawl", "scrape_interval": "1s", "static_configs": [{"targets": [target]}]}]
    }
    (directory / "prometheus.yml").write_text(json.dumps(config))
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    options = (f"--config.file={directory}/prometheus.yml", f"--storage.tsdb.path={directory}/data")
    command = ["prometheus", *options, f"--web.listen-address={address}"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(expression):
        query = urllib.parse.urlencode({"query": expression})
        with urllib.request.urlopen(f"http://{address}/api/v1/query?{query}", timeout=20) as answer:
            return json.load(answer)["data"]["result"]

    try:
        yield ask
    finally:
        process.terminate()
        process.wait(30)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("prometheus") is None, reason="prometheus (Debian: prometheus) is not installed")
def test_prometheus_answers_each_query_of_the_dashboard(tmp_path):
    with ThreadingHTTPServer(("127.0.0.1", 0), Growing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with prometheus(tmp_path, f"127.0.0.1:{server.server_port}") as ask:
            until(lambda: Growing.asked > 5)
            for title, expression in queries():
                result = ask(expression)
                assert result and all(float(each["value"][1]) >= 0 for each in result), title
                if title.endswith("by ring"):
                    assert {each["metric"]["ring"] for each in result} == {"1", "2"}
            assert float(ask("ttcrawl_pages{ring='1'}")[0]["value"][1]) in range(0, 10 * Growing.asked + 1, 10)
            assert float(ask(dict(queries())["New URLs for each page"])[0]["value"][1]) == pytest.approx(3)
        server.shutdown()
