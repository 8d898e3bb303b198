"""`pip install ttcrawl` without an extra: a crawl and what is asked of it go on, the rest says what to install."""

import os
import re
import shutil
import subprocess
from contextlib import closing

import pytest

from tests.crawling import command, options_for
from tests.site import Answer, Web
from ttcrawl.cli import parser
from ttcrawl.cluster.members import encoded, founding
from ttcrawl.cluster.route import table
from ttcrawl.errors import EXTRAS
from ttcrawl.store.sqlite import SqliteStore

SITE = {
    ("a.test", f"/{n or ''}"): Answer(
        body=b"<html lang=en><title>%d</title><p>%s<a href=/%d>next</a>" % (n, b"words of a page " * n, n + 1)
    )
    for n in range(5)
}

#: What is done to a crawl without the extras, or to URLs.
WORK = (
    *(
        "status",
        "why --summary",
        "why SEED",
        "verify",
        "duplicates",
        "page SEED",
        "page SEED --at 2100-01-01",
        "diff",
        "aliases",
        "check --no-external --only orphan",
        "requeue --state failed",
        "recycle",
        "delete --path /none --yes",
        "search page",
        "export",
        "export --format crawl-log",
        "read",
    ),
    *("report --politeness", "report --politeness --format html", "report --seeds", "resume --max-pages 3"),
    "recrawl --once --max-pages 4 --set revisit.policy=fixed",
    "cluster crawl SEED --rings 1 --max-pages 1 --progress none",
)
WITHOUT_A_CRAWL = ("scope http://a.test/", "url http://a.test/ /x", "robots /dev/null /x")

#: What needs an extra -> which.
NEED = {
    **dict.fromkeys(("report", "report --format html", "plot", "plot --what growth", "graph"), "report"),
    **dict.fromkeys(("graph --export gexf", "tune-duplicates", "demo"), "report"),
    "search page --rank pagerank": "report",
    **dict.fromkeys(("export --format cdxj -o x", "export --format wacz -o x"), "wacz"),
    "export --format parquet -o x": "frames",
    "mirror postgresql:///crawls": "postgresql",
    "cluster crawl SEED --ray 127.0.0.1:6379": "cluster",
    "topic score --terms /dev/null": "topic",
    "topic train --relevant /dev/null --irrelevant /dev/null": "topic",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A command in processes that cannot import what an extra brings; the workers of a crawl cannot either."""
    place = tmp_path_factory.mktemp("without")
    (place / "sitecustomize.py").write_text(f"import sys\nsys.modules.update(dict.fromkeys({[*EXTRAS]!r}))\n")
    path = os.pathsep.join(filter(None, (str(place), os.environ.get("PYTHONPATH", ""))))

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"PYTHONPATH": path}
        return subprocess.run(command(*words), capture_output=True, text=True, timeout=120, cwd=place, env=environment)

    return run


@pytest.fixture(scope="module")
def crawled(run, tmp_path_factory):
    directory = tmp_path_factory.mktemp("crawl") / "c"
    with Web(SITE) as web:
        given = ("--no-obey-delay", "--max-pages", "2", "--progress", "none")
        seed = web.url("a.test", "/")
        done = run("crawl", seed, "-d", directory, *options_for(web), *given)
        assert done.returncode == 3 and "Heaps" in done.stdout and "stopped (max_pages)" in done.stderr, done.stderr
        yield directory, seed


def of_the_crawl(words, crawled):
    (name, *others), (directory, seed) = words.split(), crawled
    if name == "topic":
        return name, others[0], directory, *others[1:]
    if name == "cluster":
        words = [seed if each == "SEED" else each for each in others]
        return name, *words, "-c", directory / "config.ini", "-d", directory.parent / f"cluster{len(others)}"
    return name, directory, *(seed if each == "SEED" else each for each in others)


@pytest.mark.slow
@pytest.mark.parametrize("words", WORK)
def test_what_works_without(run, crawled, words):
    done = run(*of_the_crawl(words, crawled))
    assert done.returncode in (0, 3) and done.stdout and "install" not in done.stderr, done.stderr


@pytest.mark.slow
def test_rings_are_gathered_without(run, crawled, tmp_path):
    shutil.copytree(crawled[0], ring := tmp_path / "ring-1")
    with closing(SqliteStore(ring / "crawl.db")) as store:
        store.set(ring=1, members=encoded(founding(table((1,), buckets=16))), incarnation="a")
    done = run("cluster", "gather", ring, "-o", tmp_path / "all")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


@pytest.mark.parametrize("words", WITHOUT_A_CRAWL)
def test_what_works_without_a_crawl(run, words):
    done = run(*words.split())
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize(("words", "extra"), NEED.items())
def test_what_says_which_extra_it_needs(run, crawled, words, extra):
    done = run(*(of_the_crawl(words, crawled) if words != "demo" else ("demo", "-d", crawled[0] / "demo")))
    lines = [f"ttcrawl: {each} is missing: install with: pip install 'ttcrawl[{extra}]'\n" for each in EXTRAS]
    assert done.stderr in [line for line, of in zip(lines, EXTRAS.values(), strict=True) if of == extra]
    assert (done.returncode, done.stdout) == (2, "")


def test_every_command_is_here():
    names = {words.split()[0] for words in ("crawl", *WORK, *WITHOUT_A_CRAWL, *NEED)}
    assert names == set(re.findall(r"^    (\w[\w-]*)(?:  |$)", parser().format_help(), re.MULTILINE))
