"""The cookies of a crawl: storage, and selection for a request (RFC 6265 sections 5.3 and 5.4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from ttcrawl.web.cookies.setcookie import is_sendable, parse
from ttcrawl.web.storable import Storable, replace
from ttcrawl.web.url import is_public_suffix, split_port

#: RFC 6265 section 6.1: store at least this many. The oldest is removed first.
PER_DOMAIN = 50
IN_ALL = 3000

#: Bytes of a Cookie header; cookies beyond this limit are left out.
MAX_HEADER = 8192

#: Characters of a name in the DNS (RFC 1035 section 2.3.4). Parents of longer names are not searched.
MAX_NAME = 253

#: What cookies of the user have less as their place: they come before those that servers set.
OWN = 1 << 40

#: Domain, path and name: the identity of a cookie.
Key: TypeAlias = tuple[str, str, str]


class Cookie(Storable, frozen=True, kw_only=True):
    """A stored cookie; `place` is its position in the order in which cookies were first set."""

    domain: str
    path: str
    name: str
    value: str
    host_only: bool
    secure: bool
    expires: float | None  # seconds since the epoch; None: until the crawl ends
    place: int

    @property
    def key(self) -> Key:
        return self.domain, self.path, self.name

    def dead(self, now: float) -> bool:
        return self.expires is not None and self.expires <= now


class Jar:
    """`mode` is fetch.cookies: no, host or kept; `cookies` are from earlier runs, ordered by place (kept), and replace
    `own` ones of the user, in an order of their own.
    """

    def __init__(self, mode: str, cookies: Iterable[Cookie] = (), own: Iterable[Cookie] = ()) -> None:
        self._mode = mode
        self._cookies: dict[Key, Cookie] = {}  # ordered by place
        self._domains: dict[str, dict[Key, Cookie]] = {}  # each ordered by place
        self._changed: set[Key] = set()
        for cookie in own if mode != "no" else ():
            self._put(replace(cookie, place=cookie.place - OWN))
        for cookie in cookies if mode == "kept" else ():
            if is_sendable(cookie.name, cookie.value):  # another program may have written the database
                self._put(cookie)
        self._last_place = max((0, *(cookie.place for cookie in self._cookies.values())))
        self._changed.clear()

    def headers(self, url: str, now: float) -> tuple[tuple[str, str], ...]:
        """The headers for a request to a canonical URL: one Cookie header, or none."""
        if not self._cookies:
            return ()
        scheme, host, path = _split(url)
        pairs, length = [], 0
        for cookie in self._matching(scheme, host, path, now):
            pair = f"{cookie.name}={cookie.value}"
            if length + len(pair) <= MAX_HEADER:
                pairs.append(pair)
                length += len(pair) + len("; ")
        return (("Cookie", "; ".join(pairs)),) if pairs else ()

    def of_host(self, url: str, now: float) -> tuple[Cookie, ...]:
        """The cookies for any path of the host of a canonical URL."""
        if not self._cookies:
            return ()
        scheme, host, _ = _split(url)
        return tuple(self._of_host(scheme, host, now))

    def take(self, url: str, set_cookies: Iterable[str], now: float) -> None:
        """Store the cookies in the Set-Cookie headers of a response to a request for a canonical URL."""
        if self._mode == "no":
            return
        for text in set_cookies:
            self._take(url, text, now)
        if len(self._cookies) > IN_ALL:
            self._drop_dead(self._cookies, now)
        while len(self._cookies) > IN_ALL:
            self._drop(next(iter(self._cookies)))

    def changed(self) -> tuple[list[Cookie], list[Key]]:
        """Cookies to write, and the keys of removed ones, since the last call."""
        keys, self._changed = self._changed, set()
        if self._mode != "kept":
            return [], []
        return [self._cookies[key] for key in keys if key in self._cookies], [k for k in keys if k not in self._cookies]

    def _matching(self, scheme: str, host: str, path: str, now: float) -> list[Cookie]:
        cookies = [cookie for cookie in self._of_host(scheme, host, now) if path_matches(path, cookie.path)]
        return sorted(cookies, key=lambda cookie: (-len(cookie.path), cookie.place))

    def _of_host(self, scheme: str, host: str, now: float) -> list[Cookie]:
        return [
            cookie
            for domain in _domains(host)
            for cookie in self._domains.get(domain, {}).values()
            if (domain == host or not cookie.host_only)
            and (scheme == "https" or not cookie.secure)
            and not cookie.dead(now)
        ]

    def _take(self, url: str, text: str, now: float) -> None:
        set_cookie = parse(text, now)
        if set_cookie is None:
            return
        _, host, path = _split(url)
        domain = self._domain(host, set_cookie.domain)
        if domain is None:
            return
        cookie = Cookie(
            domain=domain or host,
            path=set_cookie.path or default_path(path),
            name=set_cookie.name,
            value=set_cookie.value,
            host_only=not domain,
            secure=set_cookie.secure,
            expires=set_cookie.expires,
            place=self._last_place + 1,
        )
        before = self._cookies.get(cookie.key)
        if cookie.dead(now):
            if before:
                self._drop(cookie.key)
        elif before:
            self._put(replace(cookie, place=before.place))
        else:
            self._last_place += 1
            self._put(cookie)
            self._make_room(cookie.domain, now)

    def _domain(self, host: str, attribute: str) -> str | None:
        """The domain whose hosts receive a cookie, "" for this host only; None: the cookie is refused."""
        if self._mode == "host" or not attribute or is_address(host):
            return "" if self._mode == "host" or attribute in ("", host) else None
        if not domain_matches(host, attribute):
            return None
        if is_public_suffix(attribute):
            return "" if attribute == host else None
        return attribute

    def _make_room(self, domain: str, now: float) -> None:
        if len(self._domains[domain]) > PER_DOMAIN:
            self._drop_dead(self._domains[domain], now)
        if len(self._domains.get(domain, {})) > PER_DOMAIN:
            self._drop(next(iter(self._domains[domain])))

    def _put(self, cookie: Cookie) -> None:
        self._cookies[cookie.key] = self._domains.setdefault(cookie.domain, {})[cookie.key] = cookie
        self._changed.add(cookie.key)

    def _drop_dead(self, cookies: dict[Key, Cookie], now: float) -> None:
        for key in [key for key, cookie in cookies.items() if cookie.dead(now)]:
            self._drop(key)

    def _drop(self, key: Key) -> None:
        cookie = self._cookies.pop(key)
        del self._domains[cookie.domain][key]
        if not self._domains[cookie.domain]:
            del self._domains[cookie.domain]
        self._changed.add(key)


def _split(url: str) -> tuple[str, str, str]:
    """Scheme, host without port, and path of a canonical URL."""
    scheme, _, authority, rest = url.split("/", 3)
    return scheme.removesuffix(":"), split_port(authority)[0], "/" + rest.partition("?")[0]


def is_address(host: str) -> bool:
    """Whether the host of a canonical URL is an IP address: only addresses end in a number there (WHATWG URL)."""
    return host.startswith("[") or host.replace(".", "").isdigit()


def domain_matches(host: str, domain: str) -> bool:
    """RFC 6265 section 5.1.3; both in lower case."""
    return host == domain or (host.endswith("." + domain) and not is_address(host))


def path_matches(path: str, cookie_path: str) -> bool:
    """RFC 6265 section 5.1.4."""
    return path == cookie_path or (
        path.startswith(cookie_path) and (cookie_path[-1] == "/" or path[len(cookie_path)] == "/")
    )


def default_path(path: str) -> str:
    """The path of a cookie without a Path attribute (RFC 6265 section 5.1.4).

    >>> [default_path(each) for each in ("/", "/x", "/x/", "/x/y")]
    ['/', '/', '/x', '/x']
    """
    return path[: path.rindex("/")] or "/"


def _domains(host: str) -> list[str]:
    """A host name and its parent domains."""
    if is_address(host) or len(host) > MAX_NAME:
        return [host]
    labels = host.split(".")
    return [".".join(labels[index:]) for index in range(len(labels))]
