"""Which files are databases of Scrapy's HTTP cache (scrapy.extensions.httpcache.DbmCacheStorage)."""

from __future__ import annotations

import dbm
from importlib.util import find_spec
from pathlib import Path
from typing import cast

#: Ends of the keys of a response, and of its time.
DATA, TIME = b"_data", b"_time"

#: Names of the files of all kinds of databases: Scrapy adds .db, and some kinds add theirs.
PATTERNS = ("*.db", "*.db.dat")

#: Kind of databases -> the module of Python that reads it, and the package of Debian with this module.
_MODULES = {"dbm.gnu": ("_gdbm", "python3-gdbm"), "dbm.ndbm": ("_dbm", "python3")}


def database_name(path: Path) -> str:
    """Return the name by which Python opens a database that is in a file."""
    name = str(path)
    return (
        name.removesuffix(".dat") if name.endswith(".db.dat") else name.removesuffix(".db") if _is_ndbm(name) else name
    )


def is_database(path: Path) -> bool | str:
    """Whether a file has responses of Scrapy; else why this Python cannot say it. Raises OSError."""
    name = database_name(path)
    kind = dbm.whichdb(name)
    if not kind:
        return False
    if kind in _MODULES and find_spec(_MODULES[kind][0]) is None:
        return f"{path} is a database of {kind}, which this Python cannot read: install {_MODULES[kind][1]}"
    try:
        with dbm.open(name, "r") as database:
            return any(key.endswith((DATA, TIME)) for key in cast("list[bytes]", database.keys())[:1])
    except dbm.error:
        return False


def _is_ndbm(name: str) -> bool:
    return name.endswith(".db.db")
