"""`ttcrawl export --since`: an index that takes what has changed has the same documents as a new one."""

import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.support.crawls import zebra
from tests.support.crawls.crawling import crawl, options_for
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, moved, page
from ttcrawl.cli import main

LONG = "<p>" + " ".join(f"word{n}" for n in range(60))
BEFORE = {
    ("a.test", "/"): Answer(body=page("/a", "/b", "/copy", "/gone", "/moved", "/private", content="<p>start")),
    ("a.test", "/a"): Answer(body=page("/far", "/", content="<p>apple")),
    ("a.test", "/b"): Answer(body=page("/", content=LONG + " banana", title="b")),
    ("a.test", "/copy"): Answer(body=page("/", content=LONG + " banana", title="b")),
    ("a.test", "/gone"): Answer(body=page("/far", content="<p>grape")),
    ("a.test", "/moved"): Answer(body=page(content="<p>melon")),
    ("a.test", "/private"): Answer(body=page(content="<p>peach")),
    ("a.test", "/far"): Answer(body=page(content="<p>fig")),
}
AFTER = BEFORE | {
    ("a.test", "/a"): Answer(body=page("/new", "/", content="<p>apricot")),
    ("a.test", "/b"): Answer(body=page("/", content="<p>blueberry")),
    ("a.test", "/gone"): Answer(status=404),
    ("a.test", "/moved"): moved("/a"),
    ("a.test", "/new"): Answer(body=page("/far", content="<p>nectarine")),
    ("a.test", "/robots.txt"): Answer(body=b"User-agent: *\nDisallow: /private\n"),
}
VISIT = ("--once", "--no-obey-delay", "--inline", "--progress", "none", "--set", "politeness.robots_max_age=1")
VISIT += ("--set", "revisit.policy=fixed", "--set", "revisit.interval=1")


def documents(file: Path) -> dict[str, str | None]:
    """Id -> the document; None: it is gone."""
    return {
        each.get("id"): None if each.get("action") == "delete" else ElementTree.tostring(each, "unicode").strip()
        for each in ElementTree.parse(file).getroot()
    }


class Exports:
    """The exports of a crawl, one after the other."""

    def __init__(self, crawl: Path, directory: Path, capsys) -> None:
        self._crawl, self._directory, self._capsys = crawl, directory, capsys
        self._moment = ""
        self.updated: dict[str, str] = {}  # the documents of an index that has taken all exports

    def next(self) -> Path:
        """Write what has changed since the last one, and take it."""
        file = self._export("changes.xml", *(("--since", self._moment) if self._moment else ()))
        self._moment = self._capsys.readouterr().err.split("--since ")[1].split()[0]
        changes = documents(file)
        self.updated = {id: each for id, each in (self.updated | changes).items() if each is not None}
        return file

    def all(self) -> dict[str, str]:
        return documents(self._export("all.xml"))

    def _export(self, name: str, *options: str) -> Path:
        file = self._directory / name
        assert main(["export", str(self._crawl), "--format", "alvis", "-o", str(file), *options]) == 0
        return file


def visit(web: Web, directory: Path, times: int = 1) -> None:
    for _ in range(times):
        time.sleep(1.1)
        done = run("recrawl", directory, *options_for(web), *VISIT)
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_what_has_changed_and_what_is_gone(tmp_path, capsys):
    with Web(BEFORE) as web:
        port = web.port
        assert crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline").status == 0
    exports = Exports(tmp_path / "c", tmp_path, capsys)
    zebra.index(tmp_path / "zebra", exports.next())
    assert exports.updated == exports.all() and len(exports.updated) == 7
    with Web(AFTER, port=port) as web:
        for times in (1, 4):
            visit(web, tmp_path / "c", times)
            zebra.update(tmp_path / "zebra", exports.next())
            assert exports.updated == exports.all()
        urls = {path: web.url("a.test", path) for _, path in AFTER}
    assert main(["delete", str(tmp_path / "c"), "--url", urls["/copy"], "--yes"]) == 0
    capsys.readouterr()
    zebra.update(tmp_path / "zebra", exports.next())
    assert exports.updated == exports.all()
    fruits = {"apple": [], "apricot": ["/a"], "banana": [], "blueberry": ["/b"], "grape": [], "melon": []}
    fruits |= {"fig": ["/far"], "nectarine": ["/new"], "peach": ["/private"]}  # refused now, the stored page stays
    with zebra.served(tmp_path / "zebra") as port:
        found = {fruit: zebra.urls(port, f"@attr 1=text {fruit}") for fruit in fruits}
        everything = zebra.count(port, '@attr 1=_ALLRECORDS @attr 2=103 ""')
    assert found == {fruit: [urls[path] for path in paths] for fruit, paths in fruits.items()}
    assert everything == len(exports.updated)


def test_nothing_has_changed(export, directory, capsys):
    export("alvis")
    moment = capsys.readouterr().err.split("--since ")[1].split()[0]
    assert len(documents(export("alvis", "--since", moment))) <= len(documents(export("alvis")))
    assert documents(export("alvis", "--since", "2100-01-01")) == {}
    assert documents(export("alvis", "--since", "1970-01-02")) == documents(export("alvis"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "alvis", "--since", "yesterday"], "'yesterday' is not a moment such as 2026-01-31"),
        (["--format", "dc", "--since", "2026-01-31"], "--since is for alvis"),
        (["--since", "2026-01-31"], "--since is for alvis"),
    ],
)
def test_wrong_moments(directory, capsys, options, message):
    try:
        status = main(["export", str(directory), *options])
    except SystemExit as error:
        status = error.code
    assert status == 2 and message in capsys.readouterr().err
