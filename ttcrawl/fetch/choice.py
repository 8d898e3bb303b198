"""Which transport a crawl uses."""

from __future__ import annotations

from importlib import import_module

from ttcrawl import config

NO_PYCURL = "pycurl cannot be imported, so urllib3 fetches, at a higher cost: pip install pycurl"

NO_HTTP2 = "fetch.http2 needs libcurl with HTTP/2: all requests use HTTP/1.1"


NO_FTP = "fetch.ftp needs pycurl, which cannot be imported: ftp: URLs fail"


def curl(fetch: config.Fetch) -> bool:
    """Whether libcurl fetches: it is chosen and works."""
    return fetch.transport == "curl" and works()


def warnings(fetch: config.Fetch) -> list[str]:
    """Lines about what was chosen and cannot be done."""
    no_pycurl = fetch.transport == "curl" and not works()
    no_http2 = fetch.http2 and not (curl(fetch) and speaks_http2())
    lines = ((NO_PYCURL, no_pycurl), (NO_HTTP2, no_http2), (NO_FTP, fetch.ftp and not works()))
    return [line for line, applies in lines if applies]


def speaks_http2() -> bool:
    """Whether libcurl can be used, and was built with HTTP/2."""
    if not works():
        return False
    pycurl = import_module("pycurl")
    return bool(pycurl.version_info()[4] & pycurl.VERSION_HTTP2)


def works() -> bool:
    """Whether pycurl can be imported: it may be missing, or a library that it needs."""
    try:
        import_module("pycurl")
    except ImportError:
        return False
    return True
