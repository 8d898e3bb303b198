"""The core is built where there is a compiler; else the installation succeeds without it."""

import os
import subprocess
import sys
import tarfile

import pytest

from tests.core.build import ROOT, copied, setup
from tests.core.compiled import needs_core
from tests.core.sanitize import sanitize

PROGRAM = "from ttcrawl import core; print(core.__file__, core.reader())"


def reader(directory) -> tuple[bool, str]:
    """Whether a process has the package of a folder, and who reads its pages."""
    environment = {name: each for name, each in os.environ.items() if name != "TTCRAWL_READER"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=directory, env=environment, capture_output=True, text=True
    )
    path, _, name = done.stdout.strip().partition(" ")
    return path.startswith(str(directory)), name


@pytest.mark.slow
@needs_core
def test_with_a_compiler(tmp_path):
    setup(copied(tmp_path / "project"), "build", "--build-lib", str(tmp_path / "installed"))
    assert reader(tmp_path / "installed") == (True, "compiled")


@pytest.mark.slow
def test_without_a_compiler(tmp_path):
    environment = {**os.environ, "PATH": "", "CC": "cc", "CXX": "c++"}
    setup(copied(tmp_path / "project"), "build", "--build-lib", str(tmp_path / "installed"), environment=environment)
    assert reader(tmp_path / "installed") == (True, "Python (not compiled)")


@pytest.mark.slow
@needs_core
def test_a_failed_build_leaves_no_older_module(tmp_path):
    """It would lack functions that Python calls."""
    project = copied(tmp_path / "project")
    setup(project, "build_ext", "--inplace")
    assert reader(project) == (True, "compiled")
    (project / "ttcrawl" / "core" / "module.cpp").write_text("#error")
    setup(project, "build_ext", "--inplace")
    assert reader(project) == (True, "Python (not compiled)")


@pytest.mark.slow
@needs_core
def test_a_module_of_other_sources_is_not_used(tmp_path):
    """Someone has updated the sources and not compiled them."""
    project = copied(tmp_path / "project")
    setup(project, "build_ext", "--inplace")
    with (project / "ttcrawl" / "core" / "words.hpp").open("a") as header:
        header.write("// newer\n")
    why = "compiled from other sources: make venv or pip install compiles it again"
    assert reader(project) == (True, f"Python ({why})")


@pytest.mark.slow
def test_what_is_published_has_the_sources(tmp_path):
    project = copied(tmp_path / "project")
    setup(project, "sdist", "--dist-dir", str(tmp_path))
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    sources = {str(path.relative_to(ROOT)) for path in (ROOT / "ttcrawl" / "core").iterdir() if path.is_file()}
    assert {name for name in sources if not name.endswith(".so")} <= names


@pytest.mark.slow
@pytest.mark.timeout(1800)  # a minute of processor time: on a busy machine, more than the usual limit
@needs_core
def test_it_touches_no_memory_but_its_own():
    assert sanitize() == 0
