"""What the start of a command may import: every short command pays for it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.library.sample_crawl import HOME, make
from tests.support.cases import some_fast
from tests.support.crawls.crawling import options_for
from tests.support.web.site import Answer, Web, page

PROGRAM = """
import sys
from ttcrawl.cli import main

def defines_dataclasses(name, module):
    own = (each for each in vars(module).values() if getattr(each, "__module__", "") == name)
    return any("__dataclass_fields__" in vars(each) for each in own if isinstance(each, type))

if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    finally:
        print(*(name for name, module in sys.modules.items() if defines_dataclasses(name, module)), file=sys.stderr)
        print(*sys.modules, file=sys.stderr)
"""


def imported(directory: Path, *options: object) -> set[str]:
    return start_of(directory, *options)[-1]


def start_of(directory: Path, *options: object) -> list[set[str]]:
    """The modules that define dataclasses, and all modules, that a command has imported at its end."""
    (directory / "program.py").write_text(PROGRAM)
    run = [sys.executable, directory / "program.py", *map(str, options)]
    done = subprocess.run(run, capture_output=True, text=True, cwd=directory)
    assert done.returncode == 0, done.stderr
    return [set(line.split(" ")) for line in done.stderr.splitlines()[-2:]]


@pytest.mark.parametrize("options", [["--help"], ["--version"], ["crawl", "--help"], ["report", "--help"]])
def test_the_options_need_no_library_and_no_configuration(tmp_path: Path, options: list[str]) -> None:
    modules = imported(tmp_path, *options)
    assert {"argparse", "ttcrawl.cli.command_line"} <= modules
    ours = {"ttcrawl.config", "ttcrawl.engine", "ttcrawl.ring", "ttcrawl.vocabulary.reason", "ttcrawl.cli.crawling"}
    assert not modules & (ours | {"dataclasses", "inspect", "json", "msgspec", "multiprocessing", "numpy", "sqlite3"})


@pytest.mark.parametrize(("options", "files"), [(["--version"], 0), (["status", "--help"], 1), (["try", "--help"], 1)])
def test_a_command_reads_the_file_of_no_other(tmp_path: Path, options: list[str], files: int) -> None:
    modules = [each for each in imported(tmp_path, *options) if each.startswith("ttcrawl.cli.commands.")]
    assert len(modules) == files and all(options[0] in each for each in modules)


#: Modules of a crawl that define dataclasses, outside of the keys of config.ini and of what programs may import.
OF_DATACLASSES = {
    "ttcrawl.engine.run.job",
    "ttcrawl.output.counters",
    "ttcrawl.output.layout",
    "ttcrawl.topic.grammar",
    "ttcrawl.web.line",
}


def test_the_crawl_process_does_not_import_what_its_processes_need(tmp_path: Path) -> None:
    with Web({("a.test", "/"): Answer(body=page("/b")), ("a.test", "/b"): Answer(body=page())}) as web:
        options = ["-d", tmp_path / "c", *options_for(web), "--no-obey-delay"]
        dataclasses, modules = start_of(tmp_path, "crawl", web.url("a.test", "/"), *options)
    others = ("ttcrawl.config", "ttcrawl.report", "ttcrawl.snapshot")
    ours = {each for each in dataclasses if each.startswith("ttcrawl.") and not each.startswith(others)}
    assert ours == OF_DATACLASSES  # each class costs 0.5 ms to define, a Struct a thirtieth
    assert "ttcrawl.report.few_links" in modules
    of_processes = {"ttcrawl.fetch.urllib3", "ttcrawl.parse.read", "html5lib", "numpy", "rensa", "urllib3"}
    assert not modules & (of_processes | {"matplotlib", "pandas", "scipy"})


def test_the_laws_of_a_short_report_need_no_numpy() -> None:
    program = "import sys; from ttcrawl.report.laws.heaps import fit; assert fit(range(1, 999), range(1, 999))"
    subprocess.run([sys.executable, "-c", f"{program}; assert 'numpy' not in sys.modules"], check=True)


def test_the_fork_server_imports_what_most_crawls_use(tmp_path: Path) -> None:
    """urllib3 is the second transport, html5lib the second parser; numpy has no work in a crawl."""
    program = "import sys, ttcrawl.ring.preload.fetch, ttcrawl.ring.preload.parse; print(*sys.modules, flush=True)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True)
    modules = set(done.stdout.split())
    assert {"pycurl", "ttcrawl.fetch.curl.worker", "ttcrawl.parse.worker"} <= modules
    assert not modules & {"concurrent.futures", "html5lib", "lxml", "numpy", "sqlite3", "urllib3", "warcio"}


BOTH = """
import sys
from importlib import import_module
from ttcrawl.ring.fork_server import BOTH
for name in BOTH:
    import_module(name)
both = set(sys.modules)
import ttcrawl.cli.commands.crawl, ttcrawl.cli.crawling, ttcrawl.engine.run.session
crawl = set(sys.modules) - both
for name in crawl:
    del sys.modules[name]
import ttcrawl.ring.preload.fetch, ttcrawl.ring.preload.parse
print("twice:", *sorted(crawl & set(sys.modules)), flush=True)  # the fork server ends without its buffers
"""


def test_what_the_crawl_process_and_its_fork_server_import_is_imported_before_the_fork(tmp_path: Path) -> None:
    run = [sys.executable, "-c", BOTH]
    done = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout.split() == ["twice:"]


def test_status_needs_no_part_of_a_running_crawl(tmp_path: Path) -> None:
    program = "import sys, ttcrawl.cli, ttcrawl.snapshot.status; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True)
    modules = done.stdout.split()
    assert not [each for each in modules if each.startswith(("ttcrawl.frontier", "ttcrawl.engine.loop", "pybloom"))]


#: Libraries of extras, and what others bring; a command that needs none of them imports none.
HEAVY = {"igraph", "kreuzberg", "matplotlib", "numpy", "pandas", "PIL", "playwright", "psycopg", "pyarrow", "ray"}
HEAVY |= {"scipy", "sklearn", "warcio", "fastwarc", "html5lib", "urllib3"}
LIGHT = (
    ("status", "{crawl}"),
    ("why", "{crawl}", "--summary"),
    ("page", "{crawl}", HOME),
    ("report", "{crawl}", "--section", "summary,politeness,sites,content"),
    ("report", "{crawl}", "--politeness"),
    ("search", "{crawl}", "home"),
    ("duplicates", "{crawl}"),
    ("diff", "{crawl}"),
    ("aliases", "{crawl}"),
    ("export", "{crawl}"),
    ("config",),
    ("try", "url", "http://a.test/", "x"),
    ("completion", "bash"),
    ("man", "crawl"),
)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("sample") / "c")


@pytest.mark.parametrize("words", some_fast(LIGHT, *LIGHT[:4]), ids=" ".join)
def test_a_command_imports_nothing_heavy_before_it_is_needed(
    tmp_path: Path, sample: Path, words: Sequence[str]
) -> None:
    modules = imported(tmp_path, *(word.format(crawl=sample) for word in words))
    assert not modules & HEAVY
