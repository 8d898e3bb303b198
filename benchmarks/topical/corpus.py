"""The corpus: documentation of ten packages behind one nginx, a catalogue that links to all, and where a run begins."""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.docsites import DocSites, Missing, serving

CATALOGUE = "start.test"

#: Its other books have their indexes under other names.
QT = (
    *("qtconcurrent", "qtcore", "qtdbus", "qtgui", "qtnetwork", "qtopengl", "qtplatformheaders", "qtprintsupport"),
    *("qtsql", "qtwidgets", "qtxml"),
)

#: host -> (package, document root, entry pages as the catalogue lists them)
PACKAGES = {
    "python.test": ("python3.11-doc", "/usr/share/doc/python3.11-doc/html", ("index.html",)),
    "postgresql.test": ("postgresql-doc-15", "/usr/share/doc/postgresql-doc-15/html", ("index.html",)),
    "sqlite.test": ("sqlite3-doc", "/usr/share/doc/sqlite3", ("index.html",)),
    "boost.test": ("libboost1.81-doc", "/usr/share/doc/libboost1.81-doc/doc/html", ("index.html",)),
    "java.test": ("openjdk-17-doc", "/usr/share/doc/openjdk-17-doc", ("api/index.html",)),
    "qt.test": (
        "qtbase5-doc-html",
        "/usr/share/qt5/doc",
        ("qmake/qmake-manual.html", "qttestlib/qttest-index.html", *(f"{name}/{name}-index.html" for name in QT)),
    ),
    "linux.test": ("linux-doc-6.1", "/usr/share/doc/linux-doc-6.1/html", ("index.html",)),
    "django.test": ("python-django-doc", "/usr/share/doc/python-django-doc/html", ("index.html",)),
    "doxygen.test": ("doxygen-doc", "/usr/share/doc/doxygen/html", ("index.html",)),
    "glib.test": (
        "libglib2.0-doc",
        "/usr/share/gtk-doc/html",
        ("gio/index.html", "glib/index.html", "gobject/index.html"),
    ),
}

#: host -> (package, document root): what models learn from; no part of the corpus
TRAINING = {
    "nodejs.test": ("nodejs", "/usr/share/doc/nodejs"),
    "erlang.test": ("erlang-doc", "/usr/share/doc/erlang-doc"),
    "twisted.test": ("twisted-doc", "/usr/share/doc/twisted-doc/html"),
    "httpclient.test": ("libcommons-httpclient-java-doc", "/usr/share/doc/libcommons-httpclient-java/docs"),
    "io.test": ("libcommons-io-java-doc", "/usr/share/doc/libcommons-io-java/api"),
    "lang3.test": ("libcommons-lang3-java-doc", "/usr/share/doc/libcommons-lang3-java/api"),
    "lilypond.test": ("lilypond-doc-html", "/usr/share/doc/lilypond/html/Documentation"),
}

#: Not pages: copies of sources, and what only a browser's search needs.
EXCLUDED = (
    "*/_sources/*",
    "*/_downloads/*",
    "*.txt",
    "*.gz",
    "*.zip",
    "*.pdf",
    "*.epub",
    "*.rst",
    "*.py",
    "*.cpp",
    "*.c",
    "*.h",
)


@dataclass(frozen=True, slots=True)
class Corpus:
    sites: DocSites
    pages: dict[str, list[str]]  # host -> URLs of its HTML files, sorted

    def seeds(self, run: int) -> list[str]:
        """The catalogue of this run, and one page of each package drawn from all of its pages."""
        chance = random.Random(f"seeds {run}")
        return [f"{self.sites.seed(CATALOGUE)}{run}.html", *(chance.choice(pages) for pages in self.pages.values())]


def files(root: Path, entries: Sequence[str] = ("index.html",)) -> list[str]:
    """Paths, relative to `root`, of the HTML files in the directories of the entries, also behind symbolic links."""
    directories = sorted({f"./{entry.rpartition('/')[0]}" for entry in entries})
    command = ["find", "-L", *directories, "-type", "f", "(", "-name", "*.html", "-o", "-name", "*.htm", ")"]
    found = subprocess.run(command, cwd=root, capture_output=True, text=True).stdout
    return sorted(line.removeprefix("./") for line in found.splitlines())


def catalogue(port: int, run: int) -> str:
    books = [
        f'<li><a href="http://{host}:{port}/{path}">{package}: {path.rpartition("/")[2].removesuffix(".html")}</a></li>'
        for host, (package, _, entries) in PACKAGES.items()
        for path in entries
    ]
    random.Random(f"catalogue {run}").shuffle(books)
    return f"<!doctype html><title>Documentation</title><h1>Documentation</h1><ul>{''.join(books)}</ul>"


@contextmanager
def corpus(runs: Sequence[int]) -> Iterator[Corpus]:
    """Serve the corpus until the end of the `with`. Raises Missing."""
    roots = {host: Path(root) for host, (_, root, _) in PACKAGES.items()}
    pages = {
        host: files(Path(root), entries) if Path(root).is_dir() else [] for host, (_, root, entries) in PACKAGES.items()
    }
    if missing := [package for host, (package, _, _) in PACKAGES.items() if not pages[host]]:
        raise Missing(f"no documentation of {', '.join(missing)}: apt-get install {' '.join(missing)}")
    with tempfile.TemporaryDirectory(prefix="catalogue-") as folder:
        Path(folder).chmod(0o755)
        with serving({CATALOGUE: Path(folder), **roots}) as sites:
            for run in runs:
                (Path(folder) / f"{run}.html").write_text(catalogue(sites.port, run), encoding="utf-8")
            yield Corpus(sites, {host: [sites.seed(host) + path for path in paths] for host, paths in pages.items()})
