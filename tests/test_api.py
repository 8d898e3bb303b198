"""Programs that use ttcrawl as strangers do: scripts in an empty directory, with nothing but the public names."""

import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import venv
from pathlib import Path

import pytest

import ttcrawl
from tests.library.sample_crawl import make
from tests.support.crawls.crawling import verified
from tests.support.faults.killing import until
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.cli import main

LIBRARY = (Path(__file__).parent.parent / "docs" / "library.md").read_text()

CRAWL = """\
import ttcrawl
crawl = ttcrawl.crawl({seeds!r}, {directory!r}, settings={settings!r})
print(crawl.finished, crawl.summary().pages, crawl.directory)
"""
#: The same where people expect that it is needed, and where nothing has a file.
GUARDED = 'if __name__ == "__main__":\n' + re.sub("^", "    ", CRAWL, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def web():
    with Web(mesh(["a.test", "b.test"], 12, seed=3)) as web:
        yield web


def settings(web, **more):
    given = {"fetch.resolve": " ".join(web.resolve), "politeness.delay": 0.01, "crawl.fetchers": 1, "crawl.parsers": 1}
    return given | {name.replace("__", "."): value for name, value in more.items()}


def program(place, text, *options):
    (place / "program.py").write_text(text)
    command = [sys.executable, *(options or ["program.py"])]
    return subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def said(process):
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    return out


@pytest.mark.slow
@pytest.mark.parametrize("text", [CRAWL, GUARDED], ids=["a script without a guard", "with a guard"])
def test_a_script(tmp_path, web, text):
    """The processes of the pools would import a script without a guard, and crawl too."""
    seeds = [web.url("a.test", "/"), web.url("b.test", "/")]
    out = said(program(tmp_path, text.format(seeds=seeds, directory=None, settings=settings(web))))
    assert re.fullmatch(r"done \d+ crawl-a\.test-\d+\n", out)
    (directory,) = tmp_path.glob("crawl-*")
    assert verified(directory) == ""
    with ttcrawl.open(directory) as crawl:
        assert out.split()[1] == str(crawl.summary().pages) and crawl.finished == "done"


@pytest.mark.slow
def test_without_a_file(tmp_path, web):
    text = CRAWL.format(seeds=web.url("a.test", "/"), directory="here", settings=settings(web, crawl__max_pages=3))
    assert said(program(tmp_path, "", "-c", text)) == "max_pages 3 here\n"


@pytest.mark.slow
def test_a_crawl_that_stopped_is_resumed(tmp_path, web):
    directory, counts = tmp_path / "c", []
    stopped = ttcrawl.crawl(web.url("a.test", "/"), directory, settings=settings(web, crawl__max_pages=3))
    assert (stopped.finished, stopped.summary().pages) == ("max_pages", 3)
    done = ttcrawl.resume(directory, settings={"crawl.max_pages": 0}, on_progress=lambda now: counts.append(now.pages))
    assert done.finished == "done" and counts[-1] == done.summary().pages > 3 and verified(directory) == ""
    for wrong, message in (({"crawl.no": 1}, "no key 'no'"), ({"url.strip_www": True}, "cannot change during a crawl")):
        with pytest.raises(ttcrawl.UsageError, match=message):
            ttcrawl.resume(directory, settings=wrong)
    with pytest.raises(ttcrawl.UsageError, match=r"no crawl|not a crawl"):
        ttcrawl.resume(tmp_path)


@pytest.mark.slow
def test_ctrl_c_ends_in_order_and_is_raised(tmp_path, web):
    slow = settings(web, politeness__delay=0.4)
    text = f"""\
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    {CRAWL.format(seeds=web.url("a.test", "/"), directory="c", settings=slow).splitlines()[0]}
    ttcrawl.crawl({web.url("a.test", "/")!r}, "c", settings={slow!r})
except KeyboardInterrupt as error:
    print(error, "|", ttcrawl.open("c").finished, signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
    process, before = program(tmp_path, text), len(web.log())
    until(lambda: len(web.log()) > before + 1)
    process.send_signal(signal.SIGINT)
    assert said(process) == "ttcrawl resume c continues | interrupted True\n"
    assert verified(tmp_path / "c") == ""


def test_in_another_thread_no_signal_is_touched(tmp_path, web):
    crawls, handler = [], signal.getsignal(signal.SIGTERM)

    def run():
        seen = []
        given = {"settings": settings(web, crawl__max_pages=4), "on_progress": seen.append}
        crawls.append((ttcrawl.crawl(web.url("a.test", "/"), tmp_path / "c", **given), seen))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(timeout=60)
    ((crawl, seen),) = crawls
    assert crawl.finished == "max_pages" and signal.getsignal(signal.SIGTERM) is handler
    assert all(isinstance(each, ttcrawl.Snapshot) for each in seen) and seen[-1].pages == 4


@pytest.mark.slow
def test_what_a_callback_raises_ends_the_crawl_as_a_kill(tmp_path, web):
    def stop(now):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ttcrawl.crawl(web.url("a.test", "/"), tmp_path / "c", settings=settings(web), on_progress=stop)
    assert ttcrawl.open(tmp_path / "c").finished == ""
    assert main(["resume", str(tmp_path / "c"), "--progress", "none"]) == 0 and verified(tmp_path / "c") == ""


@pytest.mark.slow
def test_what_is_refused_is_said_as_by_the_command(tmp_path, web, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for seeds, given, message in (
        ("ftp://a.test/", {}, r"the seed 'ftp://a\.test/' is not an http or https URL"),
        ([], {}, "there are no seeds"),
        ("http://a.test/", {"crawl.pages": 3}, r"the setting: \[crawl\] has no key 'pages'"),
        ("http://a.test/", {"max_pages": 3}, r"the setting max_pages: write it as section\.key=value"),
    ):
        with pytest.raises(ttcrawl.UsageError, match=message):
            ttcrawl.crawl(seeds, settings=given)
    with pytest.raises(ttcrawl.CrawlFailedError, match="does not resolve"):
        ttcrawl.crawl("http://nowhere.invalid/")
    assert list(tmp_path.iterdir()) == []
    make(tmp_path / "c")
    with pytest.raises(ttcrawl.UsageError, match="already contains a crawl"):
        ttcrawl.crawl("http://127.0.0.1/", "c")


@pytest.mark.parametrize(
    ("seeds", "given", "message"),
    [
        (None, {}, "the seed None is not"),
        (b"http://a.test/", {}, r"the seed b'http://a\.test/' is not an http or https URL: write a text"),
        (["http://a.test/", Path("b")], {}, r"the seed PosixPath\('b'\) is not"),
        (
            "http://a.test/",
            {"config": "config.ini"},
            r"'config\.ini' is not a configuration: write config=ttcrawl\.Con",
        ),
        ("http://a.test/", {"on_progress": "bar"}, "on_progress = 'bar' is not a function"),
    ],
)
def test_arguments_of_a_wrong_type(tmp_path, seeds, given, message):
    with pytest.raises(ttcrawl.UsageError, match=message):
        ttcrawl.crawl(seeds, tmp_path / "c", **given)
    assert list(tmp_path.iterdir()) == []


def test_a_daemonic_process_can_not_crawl(tmp_path):
    """multiprocessing does not let it start processes, which was an AssertionError after the directory was made."""
    said = r"crawl in one of concurrent\.futures\.ProcessPoolExecutor"
    with multiprocessing.get_context("fork").Pool(1) as pool, pytest.raises(ttcrawl.UsageError, match=said):
        pool.apply(ttcrawl.crawl, ("http://127.0.0.1/", tmp_path / "c"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_type_checkers_read_the_annotations(tmp_path):
    """mypy reads a package of an environment only if it says so (PEP 561), and none that an import hook finds."""
    environment = tmp_path / "environment"
    venv.create(environment)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "ttcrawl.pth").write_text(f"{Path(ttcrawl.__file__).parent.parent}\n")
    (tmp_path / "program.py").write_text(
        'import ttcrawl\n\nfor page in ttcrawl.open("c").iter_pages():\n    page.titel\n'
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "program.py"]
    command += ["--python-executable", environment / "bin" / "python"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert [line.split(":", 1)[1] for line in done.stdout.splitlines()[:-1]] == [
        '4: error: "Page" has no attribute "titel"; maybe "title"?  [attr-defined]'
    ]


def test_a_configuration_is_read_and_changed(tmp_path):
    (tmp_path / "mine.ini").write_text("[crawl]\nmax_pages = 7\n[scope]\nrules =\n    exclude */a\n    exclude */b\n")
    config = ttcrawl.Config.read(tmp_path / "mine.ini", {"politeness.obey_delay": False, "politeness.delay": 0.5})
    assert (config.crawl.max_pages, config.politeness.obey_delay, config.politeness.delay) == (7, False, 0.5)
    again = config.changed({"scope.rules": "exclude */c\nallow */d", "host:a.test.delay": 2})
    assert [line.text for line in again.scope.rules] == ["exclude */c", "allow */d"]
    assert again.hosts[0].delay == 2 and again.crawl.max_pages == 7
    assert config.changed({}) == config and len(config.scope.rules) == 2
    for value in (None, ["a.test"], {"a": 1}):
        with pytest.raises(ttcrawl.UsageError, match=f"scope.domains is a {type(value).__name__}: write a number"):
            config.changed({"scope.domains": value})
    with pytest.raises(ttcrawl.UsageError, match=r"none\.ini"):
        ttcrawl.Config.read(tmp_path / "none.ini")


def test_the_surface_is_what_the_manual_says():
    names = set(re.findall(r"^\| `(?:ttcrawl\.)(\w+)[`(]", LIBRARY, re.MULTILINE))
    assert names == set(ttcrawl.__all__) - {"__version__"}
    assert ttcrawl.__all__ == sorted(ttcrawl.__all__) == dir(ttcrawl)
    assert all(getattr(ttcrawl, name) for name in ttcrawl.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ttcrawl.nothing


@pytest.mark.parametrize("name", ["Crawl", "Config", "Network", "Response"])
def test_every_public_method_is_in_the_manual(name):
    public = {each for each, value in vars(getattr(ttcrawl, name)).items() if callable(value) and each[0] != "_"}
    public |= {each for each, value in vars(getattr(ttcrawl, name)).items() if isinstance(value, property)}
    public |= {each for each, value in vars(getattr(ttcrawl, name)).items() if isinstance(value, staticmethod)}
    public = {each for each in public if not each.startswith("iter_")}
    assert not {each for each in public if not re.search(rf"`(\w+\.)?{each}[`(]", LIBRARY)}


@pytest.mark.parametrize("name", ["CrawlFailedError", "NotACrawl", "NotThere", "UsageError"])
def test_errors_have_the_names_by_which_they_are_caught(name):
    error = getattr(ttcrawl, name)("why")
    assert f"{type(error).__module__}.{type(error).__qualname__}" == f"ttcrawl.{name}"
    assert type(pickle.loads(pickle.dumps(error))) is type(error)


@pytest.mark.slow
def test_tables_and_figures_of_studies(tmp_path):
    with ttcrawl.open(make(tmp_path / "c")) as crawl:
        studies = {"mine": crawl.study()}
    assert ttcrawl.tables(studies, "sites", form="text").startswith("Sites\n")
    assert "| Sites with pages |" in ttcrawl.tables(studies)
    paths = ttcrawl.plot(studies, ["growth", "content"], tmp_path / "plots", heaps=[(100, 0.4)])
    assert {path.name for path in paths} == {"growth.png", "growth.svg", "content.png", "content.svg"}
    with pytest.raises(ttcrawl.UsageError, match="the report has no part 'site'; its parts: summary"):
        ttcrawl.tables(studies, "site")
    with pytest.raises(ttcrawl.UsageError, match="text, markdown, csv or latex"):
        ttcrawl.tables(studies, form="html")
    with pytest.raises(ttcrawl.UsageError, match="unknown figure 'law'; the figures: growth"):
        ttcrawl.plot(studies, "law", tmp_path)
