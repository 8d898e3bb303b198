"""Which transport a crawl uses."""

from __future__ import annotations

from importlib import import_module

from ttcrawl import config
from ttcrawl.errors import plain

NO_PYCURL = "pycurl is not installed, so urllib3 fetches, at a higher cost: pip install pycurl"

#: It is installed, but cannot be loaded: libcurl is missing, or does not fit into memory.
UNUSABLE = "pycurl cannot be loaded ({}), so urllib3 fetches, at a higher cost"

NO_HTTP2 = "fetch.http2 needs libcurl with HTTP/2: all requests use HTTP/1.1"

NO_FTP = "fetch.ftp needs pycurl, which cannot be imported: ftp: URLs fail"


def curl(fetch: config.Fetch) -> bool:
    """Whether libcurl fetches: it is chosen and works."""
    return fetch.transport == "curl" and works()


def warnings(fetch: config.Fetch) -> list[str]:
    """Lines about what was chosen and cannot be done."""
    no_http2 = fetch.http2 and not (curl(fetch) and speaks_http2())
    no_pycurl = _why_not() if fetch.transport == "curl" else ""
    lines = ((no_pycurl, no_pycurl), (NO_HTTP2, no_http2), (NO_FTP, fetch.ftp and not works()))
    return [line for line, applies in lines if applies]


def speaks_http2() -> bool:
    """Whether libcurl can be used, and was built with HTTP/2."""
    if not works():
        return False
    pycurl = import_module("pycurl")
    return bool(pycurl.version_info()[4] & pycurl.VERSION_HTTP2)


def works() -> bool:
    """Whether pycurl can be imported: it may be missing, or a library that it needs."""
    return not _why_not()


def _why_not() -> str:
    """A line about why pycurl cannot be imported, "" where it can be."""
    try:
        import_module("pycurl")
    except ModuleNotFoundError:
        return NO_PYCURL
    except (ImportError, MemoryError) as error:
        return UNUSABLE.format(plain(error))
    return ""
