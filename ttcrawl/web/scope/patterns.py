"""Patterns of rules -> RE2 regular expressions for canonical URLs. Each function raises ValueError.

RE2 takes time linear in the URL for any pattern; therefore it has neither look-around nor back-references.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

import re2

from ttcrawl.web.url import canonical, host, percent, registrable_domain, split_port

#: Maximum bytes of a compiled pattern; one that needs more is refused.
MAX_MEMORY = 8 << 20

PORT = r"(?::\d+)?"
START = "^(?:https?|ftp)://"
#: Characters that are escaped in every part of a canonical URL, or removed with its fragment.
NEVER = '#"<>'
_EXTENSION, _END = START + r"[^/]*/[^?]*\.", r"(?:\?|$)"
#: Escaped names of extensions.
_NAMES = re.compile(r"(?:[A-Za-z0-9_-]|\\[.-])++(?:\|(?:[A-Za-z0-9_-]|\\[.-])++)*+")
SCHEMES = ("http://", "https://", "ftp://")


def options(memory: int) -> re2.Options:
    settings = re2.Options()
    settings.max_mem = memory
    settings.log_errors = False
    settings.dot_nl = True
    return settings


def expression(text: str) -> str:
    """An RE2 regular expression that may match anywhere.

    https://github.com/google/re2/wiki/Syntax
    """
    _of_a_url(text, "")
    try:
        re2.compile(text, options(MAX_MEMORY))
    except re2.error as error:
        message = error.args[0] if error.args else ""
        message = message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)
        hint = (
            " (RE2 has no look-around and no back-references)"
            if "perl operator" in message or "escape" in message
            else ""
        )
        raise ValueError(f"{message}{hint}") from None
    return text


def wildcard(text: str) -> str:
    """* and ? over the complete URL; *.EXT alone matches the end of the path, with any query."""
    text = _canonical_start(text)
    _of_a_url(text, NEVER)
    if re.fullmatch(r"\*(?:\.[A-Za-z0-9]+)+", text):
        return extensions(text[2:])
    head = re.split(r"[*?]", text, maxsplit=1)[0]
    begun = head != text and any(scheme.startswith(head) for scheme in SCHEMES)
    if not begun and not head.startswith(SCHEMES):
        raise ValueError(
            f"a wildcard pattern is compared with the complete URL: write *{text.strip('*')}* or {_kinds()}"
        )
    pieces = [".*" if each == "*" else "." if each == "?" else re2.escape(each) for each in re.split(r"([*?])", text)]
    return f"^{''.join(pieces)}$"


def _canonical_start(text: str) -> str:
    """The pattern with its scheme and host, as far as they have no wildcard, and its escapes as in canonical URLs.

    >>> _canonical_start("HTTP://A.test:80/%7ex*"), _canonical_start("http://A*"), _canonical_start("https://a.test")
    ('http://a.test/~x*', 'http://a*', 'https://a.test/')
    """
    match = re.match(r"((?:https?|ftp)://[^/?*#]*)([?*]?)(.*)", text, re.IGNORECASE | re.DOTALL)
    if not match:
        return percent(text)
    start, mark, rest = match.groups()
    if mark:  # the host goes on
        return start.lower() + mark + percent(rest)
    url = canonical(f"{start}/", ftp=True)
    if url is None:
        raise ValueError(f"{start} names no host: write for example http://www.example.org/*")
    return url.removesuffix("/") + percent(rest or "/")


def extensions(text: str) -> str:
    """Extensions such as `pdf, tar.gz`, in any case, at the end of the path of a URL."""
    names = [name.removeprefix(".") for name in text.replace(",", " ").split()]
    wrong = [name for name in names if not re.fullmatch(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*", name)]
    if wrong:
        raise ValueError(f"{wrong[0]} is not an extension: write for example ext:pdf,tar.gz")
    if not names:
        raise ValueError("an extension is missing: write for example ext:pdf,tar.gz")
    return f"{_EXTENSION}(?i:{'|'.join(map(re2.escape, names))}){_END}"


def is_of_extensions(pattern: str) -> bool:
    """Whether a pattern is one of `extensions`: `ending` decides alone whether it matches.

    >>> is_of_extensions(extensions("pdf, tar.gz")), is_of_extensions(path("/x.pdf"))
    (True, False)
    """
    if not (pattern.startswith(f"{_EXTENSION}(?i:") and pattern.endswith(f"){_END}")):
        return False
    return _NAMES.fullmatch(pattern, len(f"{_EXTENSION}(?i:"), len(pattern) - len(f"){_END}")) is not None


def ending(url: str) -> str:
    """The end of the path of a URL, from the first dot of its last segment on; "" if that has none.

    >>> ending("http://a.test/x.y/z.tar.gz?a.b"), ending("http://a.test/x.y/z")
    ('.tar.gz', '')
    """
    segment = url.partition("?")[0].rpartition("/")[2]
    dot = segment.find(".")
    return segment[dot:] if dot >= 0 else ""


def host_name(text: str) -> str:
    """NAME: that host; *.NAME: the hosts under it; with a port at that port only."""
    name, below = normal_host(text)
    port = "" if re.search(r":\d+$", name) else PORT
    return f"{START}{'[^/:]+[.]' if below else ''}{re2.escape(name)}{port}/"


def normal_host(text: str) -> tuple[str, bool]:
    """(host in lower case and IDNA, with its port; whether it started with *.)."""
    below, name = text.startswith("*."), text.removeprefix("*.")
    hosts = {host(url) for scheme in ("http", "https") if (url := canonical(f"{scheme}://{name}/"))}
    if re.search(r"[/?#@*\\\s]", name) or not hosts:
        raise ValueError(f"{name} is not a host name: write for example host:www.example.org or host:*.example.org")
    if len(hosts) > 1:
        raise ValueError("omit the default port of the scheme")
    return hosts.pop(), below


def domain(text: str) -> str:
    name, below = normal_host(text)
    registered = registrable_domain(name)
    if below or name != registered:
        raise ValueError(f"no registrable domain: write domain:{registered}, or host:*.{name}")
    return name


def scheme(text: str) -> str:
    if text not in ("http", "https", "ftp"):
        raise ValueError("write scheme:http, scheme:https or scheme:ftp")
    return f"^{text}://"


def path(text: str) -> str:
    _of_a_url(text, NEVER)
    if not text.startswith("/"):
        raise ValueError(f"a path begins with /: write path:/{text}")
    return f"{START}[^/]*{re2.escape(percent(text))}"


def surt(text: str) -> str:
    """A prefix of the URL with reversed host, as in Heritrix: (org,example, or (org,example,www,)/path.

    http and https are equal, as in Heritrix.
    """
    _of_a_url(text, NEVER)
    match = re.fullmatch(r"(?:https?://)?\(([^():/]+)(?:(:\d+)?\)(/.*)?)?", text)
    if not match:
        raise ValueError("write a prefix such as surt:(org,example, or surt:(org,example,www,)/path")
    name, port, rest = match[1].lower(), re2.escape(match[2] or ""), re2.escape(percent(match[3] or "/"))
    closed = ")" in text
    if re.fullmatch(r"[\d.]+", name):  # an address is not reversed
        return f"{START}{re2.escape(name)}{port}{rest}" if closed else f"{START}{re2.escape(name)}[\\d.]*{PORT}/"
    *labels, last = name.split(",")
    if not all(labels) or (closed and last):
        raise ValueError("every label of the host ends with a comma, as in surt:(org,example,www,)/path")
    suffix = re2.escape(".".join(reversed(labels)))
    if closed:
        return f"{START}{suffix}{port}{rest}"
    dot = r"\." if labels else ""
    begun = f"{re2.escape(last)}[^./:]*{dot}" if last else ""
    return f"{START}(?:[^/:]*\\.)?{begun}{suffix}{PORT}/"


OF_URLS: dict[str, Callable[[str], str]] = {
    "host": host_name,
    "regex": expression,
    "surt": surt,
    "path": path,
    "ext": extensions,
    "scheme": scheme,
}


def _kinds() -> str:
    return ", ".join(f"{kind}:" for kind in (*OF_URLS, "domain", "host-regex", "depth", "hops"))


def _of_a_url(text: str, never: str) -> None:
    """Refuse a pattern with characters that no canonical URL contains, because it could never match."""
    odd = next((each for each in text if each.isspace() or each in never or not each.isascii()), "")
    if odd.isspace():
        raise ValueError("a URL contains no white space (write comments on their own lines)")
    if odd:
        remedy = "the part before #" if odd == "#" else quote(odd, errors="surrogateescape")
        raise ValueError(f"{odd} occurs in no canonical URL: write {remedy}")


def covers(section: str, name: str) -> bool:
    """Whether the NAME of a section [host:NAME] covers this host (with its port, if any).

    >>> covers("*.a.test", "www.a.test:8080"), covers("*.a.test", "a.test"), covers("a.test", "a.test")
    (True, False, True)
    """
    names = (name, split_port(name)[0])
    return any(each.endswith(section[1:]) for each in names) if section.startswith("*.") else section in names
