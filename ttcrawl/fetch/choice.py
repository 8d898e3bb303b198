"""Which transport a crawl uses."""

from __future__ import annotations

from importlib.util import find_spec

from ttcrawl import config

NO_PYCURL = "pycurl is not installed, so urllib3 fetches, which costs more processor time: pip install pycurl"


def curl(fetch: config.Fetch) -> bool:
    """Whether libcurl fetches: it is chosen and installed, and there is no proxy."""
    return fetch.transport == "curl" and not fetch.proxy and installed()


def installed() -> bool:
    return find_spec("pycurl") is not None
