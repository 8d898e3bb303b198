"""Sites whose pages are larger or smaller than those of `docsites`, from Debian packages that are not installed."""

from __future__ import annotations

import gzip
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from benchmarks.quality.packages import CACHE, Packages

#: The cross-references of manual pages as mandoc writes them.
_REFERENCE = re.compile(r"<b>([\w.+-]+)</b>\((\d)\)")

#: Bytes of a manual page that is taken: 5 KB on average.
SHORT = range(1_000, 12_000)


def large() -> dict[str, Path]:
    """Pages of 66 KB on average, some of a megabyte, by Sphinx: host -> document root."""
    packages = Packages()
    share = Path("usr") / "share" / "doc"
    return {
        f"{name}.docs.test": packages.debian(package) / share / package / "html"
        for name, package in (("pandas", "python-pandas-doc"), ("sympy", "python-sympy-doc"))
    }


def small() -> dict[str, Path]:
    """Manual pages as HTML, each with links to those that it names: host -> document root."""
    root = CACHE / "manual-pages"
    if not root.exists():
        made = root.with_name(".manual-pages")
        made.mkdir(exist_ok=True)
        _write_manual(made)
        made.rename(root)
    return {"manual.docs.test": root}


def _write_manual(directory: Path) -> None:
    packages = Packages()
    mandoc = str(packages.debian("mandoc") / "usr" / "bin" / "mandoc")
    pages = {}
    for path in sorted((packages.debian("manpages-dev") / "usr" / "share" / "man").rglob("*.gz")):
        if path.is_symlink():  # another name of a page
            continue
        source = gzip.decompress(path.read_bytes())
        html = subprocess.run([mandoc, "-T", "html"], input=source, capture_output=True, check=False).stdout.decode()
        if len(html) in SHORT:
            pages[path.stem] = html

    def link(match: re.Match[str]) -> str:
        name = f"{match[1]}.{match[2]}"
        return f'<a href="{name}.html">{match[0]}</a>' if name in pages else match[0]

    for name, html in pages.items():
        (directory / f"{name}.html").write_text(_REFERENCE.sub(link, html))
    links = "".join(f'<li><a href="{name}.html">{name}</a>\n' for name in pages)
    (directory / "index.html").write_text(f"<!DOCTYPE html><title>Manual pages</title><ul>{links}</ul>")


#: What a table calls them -> their document roots.
SIZES: dict[str, Callable[[], dict[str, Path]]] = {"large": large, "small": small}
