"""What an index of packages would have: an sdist that builds, installs and tests itself, and is no larger than said."""

import os
import re
import subprocess
import sys
import tarfile
import venv
from email.parser import BytesParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "install.md").read_text()
#: Megabytes of the libraries and ttcrawl, without pip and setuptools.
MOST = 120
#: They need no library but those of the installation and pytest, and no crawl.
TESTS = ("tests/frontier", "tests/read/fingerprints", "tests/core/test_similarity.py", "tests/web/test_url.py")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def done(*words, **options):
    run = subprocess.run([*map(str, words)], capture_output=True, text=True, **options)
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    return run.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    """The folder that a user unpacks."""
    folder = tmp_path_factory.mktemp("sdist")
    done(sys.executable, "-m", "build", "--sdist", "--outdir", folder, ROOT)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
        built = [name for name in file.getnames() if name.endswith((".so", ".pyc", "__pycache__"))]
    assert not built
    unpacked = folder / archive.name.removesuffix(".tar.gz")
    assert all((unpacked / each).is_file() for each in ("config.ini", "CITATION.cff", "LICENSE", "docs/speed.md"))
    return unpacked


@pytest.fixture(scope="module")
def installed(sdist, tmp_path_factory):
    """Programs of a clean virtual environment with nothing but the installation."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=True)
    done(folder / "bin" / "pip", "install", "--disable-pip-version-check", sdist)
    return folder / "bin"


def test_the_installation_is_small(installed):
    packages = Path(done(installed / "python", "-c", "import html5lib; print(html5lib.__path__[0])").strip()).parent
    apart = ("pip", "setuptools", "pkg_resources", "_distutils_hack")
    sizes = {
        each.name: sum(path.lstat().st_blocks * 512 for path in (each, *each.rglob("*")))
        for each in packages.iterdir()
        if not each.name.startswith(apart)
    }
    megabytes = sum(sizes.values()) / 1e6
    assert megabytes <= MOST, sorted(sizes.items(), key=lambda each: -each[1])[:9]
    assert not {"numpy", "matplotlib", "scipy", "pandas"} & sizes.keys()
    said = int(re.search(r"need (\d+) MB", PAGE)[1])
    assert abs(megabytes - said) < 15  # libraries change with their versions


def test_it_crawls_and_reports(installed, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<title>Start</title><p><a href=other.html>other</a>")
    (tmp_path / "site" / "other.html").write_text("<title>Other</title><p>" + "some words " * 20)
    crawl = tmp_path / "crawl"
    done(installed / "ttcrawl", "check", tmp_path / "site", "-d", crawl, "--fail-on", "never")
    for words in (("report", "--format", "json"), ("report", "--format", "csv"), ("report",), ("verify",)):
        assert done(installed / "ttcrawl", words[0], crawl, *words[1:])


def test_it_tests_itself(sdist, installed):
    """Over the installed package, not over the folder."""
    python = installed / "python"
    done(python, "-m", "pip", "install", "--disable-pip-version-check", "pytest", "pytest-timeout", "hypothesis")
    (sdist / "ttcrawl").rename(sdist / "sources")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
    out = done(python, "-m", "pytest", "-q", "-m", "not slow", *TESTS, cwd=sdist, env=environment)
    (sdist / "sources").rename(sdist / "ttcrawl")
    assert int(re.search(r"(\d+) passed", out)[1]) > 300


def test_the_metadata_are_valid(sdist):
    """By the library with which indexes check uploads."""
    metadata = pytest.importorskip("packaging.metadata")
    text = (sdist / "PKG-INFO").read_bytes()
    read = metadata.Metadata.from_email(text, validate=True)
    assert str(read.license_expression) == "MIT" and read.author and read.keywords and read.classifiers
    assert {"Documentation", "Changes", "Issues"} <= read.project_urls.keys()
    assert BytesParser().parsebytes(text)["Description-Content-Type"] == "text/markdown"
