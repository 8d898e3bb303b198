"""`pip install ttcrawl` without an extra: a crawl and what is asked of it go on, the rest says what to install."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing

import pytest

from tests.support.crawls import preforked as forked
from tests.support.crawls.crawl_db import generated
from tests.support.crawls.crawling import command, options_for
from tests.support.web.site import Answer, Web
from ttcrawl.cli import parser
from ttcrawl.cluster.members import encoded, founding
from ttcrawl.cluster.route import table
from ttcrawl.errors import EXTRAS, install_line
from ttcrawl.store.sqlite import Store

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
        "check --offline --only orphan",
        "requeue --state failed",
        "requeue --recorded",
        "delete --path /none --yes",
        "search page",
        "export",
        "extract --css name=a",
        "import",
        "lab --policy breadth",
        "export --format crawl-log",
        "read",
    ),
    *("report --politeness", "report --politeness --format html", "report --seeds", "resume --max-pages 3"),
    "recrawl --once --max-pages 4 --set revisit.policy=fixed",
    "cluster crawl SEED --rings 1 --max-pages 1 --progress none",
)
WITHOUT_A_CRAWL = (
    "try scope http://a.test/",
    "try url http://a.test/ /x",
    "config --profile polite",
    "man crawl",
    "try robots /dev/null /x",
    "completion bash",
)

#: What needs an extra -> which.
NEED = {
    **dict.fromkeys(("plot", "plot --what growth", "graph", "graph --picture", "graph --export gexf"), "report"),
    **dict.fromkeys(("search page --rank pagerank", "duplicates --tune"), "report"),
    **dict.fromkeys(("report --section laws", "report --section summary,graph"), "report"),
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

    def run(*words: object, begin: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"PYTHONPATH": path}
        line = [*begin, *map(str, words)] if begin else command(*words)
        return subprocess.run(line, capture_output=True, text=True, timeout=120, cwd=place, env=environment)

    return run


@pytest.fixture(scope="module")
def crawled(run, tmp_path_factory):
    directory = tmp_path_factory.mktemp("crawl") / "c"
    with Web(SITE) as web:
        given = ("--no-obey-delay", "--max-pages", "2", "--progress", "none")
        seed = web.url("a.test", "/")
        done = run("crawl", seed, "-d", directory, *options_for(web), *given)
        assert done.returncode == 3 and "All URLs discovered" in done.stdout and "stopped (max_pages)" in done.stderr, (
            done.stderr
        )
        yield directory, seed


def of_the_crawl(words, crawled):
    (name, *others), (directory, seed) = words.split(), crawled
    if name == "topic":
        return name, others[0], directory, *others[1:]
    if name == "import":
        return name, directory / "warc", "-d", directory.parent / "imported"
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
    with closing(Store(ring / "crawl.db")) as store:
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
    done = run(*of_the_crawl(words, crawled))
    lines = [f"ttcrawl: {each} is missing: install with: {install_line(extra)}\n" for each in EXTRAS]
    # an extra may have a library of another one: numpy is in two
    assert done.stderr in [line for line, of in zip(lines, EXTRAS.values(), strict=True) if of == extra] + lines[:1]
    assert (done.returncode, done.stdout) == (2, "")


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A crawl with enough pages for every law."""
    directory = tmp_path_factory.mktemp("large")
    generated(directory, urls=600, links=4000, pages=300, hosts=3)
    return directory


#: Parts of the report that need the extra.
PARTS = ("graph", "laws", "estimates")


@pytest.mark.slow
def test_the_report_has_every_other_figure_without(run, large):
    with_extra, without = forked.run("report", large, "--format", "json"), run("report", large, "--format", "json")
    (large / "cache.msgpack").unlink()
    assert with_extra.returncode == without.returncode == 0
    figures, others = (json.loads(each.stdout) for each in (with_extra, without))
    assert [others.pop(name) for name in PARTS] == [None, None, None]
    assert all(figures.pop(name) for name in PARTS)
    assert rounded(others) == rounded(figures)


def rounded(figures):
    """To 9 digits: sums in another order differ in the last ones."""
    return json.loads(json.dumps(figures), parse_float=lambda text: f"{float(text):.9g}")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "markdown", "csv", "latex", "html"])
def test_the_report_is_there_in_every_form_without(run, large, form):
    """One line says what is left out. Nothing of that is cached for an installation with the extra."""
    done = run("report", large, "--format", form)
    assert done.returncode == 0
    lines = [line for line in done.stderr.splitlines() if "reading: " not in line]  # the progress of what takes long
    assert lines == [f"ttcrawl: without {', '.join(PARTS)} and figures: they need {install_line('report')}"]
    assert "Growth of distinct URLs" in done.stdout and "<img" not in done.stdout
    again = forked.run("report", large, "--format", "text")
    assert "Power law of in" in again.stdout and "pip install" not in again.stdout + again.stderr


@pytest.mark.slow
def test_the_study_of_the_library_is_there_without(run, large):
    program = f"import ttcrawl; study = ttcrawl.open({str(large)!r}).study(); print(study.summary.pages); study.graph"
    done = run(program, begin=(sys.executable, "-c"))
    assert (done.returncode, done.stdout) == (1, "300\n")
    line = f"ttcrawl.UsageError: numpy is missing: install with: {install_line('report')}\n"
    assert done.stderr.endswith(line)


@pytest.mark.slow
@pytest.mark.long
def test_the_demo_compares_its_figures_without(run, tmp_path):
    done = run("demo", "-d", tmp_path / "demo")
    assert done.returncode == 0 and "a figure, with pip install 'ttcrawl[report]'" in done.stdout, done.stderr


def test_every_command_is_here():
    others = ("crawl", "demo", "index", "view")  # tests of their own; `index` needs Zebra's program
    names = {words.split()[0] for words in (*others, *WORK, *WITHOUT_A_CRAWL, *NEED)}
    assert names == set(re.findall(r"^    (\w[\w-]*)(?:  |$)", parser().format_help(), re.MULTILINE))
