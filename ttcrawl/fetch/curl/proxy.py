"""A proxy in libcurl's terms: its options, the route of a request, and whose fault a failure is."""

from __future__ import annotations

import http

import pycurl

from ttcrawl.config import Proxy
from ttcrawl.fetch.settings import Settings
from ttcrawl.fetch.tls import ciphers

#: CURLOPT_SUPPRESS_CONNECT_HEADERS, for which pycurl has no name.
SUPPRESS_CONNECT_HEADERS = 265

#: The lowest version of TLS -> its option.
VERSIONS = {
    "1.0": pycurl.SSLVERSION_TLSv1_0,
    "1.1": pycurl.SSLVERSION_TLSv1_1,
    "1.2": pycurl.SSLVERSION_TLSv1_2,
    "1.3": pycurl.SSLVERSION_TLSv1_3,
}

#: Errors of TLS, which libcurl negotiates with the host only after a SOCKS proxy has connected to it.
TLS_ERRORS = frozenset((pycurl.E_SSL_CONNECT_ERROR, pycurl.E_SSL_CACERT))


def set_proxy(curl: pycurl.Curl, proxy: Proxy | None, settings: Settings, cas: dict[int, str]) -> None:
    """Use this proxy, or none: never one of the environment. `cas`: options for the trusted
    certificates."""
    verify_tls = settings.verify_tls
    if proxy is None:
        curl.setopt(pycurl.PROXY, "")
        return
    curl.setopt(pycurl.PROXY, f"{proxy.scheme}://{proxy.host}:{proxy.port}")
    curl.setopt(pycurl.NOPROXY, "")
    curl.setopt(pycurl.HEADEROPT, pycurl.HEADER_SEPARATE)  # cookies and logins are for the host
    curl.setopt(pycurl.PROXYHEADER, ["Proxy-Connection:"])  # not sent: HTTP/1.1 has no such header
    curl.setopt(pycurl.USERAGENT, "")  # pycurl has one of its own, for CONNECT
    curl.setopt(SUPPRESS_CONNECT_HEADERS, 1)
    if proxy.login:
        curl.setopt(pycurl.PROXYAUTH, pycurl.HTTPAUTH_BASIC)
        curl.setopt(pycurl.PROXYUSERNAME, proxy.login.user.encode())
        curl.setopt(pycurl.PROXYPASSWORD, proxy.login.password.encode())
    curl.setopt(pycurl.PROXY_SSL_VERIFYPEER, int(verify_tls))
    curl.setopt(pycurl.PROXY_SSL_VERIFYHOST, 2 * verify_tls)
    curl.setopt(pycurl.PROXY_SSLVERSION, VERSIONS[settings.tls_minimum])
    curl.setopt(pycurl.PROXY_SSL_CIPHER_LIST, ciphers(settings.tls_minimum))
    for option, path in cas.items():
        curl.setopt(OF_PROXY[option], path)


OF_PROXY = {pycurl.CAINFO: pycurl.PROXY_CAINFO, pycurl.CAPATH: pycurl.PROXY_CAPATH}


def forwards(proxy: Proxy, scheme: str) -> bool:
    """Whether the proxy reads requests to URLs of this scheme (with its colon), instead of opening a tunnel."""
    return scheme == "http:" and proxy.scheme in ("http", "https")


def has_connected(curl: pycurl.Curl, proxy: Proxy, scheme: str, number: int) -> bool:
    """Whether the proxy had connected to the host, when error `number` ended an attempt before the request was sent."""
    if scheme == "http:":
        return False
    if proxy.scheme.startswith("socks"):
        return number in TLS_ERRORS
    return bool(curl.getinfo(pycurl.HTTP_CONNECTCODE) == http.HTTPStatus.OK)
