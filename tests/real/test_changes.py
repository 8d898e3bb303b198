"""The documentation of a package, crawled, changed on the disk and crawled again: judged by the files."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import trustme

import ttcrawl
from tests.real.installed import documentation
from tests.support.crawls.preforked import run
from tests.support.web import nginx
from tests.support.web.certificates import pem

HOST = "sqlite.docs.test"
EACH = 10  # pages that are edited, and that are renamed, and that are removed
WORDS = "zzqone zzqtwo zzqthree"
PARAGRAPH = re.compile(rb"(<p>[^<]{200,})(</p>)", re.IGNORECASE)


def edited(page: Path) -> bool:
    """Add words to the end of a paragraph of plain text, if there is one."""
    body, count = PARAGRAPH.subn(rb"\1 %s\2" % WORDS.encode(), page.read_bytes(), count=1)
    page.write_bytes(body)
    return bool(count)


def renamed(root: Path, names: list[str]) -> dict[str, str]:
    """Rename pages, and change all links to them."""
    new = {name: name.replace(".html", "-renamed.html") for name in names}
    pattern = re.compile(rb"(?<![\w-])(%s)" % b"|".join(re.escape(name.encode()) for name in names))
    for page in root.rglob("*.html"):
        page.write_bytes(pattern.sub(lambda match: new[match[1].decode()].encode(), page.read_bytes()))
    for name in names:
        (root / name).rename(root / new[name])
    return new


def crawl(port: int, directory: Path) -> None:
    reach = ("--resolve", f"{HOST}:{port}:{nginx.ADDRESS}", "--set", "fetch.verify_tls=no", "--no-obey-delay")
    done = run("crawl", f"https://{HOST}:{port}/index.html", "-d", directory, *reach, "--progress", "none", timeout=600)
    assert done.returncode == 0, done.stderr


def by_path(rows: Iterator[ttcrawl.Change]) -> dict[str, ttcrawl.Change]:
    return {urlsplit(row.url).path.removeprefix("/"): row for row in rows}


@pytest.mark.slow
@pytest.mark.skipif(nginx.PROGRAM is None, reason="needs nginx: apt-get install nginx-light")
def test_what_changed_on_the_disk(tmp_path: Path) -> None:
    root = Path(shutil.copytree(documentation("sqlite3-doc"), tmp_path / "root"))
    with nginx.nginx(tmp_path, pem("good", trustme.CA(), HOST, tmp_path)) as port:
        crawl(port, tmp_path / "before")
        with ttcrawl.open(tmp_path / "before") as first:
            paths = {urlsplit(row.url).path for row in first.iter_pages() if row.status == 200}
        names = sorted(path[1:] for path in paths if re.fullmatch(r"/[\w-]+\.html", path) and path != "/index.html")
        renames = renamed(root, names[:EACH])
        removed = names[EACH : 2 * EACH]
        for name in removed:
            (root / name).unlink()
        edits = list(islice((name for name in names[2 * EACH :] if edited(root / name)), EACH))
        crawl(port, tmp_path / "after")
    with ttcrawl.open(tmp_path / "before") as first, ttcrawl.open(tmp_path / "after") as second:
        changes = by_path(first.diff(second))
    assert len(renames) == len(removed) == len(edits) == EACH
    moved = {name: urlsplit(row.to).path[1:] for name, row in changes.items() if row.change == "moved"}
    assert moved == renames
    gone = {name: row.outcome for name, row in changes.items() if row.change == "gone"}
    assert gone == dict.fromkeys(removed, "http 404")
    assert not [name for name, row in changes.items() if row.change == "new"]
    for name in edits:
        row = changes[name]
        assert (row.change, row.words_added, row.words_removed) == ("changed", len(WORDS.split()), 0), name
