"""How a command ends: the exit statuses, and the errors that are reported to the user in one line."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

DONE, FAILED, USAGE, STOPPED = 0, 1, 2, 3

#: Libraries that a crawl does not need -> the extra that installs them.
EXTRAS = {
    **dict.fromkeys(("numpy", "matplotlib", "scipy", "powerlaw", "PIL"), "report"),
    **dict.fromkeys(("pandas", "pyarrow"), "frames"),
    "igraph": "graph",
    **dict.fromkeys(("cdxj_indexer", "surt"), "wacz"),
    "psycopg": "postgresql",
    "maxminddb": "geoip",
    "playwright": "browser",
    **dict.fromkeys(("ahocorasick_rs", "sklearn"), "topic"),
    "ray": "cluster",
}
#: From this similarity by difflib on, a word is taken for a wrong spelling of another one.
NEAR = 0.74

REPORT = tuple(name for name, extra in EXTRAS.items() if extra == "report")


class UsageError(Exception):
    """The command cannot be carried out as given; the message gives the remedy. Exit status 2."""

    __module__ = "ttcrawl"  # the name in tracebacks and documentation


class ConfigError(UsageError):
    """An invalid key or value; the message is one line with its position and the remedy."""


class CrawlFailedError(Exception):
    """The crawl cannot continue, or had no result; the message gives the cause and the remedy. Exit status 1."""

    __module__ = "ttcrawl"


def require(*modules: str, extra: str = "", otherwise: str = "") -> None:
    """Check optional libraries before work that needs them. Raises UsageError for a library that is not installed.

    `extra`: the one to install; "": the first that has the library.
    """
    for name in modules:
        if not installed(name):
            raise UsageError(f"{name} is missing: install with: {install_line(extra or EXTRAS[name])}{otherwise}")


def install_line(extra: str) -> str:
    """Return the command that adds an extra to this installation."""
    from importlib.metadata import distributions

    # several, in a clone: setuptools leaves one there that does not say where it came from
    origins = (each.read_text("direct_url.json") for each in distributions(name="ttcrawl"))
    return install_line_of(extra, next(filter(None, origins), None), Path(sys.prefix))


def install_line_of(extra: str, origin: str | None, prefix: Path) -> str:
    """Return the command that adds an extra to an installation.

    `origin`: its direct_url.json, None if it came from an index (PEP 610). `prefix`: its environment, which uv and pipx
    mark as theirs.
    """
    import json
    import shlex
    from urllib.parse import unquote, urlsplit

    about: dict[str, Any] = json.loads(origin) if origin else {"url": ""}
    url, path = about["url"], Path(unquote(urlsplit(about["url"]).path))
    wanted, editable = f"ttcrawl[{extra}]", about.get("dir_info", {}).get("editable", False)
    if url.startswith("file:") and path.exists():
        wanted = f"{path}[{extra}]"
    elif url and not url.startswith("file:"):
        wanted += f" @ {about['vcs_info']['vcs']}+{url}" if "vcs_info" in about else f" @ {url}"
    if (prefix / "uv-receipt.toml").exists():
        program = "uv tool install"
    elif (prefix / "pipx_metadata.json").exists():
        program = "pipx install --force"
    else:
        program = "pip install"
    return f"{program} {'-e ' if editable and path.exists() else ''}{shlex.quote(wanted)}"


def installed(*modules: str) -> bool:
    """Return whether these libraries are installed. None of them is imported."""
    from importlib.util import find_spec

    return all(find_spec(name) is not None for name in modules)


def plain(error: Exception) -> str:
    """Return the message of an error for users: an operating system error names the file and omits the error number."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error) or type(error).__name__


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return a hint to the name that is most like a wrong one, "" if none is.

    >>> did_you_mean("reprot", ["report", "resume"])
    ' (did you mean report?)'
    """
    close = closest(name, names)
    return f" (did you mean {close}?)" if close else ""


def closest(name: str, names: Iterable[str]) -> str:
    """Return the name that is most like a wrong one, "" if none is near.

    >>> closest("--max-pagse", ["--max-pages", "--parser"]), closest("--header", ["--max-pages", "--parser"])
    ('--max-pages', '')
    """
    from difflib import get_close_matches  # only mistakes need it

    bare = {each.lstrip("-").lower(): each for each in names}  # dashes would make all options alike
    near = get_close_matches(name.lstrip("-").lower(), bare, n=1, cutoff=NEAR)
    return bare[near[0]] if near else ""
