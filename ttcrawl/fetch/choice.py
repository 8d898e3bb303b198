"""Which transport a crawl uses."""

from __future__ import annotations

from importlib import import_module

from ttcrawl import config

NO_PYCURL = "pycurl cannot be imported, so urllib3 fetches, at a higher cost: pip install pycurl"


def curl(fetch: config.Fetch) -> bool:
    """Whether libcurl fetches: it is chosen and works, and there is no proxy."""
    return fetch.transport == "curl" and not fetch.proxy and works()


def works() -> bool:
    """Whether pycurl can be imported: it may be missing, or a library that it needs."""
    try:
        import_module("pycurl")
    except ImportError:
        return False
    return True
