"""Documentation that nginx serves, visited again: what is sent again by the log of nginx, and replayed by pywb."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from benchmarks.docsites import Logged, serving
from tests.real.installed import documentation
from tests.real.pywb import fetched, replayed
from tests.support.crawls.crawling import query, verified
from tests.support.crawls.other_readers import foreign_check

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

HOST = "python.docs.test"
PARTS = ("faq", "howto", "installing", "tutorial", "_static", "_images")

#: What is edited between two visits, and what is added.
EDITED, WORDS, NEW = ("faq/general.html", "howto/sorting.html", "_static/pygments.css"), b"<!-- edited -->", "new.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What nginx has sent in one run."""

    requests: list[Logged]

    @property
    def statuses(self) -> Counter[int]:
        return Counter(each.status for each in self.requests)

    @property
    def bytes(self) -> int:
        return sum(each.bytes for each in self.requests)

    def paths(self, status: int) -> set[str]:
        return {each.uri for each in self.requests if each.status == status}


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    directory: Path
    root: Path
    first: Round  # the crawl
    unchanged: Round
    changed: Round


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    base = tmp_path_factory.mktemp("recrawl")
    root, source = base / "site", documentation("python3.11-doc")
    for part in PARTS:
        shutil.copytree(source / part, root / part)
    links = "".join(f'<a href="{part}/index.html">{part}</a>' for part in PARTS if not part.startswith("_"))
    (root / "index.html").write_text(f"<!DOCTYPE html><title>Parts</title>{links}")
    base.chmod(0o755)
    with serving({HOST: root}) as sites:

        def run(*words: str) -> Round:
            since = sites.mark()
            command = [sys.executable, "-m", "ttcrawl", *words, "--resolve", sites.resolve[0], "--progress", "none"]
            finished = subprocess.run([*command, "--no-obey-delay"], capture_output=True, text=True)
            assert finished.returncode == 0, finished.stderr
            return Round(requests=[each for each in sites.log(since) if each.agent.startswith("ttcrawl/")])

        def visit() -> Round:
            time.sleep(2)  # nginx looks at a file once a second
            settings = ("--set", "revisit.policy=fixed", "--set", "revisit.interval=1")
            return run("recrawl", str(base / "crawl"), "--once", *settings)

        first = run("crawl", sites.seed(HOST), "-d", str(base / "crawl"), "--page-requisites")
        unchanged = visit()
        for name in EDITED:
            with open(root / name, "ab") as file:
                file.write(WORDS)
        (root / NEW).write_text("<!DOCTYPE html><title>New</title><p>A new page")
        (root / "index.html").write_text(f'<!DOCTYPE html><title>Parts</title>{links}<a href="{NEW}">new</a>')
        yield Done(directory=base / "crawl", root=root, first=first, unchanged=unchanged, changed=visit())


def test_what_is_sent_again(done: Done) -> None:
    first, unchanged, changed = done.first, done.unchanged, done.changed
    for name, each in (("crawl", first), ("unchanged", unchanged), ("changed", changed)):
        print(f"{name}: {len(each.requests)} requests {dict(each.statuses)}, {each.bytes:,} bytes of bodies")
    assert first.statuses[200] > 60
    pages = first.paths(200)
    assert unchanged.paths(304) == pages and unchanged.statuses[304] == len(pages)
    assert not unchanged.paths(200) and unchanged.bytes < first.bytes / 1000
    edited = {"/", "/index.html", *(f"/{name}" for name in EDITED)}
    assert edited < pages
    assert changed.paths(304) == pages - edited
    assert changed.paths(200) == {*edited, f"/{NEW}"}
    assert changed.bytes < first.bytes / 10


def test_the_tables_and_the_archive_agree(done: Done) -> None:
    assert verified(done.directory) == ""
    foreign_check(done.directory / "warc")
    assert query(done.directory, "SELECT sum(not_modified) FROM revisit") == [
        (done.unchanged.statuses[304] + done.changed.statuses[304],)
    ]
    changed = query(done.directory, "SELECT url.url FROM earlier_page JOIN url ON url.id = earlier_page.url")
    assert {urlsplit(url).path for (url,) in changed} == done.changed.paths(200) - {f"/{NEW}"}


@pytest.mark.parametrize("kind", ["warc", "wacz"])
def test_pywb_replays_what_was_not_modified(done: Done, tmp_path: Path, kind: str) -> None:
    """A page that was confirmed is its bytes at every moment; one that was edited, those of then."""
    archive = sorted((done.directory / "warc").iterdir())
    if kind == "wacz":
        archive = [tmp_path / "crawl.wacz"]
        command = [sys.executable, "-m", "ttcrawl", "export", str(done.directory), "--format", kind]
        subprocess.run([*command, "-o", str(archive[0])], check=True)
    rows = query(
        done.directory,
        "SELECT url.url, min(answer.time), max(answer.time) FROM answer JOIN url ON url.id = answer.url"
        " WHERE status = 200 GROUP BY url.id",
    )
    assert len(rows) > 60
    with replayed(tmp_path, *archive) as replay:
        for url, _, _ in rows:
            path = done.root / urlsplit(url).path.lstrip("/")
            expected = (path / "index.html" if path.is_dir() else path).read_bytes()
            status, _, body = fetched(f"{replay}id_/{url}")
            assert (status, body) == (200, expected), url
        for url, before, after in rows:
            if before < after and not url.endswith(("/", "/index.html")):
                then = time.strftime("%Y%m%d%H%M%S", time.gmtime(before))
                status, _, body = fetched(f"{replay}{then}id_/{url}")
                now = (done.root / urlsplit(url).path.lstrip("/")).read_bytes()
                assert (status, body + WORDS) == (200, now), url
