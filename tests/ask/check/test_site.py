"""A generated site with known problems: they are reported exactly, and external URLs are requested once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ask.check.sick_site import PAGES, SITE, expected
from tests.crawling import options_for
from tests.forked import run
from tests.site import PORT, Hit, Web

FAST = ("--no-obey-delay", "--set", "fetch.retries=0", "--set", "politeness.backoff=0.1", "--progress", "none")


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[dict, list[Hit], int, Path]]:
    """(the report, the log of the servers, their port, the directory) of a check of the site."""
    directory = tmp_path_factory.mktemp("check") / "c"
    with Web(PAGES) as web:
        done = run("check", web.url(SITE, "/"), "-d", directory, *options_for(web), *FAST, "--format", "json")
        log, port = web.log(), web.port
    assert done.returncode == 1, done.stderr
    yield json.loads(done.stdout), log, port, directory


def test_exactly_these_problems(checked: tuple[dict, list[Hit], int, Path]) -> None:
    report, _, port, _ = checked
    origin = f"http://{SITE}:{port}"
    shown = {
        (
            each["kind"],
            each["url"].removeprefix(origin),
            each["source"].removeprefix(origin),
            each["text"],
            each["detail"],
        )
        for each in report["problems"]
    }
    wanted = {
        tuple(part.replace(PORT, str(port)) for part in (each.kind, each.url, each.source, each.text, each.detail))
        for each in expected()
    }
    assert shown - wanted == set() and wanted - shown == set()
    assert len(shown) == len(report["problems"])
    assert report["counts"] == Counter(each.kind for each in expected())
