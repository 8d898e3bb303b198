"""The keys of config.ini for requests: transport, timeouts, limits, and which addresses may be contacted."""

from __future__ import annotations

import re

from ttcrawl.config.credentials import logins
from ttcrawl.config.headers import headers
from ttcrawl.config.key import key
from ttcrawl.config.lines import NO_LINES, Lines
from ttcrawl.config.names import resolve_map
from ttcrawl.config.proxies import proxy_rules
from ttcrawl.frozen import frozen
from ttcrawl.web.networks import allow_list

#: A media range without parameters (RFC 9110 section 12.5.1), of tokens without *.
MEDIA_TYPE = re.compile(r"\*/\*|[\w!#$%&'+.^`|~-]+/(\*|[\w!#$%&'+.^`|~-]+)", re.ASCII)


@frozen
class Fetch:
    """One request and its response."""

    transport: str = key(
        "curl",
        "curl (libcurl: less processor time; where libcurl fails: urllib3), or urllib3",
        choices=("curl", "urllib3"),
    )
    http2: bool = key(
        False,
        "yes: HTTP/2 for https where the server offers it (libcurl only; archived as HTTP/1.1)",
    )
    ftp: bool = key(
        False,
        "yes: ftp: URLs are fetched, anonymously (libcurl only, without proxy); no: they are links of another scheme",
    )
    connect_timeout: float = key(10.0, "seconds to connect", low=0.001)
    read_timeout: float = key(30.0, "seconds without a byte", low=0.001)
    total_timeout: float = key(120.0, "seconds for the complete request", low=0.001)
    max_body: int = key(
        10 << 20,
        "maximum bytes of a body (k, m and g are understood); if Content-Length is larger, the body is not"
        " read; otherwise the beginning of a longer body is kept",
        low=1024,
        size=True,
    )
    max_head: int = key(
        64 << 10,
        "maximum bytes of status line and headers; a longer head is a failure",
        low=1024,
        high=128 << 10,
        size=True,
    )
    max_headers: int = key(200, "maximum header lines; more are a failure", low=1, high=10_000)
    types: str = key(
        "",
        "content types whose bodies are fetched, such as text/* application/pdf; bodies of other types are "
        "not read; empty: all",
    )
    head_first: str = key(
        "no",
        "no, yes (all), or patterns of URLs as in [scope], separated by white space, such as *.iso path:/files:"
        " a HEAD is sent for these pages first, and GET only when the body is wanted",
    )
    max_decoded: int = key(
        64 << 20, "maximum bytes of a decoded body; a larger one is refused as a bomb", low=1024, size=True
    )
    max_ratio: int = key(
        250,
        "maximum ratio of decoded to received bytes, for bodies of more than 1 MB; above it a body is refused"
        " as a bomb",
        low=2,
    )
    verify_tls: bool = key(True, "no: do not check certificates")
    tls_minimum: str = key(
        "1.2",
        "lowest version of TLS that is accepted, 1.0 to 1.3, of servers and of an https proxy; below 1.2 also the weak"
        " keys and hashes of servers that know nothing else",
        choices=("1.0", "1.1", "1.2", "1.3"),
    )
    retries: int = key(2, "retries of a URL after an incomplete answer or a status 429 or 5xx", low=0)
    retry_wait: float = key(2.0, "seconds before the first retry; four times as long before each next one", low=0)
    cookies: str = key(
        "no",
        "no (cookies are not sent), host (cookies are sent to the host that set them, until the run ends),"
        " kept (cookies follow RFC 6265 and are stored with the crawl)",
        choices=("no", "host", "kept"),
    )
    headers: Lines = key(
        NO_LINES,
        "more headers of requests, one per line: NAME: VALUE for all URLs, or PATTERN NAME: VALUE; a secret is ${NAME}"
        " (an environment variable) or ${file:PATH}, and needs a host: see docs/guides/behind-a-login.md",
    )
    login: str = key(
        "",
        "logins without a form: HOST=USER:PASSWORD ... (Basic; with the port where the URL has one),"
        " digest:HOST=USER:PASSWORD, bearer:HOST=TOKEN; write ${NAME} (an environment variable) or ${file:PATH} for a"
        " password or token; in others percent-encode = : and white space",
    )
    proxy: str = key(
        "",
        "URL of a proxy for all requests (http, https, socks4, socks4a, socks5 or socks5h); several take turns;"
        " PATTERN=URL,URL ... (as in [scope]) for some URLs, PATTERN=direct for none",
    )
    dns_ttl: float = key(600.0, "seconds for which the addresses of a host are cached", low=1)
    dns_timeout: float = key(10.0, "seconds to look up the addresses of a host", low=0.001)
    resolve: str = key("", "HOST:PORT:ADDRESS ..., as curl's --resolve: connect there instead of asking the DNS")

    def check(self) -> None:
        """Raises ValueError, ConfigError."""
        overrides = resolve_map(self.resolve)
        logins(self.login)
        self._check_headers()
        rules = proxy_rules(self.proxy)
        through = next((each for rule in rules for each in rule.proxies if each and each.resolves), None)
        if through and overrides and not rules[0].pattern:
            # the proxy would look the names up itself, and connect to other addresses
            raise ValueError(
                f"resolve has no effect with a {through.scheme} proxy, which looks up names itself: remove it, or use a"
                " socks4 or socks5 proxy"
            )
        for entry in self.types.split():
            if not MEDIA_TYPE.fullmatch(entry):
                raise ValueError(f"types: {entry} is not a media type; write text/html, text/* or */*")
        if self.ftp and self.proxy:
            raise ValueError("ftp = yes goes through no proxy: remove proxy, or set ftp = no")
        if self.head_first not in ("no", "yes"):
            self._check_head_first()

    def _check_headers(self) -> None:
        if self.headers and self.cookies != "no" and any(each.name == "Cookie" for each in headers(self.headers)):
            raise ValueError(f"headers has a Cookie, and cookies = {self.cookies} sends those of servers: remove one")

    def _check_head_first(self) -> None:
        from ttcrawl.web.scope.chosen import chosen  # most commands need no patterns of URLs

        try:
            chosen(self.head_first)
        except ValueError as error:
            raise ValueError(f"head_first = {self.head_first}: {error}") from None


@frozen
class Safety:
    """Which addresses may be contacted."""

    allow: str = key(
        "",
        "networks and hosts that may be contacted although their addresses are private, loopback, link-local,"
        " multicast or reserved: 10.0.0.0/8 fd00::/8 intranet.example. Hosts of seeds and of --resolve are"
        " allowed at the addresses that they have when the crawl begins",
    )

    def check(self) -> None:
        """Raises ValueError."""
        try:
            allow_list(self.allow)
        except ValueError as error:
            raise ValueError(f"allow = {error}") from None
