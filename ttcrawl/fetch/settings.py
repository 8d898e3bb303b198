"""The settings of a crawl as both transports use them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from ttcrawl.config import Config
from ttcrawl.config.certificates import Certificate, certificates
from ttcrawl.config.proxies import proxy_rules
from ttcrawl.fetch import parse_context
from ttcrawl.fetch.choice import speaks_http2
from ttcrawl.fetch.head import HeadLimits
from ttcrawl.fetch.own_headers import OwnHeaders
from ttcrawl.fetch.proxies import Proxies
from ttcrawl.fetch.wanted import has_extension_of_file, is_stated_file, wanted
from ttcrawl.ring.messages import Request
from ttcrawl.web.scope.chosen import chosen

#: Seconds between checks of the deadlines of threads.
CHECK_INTERVAL = 0.25


class Settings(Struct, frozen=True, kw_only=True):
    """What does not change from request to request."""

    connect_timeout: float
    read_timeout: float
    total_timeout: float
    max_body: int
    head: HeadLimits
    types: frozenset[str]
    head_first: Callable[[str], bool]  # whether HEAD comes first for a page with this URL
    files: bool  # files that are not pages are downloaded
    requisites: bool  # so are those that pages load
    http2: bool
    ftp: bool
    verify_tls: bool
    tls_minimum: str  # "1.2"
    certificates: Mapping[str, Certificate]  # of the client, by host
    cookies: bool
    requests: bool  # they are archived
    headers: dict[str, str]  # of every request
    own: OwnHeaders
    proxies: Proxies
    read_by: str  # a hash of the settings that affect parsing

    @classmethod
    def of(cls, config: Config) -> Settings:
        fetch, own = config.fetch, OwnHeaders(config)
        return cls(
            connect_timeout=fetch.connect_timeout,
            read_timeout=fetch.read_timeout,
            total_timeout=fetch.total_timeout,
            max_body=fetch.max_body,
            head=HeadLimits(size=fetch.max_head, lines=fetch.max_headers),
            types=frozenset(fetch.types.lower().split()),
            head_first=chosen(fetch.head_first),
            files=config.files.download,
            requisites=config.links.page_requisites,
            http2=fetch.http2 and speaks_http2(),
            ftp=fetch.ftp,
            verify_tls=fetch.verify_tls,
            tls_minimum=fetch.tls_minimum,
            certificates={each.host: each.checked(os.environ) for each in certificates(config.login.certificates)},
            cookies=fetch.cookies != "no",
            requests=config.archive.requests,
            headers={
                "User-Agent": config.agent.header,
                "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
                "Accept-Encoding": "gzip, deflate, br, zstd",
                **own.of_all,
            },
            own=own,
            proxies=Proxies(proxy_rules(fetch.proxy), os.environ),
            read_by=parse_context.settings(config),
        )

    def begins_with_head(self, request: Request) -> bool:
        """Whether a HEAD is sent before the GET for a page."""
        return self.head_first(request.url) or (not self._downloads(request) and has_extension_of_file(request.url))

    def wants(self, request: Request, values: Sequence[str]) -> bool:
        """Whether the body of a page with these values of Content-Type is wanted."""
        return wanted(self.types, values) and (self._downloads(request) or not is_stated_file(values, request.url))

    def _downloads(self, request: Request) -> bool:
        """Whether it is downloaded if it is a file."""
        return self.files or (self.requisites and request.requisite > 0)
