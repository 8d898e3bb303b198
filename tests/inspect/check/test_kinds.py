"""A generated site with a problem of every kind, and as many near misses: nothing is missed, nothing is false."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
import trustme

from tests.inspect.check import planted_site, sick_site
from tests.inspect.check.planted_site import GOOD, SITE, SOFT, answers, expected
from tests.support.crawls.crawling import command, options_for
from tests.support.web.certificates import pem
from tests.support.web.site import Web
from ttcrawl.inspect.check.kinds import DEFAULT, KINDS, NAMES
from ttcrawl.inspect.check.pages import facts
from ttcrawl.inspect.check.problems import IN_TABLES, OF_REQUESTS


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """That of the site ends in a day, the others in a year."""
    directory = tmp_path_factory.mktemp("certificates")
    ca = trustme.CA()
    ca.cert_pem.write_to_path(directory / "ca.pem")
    for host in (GOOD, SOFT):
        leaf = ca.issue_cert(host)
        leaf.private_key_and_cert_chain_pem.write_to_path(directory / host)
    return {SITE: pem("good", ca, SITE, directory), GOOD: directory / GOOD, SOFT: directory / SOFT}


@pytest.fixture(scope="module")
def report(certificates: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """The problems of the site; its URLs are without origin, those of the others without port."""
    directory = tmp_path_factory.mktemp("planted") / "c"
    environment = os.environ | {"SSL_CERT_FILE": str(certificates[GOOD].with_name("ca.pem"))}
    also = [word for name in NAMES if name not in DEFAULT for word in ("--also", name)]

    def ttcrawl(*options: object) -> str:
        return subprocess.run(command(*options), env=environment, capture_output=True, text=True).stdout

    with Web(answers(), certificates=certificates) as web:
        seeds = [f"https://{host}:{web.port}/" for host in (SITE, GOOD, SOFT)]
        fast = (*options_for(web), "--no-obey-delay", "--progress", "none")
        ttcrawl("crawl", *seeds, "-d", directory, *fast, "--set", "duplicates.soft_404=1")
        lose(directory, f"{seeds[0]}lost-page")
        out = ttcrawl("check", directory, "--no-obey-delay", "--no-external", *also, "--format", "json")
        text = out.replace(seeds[0].removesuffix("/"), "").replace(f":{web.port}", "")
    return json.loads(text)["problems"]


def lose(directory: Path, url: str) -> None:
    """As if a crawl in between had shown that no page links to it."""
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("INSERT INTO unlinked (url, key, lost, since) SELECT id, key, 1, 2 FROM url WHERE url = ?", (url,))


def test_nothing_is_missed_and_nothing_is_false(report: list[dict[str, str]]) -> None:
    reported = Counter((each["kind"], each["url"]) for each in report)
    assert (reported - expected(), expected() - reported) == (Counter(), Counter())


def test_both_sites_have_every_kind() -> None:
    planted = {kind for kind, _ in expected()} | {each.kind for each in sick_site.expected()}
    assert planted == set(NAMES)
    assert len(planted_site.RIGHT) * 2 > len(planted_site.WRONG)


def test_each_kind_is_found_in_one_place_and_says_why() -> None:
    names = [name for kinds, _ in (*IN_TABLES, *facts.ON_PAGES) for name in kinds]
    assert len(names) == len(set(names)) and set(names) <= set(NAMES)
    assert set(NAMES) >= facts.KINDS | OF_REQUESTS
    for kind in KINDS:
        assert kind.why.endswith(".") and kind.source.startswith("https://"), kind
    failing = {kind.name for kind in KINDS if kind.level == "error" and kind.area != "links"}
    assert failing == {"canonical"}, "only links fail, and a canonical URL is one"


def test_details_name_what_is_wrong(report: list[dict[str, str]]) -> None:
    about = {(each["kind"], each["url"]): (each["source"], each["text"], each["detail"]) for each in report}
    assert about["hreflang-return", "/hreflang-return"] == ("/without-return", "", "")
    assert about["deep-page", "/d6"][2] == "6 clicks"
    assert about["canonical-chain", "/sitemap-canonical"] == ("/canonical-chain", "", "names /near")
    assert (
        about["json-ld-incomplete", "/json-ld-incomplete"][2] == "Product without offers or review or aggregateRating"
    )
    assert about["certificate", "/"][2] == "in 0 days"
    assert about["missing-label", '<input name="q">'] == ("/missing-label", "", "")
    assert about["heavy-image", "/heavy.png"] == ("/showing", "0.5 MB", "")
    assert about["uncached", "/"][2] == "1 of 6 files, such as /unkept.png"
    assert about["skipped-heading", "/skipped-heading"][1:] == ("y", "h4 after h2")
